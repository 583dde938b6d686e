import APNsRules
import Testing

@testable import MynahCore

@Suite("One device's screen")
struct NotificationCentreTests {
    static let now = ScreenCase.begin

    static func push(
        _ sequence: UInt64, topic: String = ScreenCase.topic, collapseID: String? = nil, at: Instant = now
    ) -> DeliveredPush {
        DeliveredPush(
            sequence: sequence, notificationID: NotificationID(generated: UInt128(sequence)), topic: topic,
            collapseID: collapseID, deliveredAt: at)
    }

    static func receive(
        _ aps: JSONValue, _ push: DeliveredPush, app: AppPresentation = AppPresentation(),
        in centre: inout NotificationCentre
    ) -> NotificationCentre.OnReceive {
        centre.receive(Presentation(of: ["aps": aps], push: push, app: app, locale: "en"), of: push)
    }

    @Test("an empty screen is small")
    func emptyScreenIsSmall() {
        #expect(MemoryLayout<NotificationCentre>.size <= 56)
        #expect(NotificationCentre().isEmpty)
    }

    @Test("a screen prints exactly the keys of its contract")
    func keys() throws {
        var centre = NotificationCentre()
        let onReceive = Self.receive(["alert": "hi", "badge": 2, "sound": "default"], Self.push(1), in: &centre)
        #expect(onReceive == .shown)
        let json = ScreenView(centre, at: Self.now).json
        #expect(
            json.object?.map(\.name) == [
                "at", "badges", "notifications", "groups", "summary", "held", "activities", "wakes", "responses",
                "sounds", "evicted",
            ])
        #expect(json["at"] == "2026-11-21T09:30:00.000Z")
        let notification = try #require(json["notifications"]?.array?.first)
        #expect(
            notification.object?.map(\.name) == [
                "sequence", "apnsId", "identifier", "topic", "title", "subtitle", "body", "previewHidden", "sound",
                "threadId", "category", "actions", "actionTitle", "interruptionLevel", "relevanceScore", "collapseId",
                "mutableContent", "shownAt", "updatedAt", "group", "banner", "alertStyle", "lockScreen",
                "notificationCenter", "onWatch", "sender", "attachments", "details", "warnings",
            ])
        #expect(notification["apnsId"] == "00000000-0000-0000-0000-000000000001")
        #expect(notification["sound"]?.object?.map(\.name) == ["name", "critical", "volume"])
    }

    @Test("removing everything leaves an empty screen")
    func emptyAgain() {
        var centre = NotificationCentre()
        _ = Self.receive(["alert": "hi", "badge": 1], Self.push(1), in: &centre)
        #expect(!centre.isEmpty)
        let first = centre.remove(1, at: Self.now)
        let second = centre.remove(1, at: Self.now)
        #expect(first && !second)
        #expect(!centre.isEmpty)
        _ = Self.receive(["badge": 0], Self.push(2), in: &centre)
        #expect(centre.isEmpty)
    }

    @Test("a deleted app leaves nothing on the screen")
    func uninstall() {
        var app = AppPresentation()
        app.serviceExtension = ServiceExtension(takes: .seconds(10))
        var centre = NotificationCentre()
        _ = Self.receive(["alert": "a", "badge": 1], Self.push(1), in: &centre)
        _ = Self.receive(["alert": "b", "mutable-content": 1], Self.push(2), app: app, in: &centre)
        centre.uninstall(ScreenCase.topic)
        #expect(centre.isEmpty)
        #expect(centre.notifications(at: Self.now.advanced(by: .seconds(60))).isEmpty)
    }

    @Test("reading does not change what is read later")
    func readingIsRepeatable() {
        var app = AppPresentation()
        app.serviceExtension = ServiceExtension(takes: .seconds(10))
        var centre = NotificationCentre()
        let onReceive = Self.receive(
            ["alert": "a", "badge": 1, "mutable-content": 1], Self.push(1), app: app, in: &centre)
        #expect(onReceive == .awaited(until: Self.now.advanced(by: .seconds(10))))
        let before = centre
        for seconds in [0, 9, 10, 60, 9, 0] {
            let now = Self.now.advanced(by: .seconds(seconds))
            #expect(centre.notifications(at: now).count == (seconds >= 10 ? 1 : 0))
            #expect(centre.badges(at: now) == (seconds >= 10 ? [ScreenCase.topic: 1] : [:]))
            #expect(centre.notifications(at: now).contains { $0.push.sequence == 1 } == (seconds >= 10))
        }
        #expect(centre == before)
    }

    @Test("beyond its bound an app's oldest notification is dropped and counted")
    func bound() {
        var centre = NotificationCentre()
        let max = NotificationCentre.notificationsPerAppMax
        _ = Self.receive(["alert": "x"], Self.push(9999, topic: "com.example.other"), in: &centre)
        for sequence in 1...UInt64(max) + 3 { _ = Self.receive(["alert": "x"], Self.push(sequence), in: &centre) }
        let mine = centre.notifications(at: Self.now).filter { $0.push.topic == ScreenCase.topic }
        #expect(mine.count == max)
        #expect(mine.last?.push.sequence == 4)
        #expect(centre.evicted == 3)
        #expect(centre.notifications(at: Self.now).contains { $0.push.sequence == 9999 })
        #expect(centre.brokenInvariants(at: Self.now) == [])
    }

    @Test("awaited notifications count towards the bound")
    func boundOfAwaited() {
        var app = AppPresentation()
        app.serviceExtension = ServiceExtension(takes: .seconds(10))
        var centre = NotificationCentre()
        let max = NotificationCentre.notificationsPerAppMax
        for sequence in 1...UInt64(max) + 3 {
            _ = Self.receive(["alert": "x", "mutable-content": 1], Self.push(sequence), app: app, in: &centre)
        }
        #expect(centre.evicted == 3)
        #expect(centre.notifications(at: Self.now.advanced(by: .seconds(10))).count == max)
    }

    @Test("responses are bounded, and counted")
    func responsesAreBounded() throws {
        var centre = NotificationCentre()
        for sequence in 1...UInt64(NotificationCentre.responsesMax) + 2 {
            _ = Self.receive(["alert": "x"], Self.push(sequence), in: &centre)
            _ = try centre.perform("default", on: sequence, at: Self.now)
        }
        #expect(centre.responses.count == NotificationCentre.responsesMax)
        #expect(centre.responses.first?.sequence == 3)
        #expect(centre.evicted == 2)
    }

    @Test("Apple's identifiers name the two actions of the system as well")
    func applesIdentifiers() throws {
        for (action, opensApp) in [
            ("com.apple.UNNotificationDefaultActionIdentifier", true),
            ("com.apple.UNNotificationDismissActionIdentifier", false),
        ] {
            var centre = NotificationCentre()
            _ = Self.receive(["alert": "x"], Self.push(1), in: &centre)
            let performed = try #require(try centre.perform(action, on: 1, at: Self.now))
            #expect(performed.opensApp == opensApp)
            #expect(performed.topic == ScreenCase.topic)
        }
    }
}
