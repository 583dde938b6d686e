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
        let isIgnored =
            sigaction(SIGHUP, nil, &action) == 0
            && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        return isIgnored ? signals.filter { $0 != .sighup } : signals
    }
}
