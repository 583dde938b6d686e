internal import Mynah
internal import NIOCore
internal import Synchronization

/// The connections of the control API, so that a shutdown can close them.
///
/// A caller that never closes its side, or never reads its answer, would otherwise delay the shutdown forever.
final class OpenConnections: Sendable {
    private let limits: ListenerLimits
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])
    // Open connections, except those that are refused because there are too many.
    private let taken = Atomic<Int>(0)
    init(_ limits: ListenerLimits) { self.limits = limits }

    /// Whether another connection may be accepted, if only to be refused.
    var hasRoom: Bool { channels.withLock { $0.count } < limits.connectionsMax + ListenerLimits.refusalsMax }

    /// The log message for when there is no room.
    var fullWarning: String {
        let open = "new connections to the control API wait: \(limits.connectionsMax) are open, the most there may be"
        guard limits.connectionsMax < ListenerLimits.connectionsLimit else { return "\(open); close some" }
        return "\(open) with the \(FileDescriptors.limit) file descriptors that this process may have; close some, or "
            + "raise the limit (ulimit -n, docker run --ulimit nofile=N)"
    }

    /// The handler of a new connection, which registers it here and enforces the time limits.
    func handler() -> RequestDeadlines {
        let hasPlace = taken.add(1, ordering: .relaxed).newValue <= limits.connectionsMax
        if !hasPlace { taken.subtract(1, ordering: .relaxed) }
        return RequestDeadlines(limits, hasPlace: hasPlace) { channel in
            self.add(channel)
            if hasPlace { channel.closeFuture.whenComplete { _ in self.taken.subtract(1, ordering: .relaxed) } }
        }
    }

    /// Registers a connection until it is closed: on its listener's loop, which would otherwise accept many more than
    /// ``hasRoom`` allows before their own loops come to them; and on its own, if the listener was faster than its gate.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        guard channels.withLock({ $0.updateValue(channel, forKey: id) }) == nil else { return }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.channels.withLock { _ = $0.removeValue(forKey: id) }
        }
    }

    func closeAll() { for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) } }
}

/// Limits of the control API, so that no caller can keep others out.
struct ListenerLimits: Hashable, Sendable {
    /// The most connections on all addresses; further ones are answered with 503, so that some file
    /// descriptors are left to connections of providers and to files.
    var connectionsMax = min(connectionsLimit, FileDescriptors.limit / descriptorsDivisor)
    /// The most connections if there are enough file descriptors; far more than tests need.
    static let connectionsLimit = 512
    /// The part of the file descriptors that connections to the control API may use.
    private static let descriptorsDivisor = 4
    /// The most connections that are being answered with 503; with that many open, no other is accepted.
    static let refusalsMax = 16
    /// How long a new connection may take to send the head of a request; browsers open some in advance.
    var firstHeadTimeout: Duration = .seconds(15)
    /// How long a body may take after its head: 5 MB at 170 kB/s.
    var bodyTimeout: Duration = .seconds(30)
    /// How long a connection may be idle; one that waits for an answer is not idle.
    var idleTimeout: Duration = .seconds(120)
    /// How long a caller may take to close its side after its last answer.
    var closeTimeout: Duration = .seconds(5)
    static let fieldBytesMax = 32 * 1024
    static let fieldsBytesMax = 64 * 1024
    /// Header fields; browsers send about twenty.
    static let fieldsMax = 100
    /// Bytes of a URL's query: some hundred conditions, each of which is tried on every push of the journal.
    static let queryBytesMax = 16 * 1024
}
