package import APNsRules

/// One time that a background push woke an app (`DeviceBehaviour#Pushes-that-are-not-alerts`).
package struct Wake: Sendable, Hashable {
    /// How long the app may run (documented).
    package static let runningTimeMax: Duration = .seconds(30)

    /// The push's number in the journal.
    package let sequence: UInt64
    /// When it was woken.
    package let at: Instant
    /// What it does then.
    package let fetch: BackgroundFetch

    /// How far a wake has come.
    package enum State: Sendable, Hashable {
        /// The app runs, until that moment at most.
        case running(until: Instant)
        /// It answered then.
        case finished(WakeResult, at: Instant)
        /// It did not answer and was stopped then.
        case stopped(at: Instant)
    }

    /// How far it has come at a moment.
    ///
    /// An app that takes exactly ``runningTimeMax`` answers in time (inferred).
    package func state(at now: Instant) -> State {
        let isStopped = fetch.takes > Wake.runningTimeMax
        let end = at.advanced(by: isStopped ? Wake.runningTimeMax : fetch.takes)
        if now < end { return .running(until: end) }
        return isStopped ? .stopped(at: end) : .finished(fetch.result, at: end)
    }

    /// The wake as the control API prints it; `state` is `running`, `finished` or `stopped`.
    package func json(at now: Instant) -> JSONValue {
        let (name, end, result): (String, Instant?, WakeResult?) =
            switch state(at: now) {
            case .running: ("running", nil, nil)
            case .finished(let result, let end): ("finished", end, result)
            case .stopped(let end): ("stopped", end, nil)
            }
        return [
            "sequence": .number(JSONNumber(sequence)), "at": .string(at.rfc3339), "state": .string(name),
            "result": .text(result?.rawValue), "endedAt": .text(end?.rfc3339),
        ]
    }
}

/// The times that background pushes woke one app, oldest first.
package struct WakeList: Sendable, Hashable {
    /// Wakes that are kept; the oldest goes for one more, and is counted.
    package static let wakesMax = 500

    /// The wakes, oldest first.
    package private(set) var wakes: [Wake] = []
    /// Wakes that went for newer ones.
    package private(set) var evicted: UInt64 = 0

    /// None.
    package init() {}

    /// A push wakes the app; budget and power have let it through already.
    ///
    /// One that arrives while the app still runs is a wake of its own (inferred).
    package mutating func wake(sequence: UInt64, fetch: BackgroundFetch, at now: Instant) -> Wake {
        let wake = Wake(sequence: sequence, at: now, fetch: fetch)
        wakes.append(wake)
        if wakes.count > WakeList.wakesMax {
            wakes.removeFirst()
            evicted += 1
        }
        return wake
    }

    /// Whether the app runs because of a push.
    package func isRunning(at now: Instant) -> Bool {
        wakes.contains { wake in
            if case .running = wake.state(at: now) { true } else { false }
        }
    }
}
