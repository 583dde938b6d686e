import APNsRules
import Testing

@testable import MynahCore

/// One activity that looks at everything that happened to it whenever it is asked.
private struct NaiveActivity {
    struct Message {
        let event: ActivityMessage.Event
        let at: Instant
        let timestamp: Instant
        let score: Int
        let staleDate: Instant?
        let dismissalDate: Instant?
    }

    let startedAt: Instant
    var messages: [Message] = []
    var dismissals: [Instant] = []

    /// The state, what is shown, and which messages were applied.
    func seen(at now: Instant) -> (state: LiveActivity.State, score: Int, applied: [Int]) {
        let lastActive = startedAt.advanced(by: .seconds(8 * 3600))
        var score: Int = 0
        var applied: [Int] = []
        var timestamp: Instant? = nil
        var staleDate: Instant? = nil
        var endedAt: Instant?
        var dismissedAt = Instant(milliseconds: .max)
        for (index, message) in messages.enumerated() where message.at <= now {
            if message.at >= lastActive || endedAt != nil { break }
            if let first = dismissals.first, first <= message.at { break }
            if let timestamp, message.timestamp < timestamp { continue }
            timestamp = message.timestamp
            staleDate = message.staleDate
            score = message.score
            applied.append(index)
            if message.event == .end {
                endedAt = message.at
                let last = message.at.advanced(by: .seconds(4 * 3600))
                dismissedAt = max(message.at, min(message.dismissalDate ?? last, last))
            }
        }
        if endedAt == nil, lastActive <= now, dismissals.first.map({ $0 >= lastActive }) ?? true {
            endedAt = lastActive
            dismissedAt = lastActive.advanced(by: .seconds(4 * 3600))
        }
        if dismissedAt <= now || dismissals.contains(where: { $0 <= now }) { return (.dismissed, score, applied) }
        if endedAt != nil { return (.ended, score, applied) }
        return (staleDate.map { $0 <= now } ?? false ? .stale : .active, score, applied)
    }
}

@Suite("A model of Live Activities")
struct LiveActivityModelTests {
    @Test("an activity is what a naive one says, however often it is looked at", arguments: 0..<UInt64(400))
    func agrees(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let start = ScreenCase.begin
        var now = start
        var naive = NaiveActivity(startedAt: start)
        var activity = LiveActivity(
            number: 1, topic: "com.example.app.push-type.liveactivity", environment: .sandbox, attributesType: "A",
            attributes: [:], content: LiveActivity.Content(state: ["score": 0]), at: start)
        var applied: [Int] = []
        for step in 0..<Int.random(in: 1...20, using: &random) {
            now = now.advanced(by: .seconds(Int.random(in: 0...7200, using: &random)))
            // Looking in between changes nothing.
            if Bool.random(using: &random) { activity.settle(at: now) }
            func date(_ chance: Int, _ range: ClosedRange<Int>) -> Instant? {
                Int.random(in: 0..<chance, using: &random) == 0
                    ? now.advanced(by: .seconds(Int.random(in: range, using: &random))) : nil
            }
            if Int.random(in: 0..<12, using: &random) == 0 {
                activity.settle(at: now)
                if activity.isShown {
                    activity.dismiss(at: now)
                    naive.dismissals.append(now)
                }
            } else {
                let message = NaiveActivity.Message(
                    event: Int.random(in: 0..<6, using: &random) == 0 ? .end : .update, at: now,
                    timestamp: Instant(
                        seconds: now.advanced(by: .seconds(Int.random(in: -3600...60, using: &random)))
                            .milliseconds / 1000),
                    score: step + 1, staleDate: date(2, -60...9000), dismissalDate: date(2, -60...20_000))
                naive.messages.append(message)
                activity.settle(at: now)
                if activity.apply(try read(message), sequence: UInt64(step + 1), at: now) == nil {
                    applied.append(naive.messages.count - 1)
                }
            }
            activity.settle(at: now)
            let seen = naive.seen(at: now)
            #expect(activity.state == seen.state, "step \(step)")
            #expect(activity.contentState["score"]?.integer == Int64(seen.score), "step \(step)")
            #expect(applied == seen.applied, "step \(step)")
        }
    }

    private func read(_ message: NaiveActivity.Message) throws -> ActivityMessage {
        func seconds(_ time: Instant?) -> JSONValue? { time.map { .whole($0.milliseconds / 1000) } }
        let aps: [JSONMember] = .given(
            ("event", .string(message.event.rawValue)), ("timestamp", seconds(message.timestamp)),
            ("content-state", ["score": .whole(message.score)]), ("stale-date", seconds(message.staleDate)),
            ("dismissal-date", message.event == .end ? seconds(message.dismissalDate) : nil))
        return try ActivityMessage(["aps": .object(aps)], at: message.at)
    }
}
