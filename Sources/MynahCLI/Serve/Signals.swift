import Glibc
import UnixSignals

/// Which signals a command handles.
enum Signals {
    /// The signals without SIGHUP where the process was started with that ignored, as `nohup` does; to be asked before
    /// they are trapped.
    ///
    /// A shell that starts a job in the background may ignore SIGINT, too, but for the terminal's sake: one that is sent
    /// by `kill` is meant.
    static func unlessHangUpIsIgnored(_ signals: [UnixSignal]) -> [UnixSignal] {
        var action = sigaction()
        guard sigaction(SIGHUP, nil, &action) == 0 else { return signals }
        // Function pointers in name only, which can't be compared as such.
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self) ? signals.filter { $0 != .sighup } : signals
    }
}
