internal import APNsRules

/// What faults have left to be done on one connection; lives on its loop.
struct ConnectionFaults {
    /// A push whose answer is held back, or never comes.
    struct Withheld {
        /// Its number in the journal.
        let sequence: UInt64
        /// Takes the answer back that is on its way.
        var cancel: (() -> Void)?
    }

    /// By stream; 0 over HTTP/1.1, which has one request at a time.
    var withheld: [Int32: Withheld] = [:]
    /// The end that waits for silence.
    var idleClose: ConnectionIdleness?
    /// Acts that are delayed, some perhaps done by now.
    var delayedActs: [DelayedAct] = []

    /// Something that is done to the connection later.
    struct DelayedAct {
        /// Takes it back.
        let cancel: () -> Void
    }
}
