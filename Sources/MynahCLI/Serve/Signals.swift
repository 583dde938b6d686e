import Glibc
import UnixSignals

/// Which signals a command handles.
enum Signals {
    /// The signals, without SIGHUP if the process was started with that ignored, as by `nohup`.
    ///
    /// Call this before trapping them.
    ///
    /// Background jobs of a shell may have SIGINT ignored too, but only for the terminal's SIGINT; one from `kill`
    /// counts.
    static func unlessHangUpIsIgnored(_ signals: [UnixSignal]) -> [UnixSignal] {
        var action = sigaction()
        guard sigaction(SIGHUP, nil, &action) == 0 else { return signals }
        // SIG_IGN isn't a real function pointer, so it is compared as an integer.
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self) ? signals.filter { $0 != .sighup } : signals
    }
}
