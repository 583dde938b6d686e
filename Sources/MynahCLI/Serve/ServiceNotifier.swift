import Glibc
import Logging
import MynahClient

/// Reports the server's state to its service manager, with the datagrams of `sd_notify(3)`.
struct ServiceNotifier: Sendable {
    enum State: String, Sendable {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
    }

    /// A path, or `@` and a name in the abstract namespace.
    private let address: String

    /// Reads `NOTIFY_SOCKET`; `nil` without a service manager.
    init?(environment: [String: String]) {
        guard let address = environment.nonEmpty("NOTIFY_SOCKET") else { return nil }
        self.address = address
    }

    /// Sends a state; a failure is a warning, because the server works without a service manager.
    func notify(_ state: State, _ logger: Logger) {
        do throws(ClientError) {
            try send(Array(state.rawValue.utf8))
        } catch {
            logger.warning("\(error.message)")
        }
    }

    private func send(_ message: [UInt8]) throws(ClientError) {
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        var name = Array(address.utf8)
        let nameBytesMax = MemoryLayout.size(ofValue: target.sun_path)
        guard ["/", "@"].contains(address.first), name.count < nameBytesMax else {
            throw ClientError(
                .file, "NOTIFY_SOCKET=\(address): expected an absolute path, or @ and a name, of a Unix socket")
        }
        // Names in the abstract namespace begin with a zero byte.
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: name) }
        // In an abstract name every byte counts, so the length must be exact.
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - nameBytesMax + name.count)

        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw failure() }
        defer { close(socket) }
        let sent = withUnsafePointer(to: target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(socket, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
        guard sent == message.count else { throw failure() }
    }

    private func failure() -> ClientError {
        ClientError(.file, "can't notify the service manager at NOTIFY_SOCKET=\(address): \(SystemError.text(errno))")
    }
}
