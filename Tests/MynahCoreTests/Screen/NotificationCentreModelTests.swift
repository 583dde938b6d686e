import APNsRules
import Testing

@testable import MynahCore

/// A naive implementation of the screen: all events, replayed for each question.
private struct NaiveScreen {
    enum Event {
        case shown(DeliveredPush, Presentation)
        case removed(UInt64)
        case badge(String, Int64)
    }

    var events: [(at: Instant, order: Int, event: Event)] = []

    mutating func add(_ event: Event, at: Instant) { events.append((at, (events.last?.order ?? 0) + 1, event)) }

    /// A newer notification takes the place of one that waits for the summary.
    mutating func replaceHeld(by push: DeliveredPush) {
        events.removeAll { at, _, event in
            guard case .shown(let held, let presentation) = event, push.collapseID != nil else { return false }
            return at > push.deliveredAt && presentation.isInSummary
                && [held.topic, held.collapseID] == [push.topic, push.collapseID]
        }
    }

    /// The sequences, top first, and the badges.
    func state(at now: Instant) -> (sequences: [UInt64], badges: [String: Int64], sounds: [UInt64]) {
        var list: [(push: DeliveredPush, thread: String?)] = []
        var badges: [String: Int64] = [:]
        var sounds: [UInt64] = []
        let due = events.filter { $0.at <= now }.sorted { ($0.at, $0.order) < ($1.at, $1.order) }
        for (_, _, event) in due {
            switch event {
            case .removed(let sequence): list.removeAll { $0.push.sequence == sequence }
            case .badge(let topic, let count): badges[topic] = count == 0 ? nil : count
            case .shown(let push, let presentation):
                if presentation.content.sound != nil { sounds.append(push.sequence) }
                switch presentation.content.badge {
                case nil: break
                case _ where presentation.isInSummary: break
                case 0: badges[push.topic] = nil
                case let count?: badges[push.topic] = count
                }
                guard presentation.isShown else { continue }
                let old = list.firstIndex {
                    push.collapseID != nil && $0.push.topic == push.topic && $0.push.collapseID == push.collapseID
                }
                if let old, presentation.content.interruptionLevel == .passive {
                    list[old] = (push, presentation.content.threadID)
                } else {
                    if let old { list.remove(at: old) }
                    list.insert((push, presentation.content.threadID), at: 0)
                }
            }
        }
        var sequences: [UInt64] = []
        while let top = list.first {
            let group = list.filter { $0.push.topic == top.push.topic && $0.thread == top.thread }
            sequences += group.map(\.push.sequence)
            list.removeAll { $0.push.topic == top.push.topic && $0.thread == top.thread }
        }
        return (sequences, badges, sounds)
    }
}

@Suite("The screen compared with a naive implementation")
struct NotificationCentreModelTests {
    @Test("random pushes, actions and removals agree, and break no invariant", arguments: 0..<16)
    func agrees(round: UInt64) throws {
        let seed = 0x5C4E_0000 + round
        var random = SeededGenerator(seed: seed)
        var centre = NotificationCentre()
        var naive = NaiveScreen()
        var now = ScreenCase.begin
        var responses = 0
        for step in 1...200 {
            now = now.advanced(by: .seconds(Int.random(in: 0..<8, using: &random)))
            switch Int.random(in: 0..<11, using: &random) {
            case 0..<6:
                let (push, presentation) = try Self.push(UInt64(step), at: now, &random)
                let onReceive = centre.receive(presentation, of: push)
                if presentation.isShown { naive.replaceHeld(by: push) }
                if presentation.isInSummary, let badge = presentation.content.badge {
                    naive.add(.badge(push.topic, badge), at: now)
                }
                naive.add(.shown(push, presentation), at: presentation.shownAt)
                if case .awaited(let until) = onReceive { #expect(until > now, "seed \(seed)") }
            case 6:
                guard let sequence = naive.state(at: now).sequences.randomElement(using: &random) else { continue }
                let wasThere = centre.remove(sequence, at: now)
                #expect(wasThere, "seed \(seed), step \(step)")
                naive.add(.removed(sequence), at: now)
            case 7:
                guard let sequence = naive.state(at: now).sequences.randomElement(using: &random) else { continue }
                let action = ["default", "dismiss"][Int.random(in: 0..<2, using: &random)]
                let performed = try #require(try centre.perform(action, on: sequence, at: now))
                if performed.response != nil { responses += 1 }
                naive.add(.removed(sequence), at: now)
            case 8:
                let topic = Self.topics[Int.random(in: 0..<2, using: &random)]
                let mine = centre.notifications(at: now).filter { $0.push.topic == topic }
                let cleared = centre.remove(at: now, where: try ScreenFilter(parameters: [("topic", topic)]).holds)
                #expect(cleared == mine.count, "seed \(seed)")
                for notification in mine { naive.add(.removed(notification.push.sequence), at: now) }
            case 9:
                let topic = Self.topics[Int.random(in: 0..<2, using: &random)]
                let badge = Int64.random(in: 0..<3, using: &random)
                centre.setBadge(badge, of: topic, at: now)
                naive.add(.badge(topic, badge), at: now)
            default:
                let wasThere = centre.remove(100_000, at: now)
                #expect(!wasThere)
                let performed = try centre.perform("default", on: 100_000, at: now)
                #expect(performed == nil)
            }
            // Now and later: awaited notifications must appear at their time.
            for later in [now, now.advanced(by: .seconds(5)), now.advanced(by: .seconds(40))] {
                let expected = naive.state(at: later)
                let shown = centre.notifications(at: later)
                try #require(shown.map(\.push.sequence) == expected.sequences, "seed \(seed), step \(step)")
                try #require(centre.badges(at: later) == expected.badges, "seed \(seed), step \(step)")
                let sounds = centre.settled(at: later).sounds.map(\.sequence)
                try #require(sounds == expected.sounds, "seed \(seed), step \(step)")
                try #require(centre.brokenInvariants(at: later) == [], "seed \(seed), step \(step)")
                #expect(Set(centre.summary(at: later)).isSubset(of: Set(shown)), "seed \(seed), step \(step)")
            }
        }
        #expect(centre.responses.count == responses)
        #expect(centre.evicted == 0)
    }

    private static let topics = ["com.example.app", "com.example.other"]

    private static func push(
        _ sequence: UInt64, at now: Instant, _ random: inout SeededGenerator
    ) throws -> (DeliveredPush, Presentation) {
        func oneOf<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        var aps: [JSONMember] = []
        if Int.random(in: 0..<8, using: &random) > 0 { aps.append(JSONMember("alert", "hi")) }
        if let badge = oneOf([nil, 0, 1, 7] as [Int64?]) {
            aps.append(JSONMember("badge", .number(JSONNumber(badge))))
        }
        if let thread = oneOf([nil, "a", "b"]) { aps.append(JSONMember("thread-id", .string(thread))) }
        if let sound = oneOf([nil, "default"]) { aps.append(JSONMember("sound", .string(sound))) }
        aps.append(JSONMember("interruption-level", .string(oneOf(["passive", "active", "time-sensitive"]))))
        aps.append(JSONMember("mutable-content", oneOf([0, 1])))
        var app = AppPresentation()
        app.serviceExtension = ServiceExtension(takes: .seconds(oneOf([0, 3, 12, 31])))
        let push = DeliveredPush(
            sequence: sequence, notificationID: NotificationID(generated: UInt128(sequence)), topic: oneOf(topics),
            collapseID: oneOf([nil, "x", "y"]), deliveredAt: now)
        var settings = ScreenSettings()
        settings.summary = try SummarySchedule(
            json: ["times": ["09:32", "09:35", "09:40"], "apps": [.string(topics[0])]], at: "")
        let presentation = Presentation(
            of: ["aps": .object(aps)], push: push, app: app, locale: "en", settings: settings)
        return (push, presentation)
    }
}
