internal import APNsRules

/// What faults still have to do on one connection; lives on its loop.
struct ConnectionFaults {
    /// A push whose answer is withheld, maybe forever.
    struct Withheld {
        let sequence: UInt64
        var cancel: (() -> Void)?
    }

    /// By stream; 0 over HTTP/1.1.
    var withheld: [Int32: Withheld] = [:]
    /// The close that waits for silence.
    var idleClose: ConnectionIdleness?
    /// Delayed acts, including those that have taken place.
    var delayedActs: [DelayedAct] = []

    struct DelayedAct {
        let cancel: () -> Void
    }
}
