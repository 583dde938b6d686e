import Logging
import MynahClient
import MynahSystem
import Synchronization
import UnixSignals

enum Signals {
    /// The signals, without SIGHUP if the process was started with SIGHUP ignored, as under `nohup`.
    ///
    /// Call this before trapping them. A shell may start background jobs with SIGINT ignored too, but that is meant for
    /// the terminal's SIGINT; one from `kill` counts.
    static func unlessHangUpIsIgnored(_ signals: [UnixSignal]) -> [UnixSignal] {
        ignoresHangUp ? signals.filter { $0 != .sighup } : signals
    }
}

/// The signals that end a server: while it starts, which may take long, the process at once, and later whoever waits for
/// one.
final class EndSignals: Sendable {
    private enum State {
        case starting
        case running
        case waiting(CheckedContinuation<UnixSignal, Never>)
        case came(UnixSignal)
    }

    private let state = Mutex(State.starting)

    /// Traps the signals; `logger` has a line about one that ends the start.
    init(trapping signals: [UnixSignal], _ logger: Logger) async {
        let sequence = await UnixSignalsSequence(trapping: Signals.unlessHangUpIsIgnored(signals))
        Task { for await signal in sequence { handle(signal, logger) } }
    }

    /// Records the end of the start: signals end the process no longer.
    func started() {
        state.withLock { state in if case .starting = state { state = .running } }
    }

    /// Waits for a signal, or returns one that has come since the start.
    func next() async -> UnixSignal {
        await withCheckedContinuation { continuation in
            let came: UnixSignal? = state.withLock { state in
                if case .came(let signal) = state { return signal }
                state = .waiting(continuation)
                return nil
            }
            if let came { continuation.resume(returning: came) }
        }
    }

    private func handle(_ signal: UnixSignal, _ logger: Logger) {
        let waiting: CheckedContinuation<UnixSignal, Never>? = state.withLock { state in
            switch state {
            case .starting:
                logger.info("received \(signal) during the start, ending")
                // What a start has written so far is as safe as after a crash.
                _exit(0)
            case .waiting(let continuation):
                state = .came(signal)
                return continuation
            case .running, .came:
                state = .came(signal)
                return nil
            }
        }
        waiting?.resume(returning: signal)
    }
}

/// The limits of open file descriptors at the start of this process: a server raises its limit, and a command of
/// `mynah exec` gets the original one, which it may rely on.
struct DescriptorLimit: Sendable {
    private let inherited: rlimit

    /// Raises the soft limit of this process to the hard one.
    static func raise() -> DescriptorLimit {
        var inherited = rlimit()
        // The calls fail only for an unknown resource or for values that didn't come from the system.
        getrlimit(openFilesResource, &inherited)
        DescriptorLimit.set(inherited.rlim_max, of: inherited)
        return DescriptorLimit(inherited: inherited)
    }

    /// Calls `spawn` with the inherited limit, which a child copies at that moment.
    func inherit<Result>(_ spawn: () -> Result) -> Result {
        DescriptorLimit.set(inherited.rlim_cur, of: inherited)
        defer { DescriptorLimit.set(inherited.rlim_max, of: inherited) }
        return spawn()
    }

    private static func set(_ soft: rlim_t, of limit: rlimit) {
        var limit = limit
        limit.rlim_cur = soft
        setrlimit(openFilesResource, &limit)
    }
}

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
        do throws(ClientError) { try send(Array(state.rawValue.utf8)) } catch { logger.warning("\(error.message)") }
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

        let socket = makeDatagramSocket()
        guard socket >= 0 else { throw failure() }
        defer { close(socket) }
        let sent = withUnsafePointer(to: target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(socket, message, message.count, sendWithoutSignal, $0, length)
            }
        }
        guard sent == message.count else { throw failure() }
    }

    private func failure() -> ClientError {
        ClientError(.file, "can't notify the service manager at NOTIFY_SOCKET=\(address): \(SystemError.text(errno))")
    }
}

enum HostProcess {
    /// Ends the process at once: what a server has answered is in the log of its cluster.
    static func end(_ status: CommandStatus) -> Never { _exit(status.rawValue) }
}
