internal import APNsRules

/// What an app answers when it has fetched in the background (`DeviceBehaviour#Pushes-that-are-not-alerts`).
package enum WakeResult: String, CaseIterable, Sendable {
    /// There was something.
    case newData
    /// There was nothing.
    case noData
    /// It did not work.
    case failed
}

/// What a simulated app does when a background push wakes it.
package struct BackgroundFetch: Sendable, Hashable {
    /// What it answers.
    package let result: WakeResult
    /// How long it runs, by the clock; longer than ``Wake/runningTimeMax`` and it is stopped without an answer.
    package let takes: Duration

    /// An app that answers, at once unless a time is given.
    package init(result: WakeResult = .newData, takes: Duration = .zero) {
        self.result = result
        self.takes = takes
    }

    static let schema: Schema = [
        Member("result", .choice(WakeResult.self), default: "newData"),
        Member("takes", .duration(.zero...Form.durationMax)),
    ]

    init(_ reader: ObjectReader) {
        self.init(result: reader.choice("result") ?? .newData, takes: reader.duration("takes") ?? .zero)
    }

    var json: JSONValue { ["result": .string(result.rawValue), "takes": .duration(takes)] }
}
