internal import APNsRules

/// What a simulated app does when a background push wakes it (`DeviceBehaviour#Pushes-that-are-not-alerts`).
struct BackgroundFetch: Sendable, Hashable {
    var result = WakeResult.newData
    /// How long it runs, by the clock; after ``Wake/runningTimeMax`` it is stopped without an answer.
    var takes = Duration.zero
}

extension BackgroundFetch {
    static let schema: Schema = [
        Member("result", .choice(WakeResult.self), default: "newData"),
        Member("takes", .duration(.zero...Form.durationMax)),
    ]

    init(_ json: JSONValue, at place: String) throws(InputError) {
        let reader = try ObjectReader(json, at: place, BackgroundFetch.schema)
        result = reader.choice("result") ?? .newData
        takes = reader.duration("takes") ?? .zero
    }

    var json: JSONValue { ["result": .string(result.rawValue), "takes": .duration(takes)] }
}

/// What an app answers when it has fetched in the background.
package enum WakeResult: String, CaseIterable, Sendable {
    case newData
    case noData
    case failed
}

/// One time that a background push woke an app.
struct Wake: Sendable, Hashable {
    /// How long the app may run (documented).
    private static let runningTimeMax: Duration = .seconds(30)

    /// The push's number in the journal.
    let sequence: UInt64
    let at: Instant
    let fetch: BackgroundFetch

    enum State: Sendable, Hashable {
        /// Until then at most.
        case running(until: Instant)
        case finished(WakeResult, at: Instant)
        /// Without an answer.
        case stopped(at: Instant)
    }

    /// An app that takes exactly ``runningTimeMax`` answers in time (inferred).
    func state(at now: Instant) -> State {
        let isStopped = fetch.takes > Wake.runningTimeMax
        let end = at.advanced(by: isStopped ? Wake.runningTimeMax : fetch.takes)
        if now < end { return .running(until: end) }
        return isStopped ? .stopped(at: end) : .finished(fetch.result, at: end)
    }

    /// The wake as the control API prints it (`Documents#Screen`).
    func json(at now: Instant) -> JSONValue {
        let (name, end, result): (String, Instant?, WakeResult?) =
            switch state(at: now) {
            case .running: ("running", nil, nil)
            case .finished(let result, let end): ("finished", end, result)
            case .stopped(let end): ("stopped", end, nil)
            }
        return [
            "sequence": .whole(sequence), "at": .string(at.rfc3339), "state": .string(name),
            "result": .text(result?.rawValue), "endedAt": .text(end?.rfc3339),
        ]
    }
}

/// The times that background pushes woke one app.
struct WakeList: Sendable, Hashable {
    /// How many wakes are kept.
    static let wakesMax = 500

    /// Oldest first.
    private(set) var wakes: [Wake] = []
    /// How many wakes were dropped for newer ones.
    private(set) var evicted: UInt64 = 0

    /// Notes a push that budget and power have let through; one that arrives while the app still runs is a wake of its
    /// own (inferred).
    mutating func add(_ wake: Wake) {
        wakes.append(wake)
        if wakes.count > WakeList.wakesMax {
            wakes.removeFirst()
            evicted += 1
        }
    }
}
