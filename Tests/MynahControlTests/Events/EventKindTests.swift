import APNsRules
import MynahCore
import Synchronization
import Testing

@testable import Mynah
@testable import MynahControl

/// The kinds of events of `GET /v1/events`, and their filters.
@Suite("Kinds of events")
struct EventKindTests {
    private static let path = "/v1/events"

    @Test("a reader with a scope gets only the scope's events")
    func scope() async throws {
        try await Box.withPushes { box in
            let reader = try await EventReader.open(box.http, Self.path + "?scope=t42")
            let other = try await box.device("other")
            let token = try await box.device("own", #","scope":"t42""#)
            try await box.send(to: other)
            try await box.send(to: token)
            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"1h"}"#)
            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"2h","scope":"t42"}"#)
            // Read before the scope is removed.
            var events = try await reader.next(3)
            _ = try await box.json("DELETE", "/v1/scopes/t42")
            events += try await reader.next(1)
            #expect(events.map(\.name) == ["device", "notification", "clock", "reset"])
            #expect(try events.map { try $0.json()["scope"] } == ["t42", "t42", "t42", "t42"])
            #expect(try events.last?.json()["removed"]?["devices"] == 1)
            try await reader.close()
        }
    }

    @Test("kinds can be selected and excluded")
    func kinds() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a", online: false)
            try await box.send(to: token)
            _ = try await box.json("PATCH", "/v1/devices/a", #"{"online":true}"#)
            _ = try await box.json("POST", "/v1/reset", #"{"only":["keys"]}"#)
            func names(_ query: String, _ count: Int) async throws -> [String] {
                let reader = try await EventReader.open(box.http, Self.path + query)
                let names = try await reader.next(count).map(\.name)
                try await reader.close()
                return names
            }
            #expect(try await names("?after=0&event=outcome&event=reset", 2) == ["outcome", "reset"])
            #expect(try await names("?after=0&event=notification", 1) == ["notification"])
            #expect(
                try await names("?after=0&!event=connection&!event=device", 3) == ["notification", "outcome", "reset"])
            // A push is filtered by its state at that time.
            #expect(try await names("?after=0&outcome=delivered&event=outcome", 1) == ["outcome"])
        }
    }

    @Test(
        "an activity whose state time changes is an event as of the time at which it was due, whoever looked meanwhile")
    func activities() async throws {
        var streams: [[JSONValue]] = []
        for looks in [false, true] {
            try await Box.withPushes { box in
                try await box.freeze()
                _ = try await box.json(
                    "POST", "/v1/devices",
                    #"{"id":"kim","count":2,"registrations":[{"topic":"com.example.app"}]}"#, status: 201)
                for (device, staleDate) in [(2, "12:30"), (1, "13:00")] {
                    _ = try await box.json(
                        "POST", "/v1/devices/kim-0000\(device)/activities",
                        #"{"topic":"com.example.app.push-type.liveactivity","attributesType":"Game","#
                            + #""staleDate":"2026-11-21T\#(staleDate):00Z"}"#, status: 201)
                }
                let query = "\(Self.path)?event=activity&after=0"
                if looks {
                    _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"90m"}"#)
                    _ = try await box.json("GET", "/v1/devices/kim-00001/screen")
                }
                _ = try await box.json("POST", "/v1/clock/advance", #"{"to":"2026-11-22T00:00:00Z"}"#)
                let reader = try await EventReader.open(box.http, query)
                let events = try await reader.next(6)
                #expect(events.allSatisfy { $0.name == "activity" })
                streams.append(try events.map { try $0.json() })
                try await reader.close()
                let filters = "since=2026-11-22T00:00:00Z&device=kim-00001&!channel=x"
                let late = try await EventReader.open(box.http, "\(query)&\(filters)")
                #expect(try await late.next(1).first?.json()["at"] == streams.last?[4]["at"])
                try await late.close()
            }
        }
        let stream = try #require(streams.first)
        let told = stream.map { event in
            [event["device"], event["activity"]?["state"], event["at"]].map { $0?.string ?? "" }.joined(separator: " ")
        }
        #expect(
            told == [
                "kim-00002 stale 2026-11-21T12:30:00.000Z", "kim-00001 stale 2026-11-21T13:00:00.000Z",
                "kim-00001 ended 2026-11-21T20:00:00.000Z", "kim-00002 ended 2026-11-21T20:00:00.000Z",
                "kim-00001 dismissed 2026-11-22T00:00:00.000Z", "kim-00002 dismissed 2026-11-22T00:00:00.000Z",
            ])
        #expect(stream.allSatisfy { $0["scope"] == .null && $0["activity"]?["history"] == nil })
        #expect(streams.last == stream)
    }

    @Test("a device is an event when it is created, changed and removed, with its apps")
    func devices() async throws {
        try await Box.with { box in
            let reader = try await EventReader.open(box.http, Self.path + "?event=device")
            try await box.device("a")
            _ = try await box.json(
                "POST", "/v1/devices/a/registrations", #"{"topic":"com.example.second"}"#, status: 201)
            _ = try await box.json("PUT", "/v1/devices/a", #"{"name":"Kim"}"#)
            _ = try await box.http.call("DELETE", "/v1/devices/a")
            _ = try await box.json("POST", "/v1/devices", #"{"id":"fleet","count":3}"#, status: 201)
            _ = try await box.http.call("DELETE", "/v1/devices?device=fleet-00002")
            let events = try await reader.next(8).map { try $0.json() }
            #expect(
                events.map { $0["change"] } == [
                    "created", "changed", "changed", "removed", "created", "created", "created", "removed",
                ])
            #expect(events.map { $0["id"] }.suffix(2) == ["fleet-00003", "fleet-00002"])
            #expect(events[1]["registrations"]?.array?.count == 2)
            #expect(events[2]["name"] == "Kim")
            #expect(events[3]["name"] == "Kim")
            try await reader.close()
        }
    }

    @Test("a channel is an event when it is created and deleted, and all of them are one reset")
    func channels() async throws {
        try await Box.with { box in
            let reader = try await EventReader.open(box.http, Self.path)
            let made = try await box.json(
                "POST", "/v1/channels", #"{"bundleId":"com.example.app","id":"tvI2UK0vEfEAAA6GFnjo2Q=="}"#, status: 201)
            _ = try await box.json("DELETE", "/v1/channels/tvI2UK0vEfEAAA6GFnjo2Q%3D%3D")
            _ = try await box.json("POST", "/v1/channels", #"{"bundleId":"com.example.app"}"#, status: 201)
            _ = try await box.json("DELETE", "/v1/channels")
            let events = try await reader.next(4)
            #expect(events.map(\.name) == ["channel", "channel", "channel", "reset"])
            #expect(try events.prefix(3).map { try $0.json()["change"] } == ["created", "removed", "created"])
            let members = try #require(made.object)
            #expect(try events[0].json() == .object(members + [JSONMember("change", "created")]))
            #expect(try events[3].json() == ["removed": ["channels": 1], "only": ["channels"], "scope": nil])
            try await reader.close()
        }
    }

    @Test("a change of a clock is an event before those that it causes")
    func clock() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let token = try await box.device("a", online: false)
            let expiration = try #require(Instant(rfc3339: Box.noon)).milliseconds / 1000 + 60
            try await box.send(to: token, headers: [("apns-expiration", "\(expiration)")])
            let reader = try await EventReader.open(box.http, Self.path + "?event=clock&event=outcome")
            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"1h"}"#)
            let events = try await reader.next(2)
            #expect(events.map(\.name) == ["clock", "outcome"])
            #expect(
                try events[0].json() == ["mode": "frozen", "now": "2026-11-21T13:00:00.000Z", "scope": nil])
            #expect(try events[1].json()["outcome"] == "expired")
            try await reader.close()
        }
    }

    @Test("a reset is one event with what it removed")
    func reset() async throws {
        try await Box.with { box in
            try await box.device("a")
            box.push()
            let reader = try await EventReader.open(box.http, Self.path)
            _ = try await box.json("POST", "/v1/reset", #"{"only":["devices","notifications"]}"#)
            let events = try await reader.next(1)
            #expect(events.map(\.name) == ["reset"])
            let data = try events[0].json()
            #expect(data["only"] == ["notifications", "devices"])
            #expect(data["removed"]?["notifications"] == 1 && data["removed"]?["devices"] == 1)
            try await reader.close()
        }
    }

    @Test("a removal of pushes is one reset event, and one that removes nothing is no event")
    func removedPushes() async throws {
        try await Box.with { box in
            for _ in 1...3 { box.push() }
            let reader = try await EventReader.open(box.http, Self.path)
            _ = try await box.json("DELETE", "/v1/notifications?status=410")
            _ = try await box.json("DELETE", "/v1/notifications?status=200")
            let reset = try #require(try await reader.next(1).first)
            #expect(reset.name == "reset")
            #expect(try reset.json() == ["removed": ["notifications": 3], "only": ["notifications"], "scope": nil])
            try await reader.close()
        }
    }

    @Test("a rule's firings are events at once, and a flood of them a few, with the final count")
    func firings() async throws {
        try await Box.with { box in
            let reader = try await EventReader.open(box.http, Self.path + "?event=fault&fault=f-1")
            let fired = Counter()
            let begin = ContinuousClock.now
            for _ in 0..<1000 {
                fired.raise()
                box.server.events.recordFiring(of: "f-1") {
                    ["id": "f-1", "scope": nil, "fired": .number(JSONNumber(fired.value))]
                }
            }
            var counts: [Int64] = []
            try await reader.read { event in
                guard event.name == "fault" else { return false }
                #expect(try event.json()["change"] == "fired")
                counts.append(try #require(try event.json()["fired"]?.integer))
                return counts.last == 1000
            }
            #expect(counts.first == 1)
            // One at once, one an interval later, and on a slow machine one for each further interval.
            #expect(counts.count < max(100, 2 + Int((ContinuousClock.now - begin) / EventLog.firingInterval)))
            try await reader.close()
        }
    }

    @Test("evicted pushes and events are a gap with their numbers")
    func gap() async throws {
        try await Box.with { server, _ in
            server.retain = 2
        } _: { box in
            for _ in 1...5 { box.push() }
            let reader = try await EventReader.open(box.http, Self.path + "?after=1&topic=com.example.app")
            let events = try await reader.next(3)
            #expect(events.map(\.name) == ["gap", "notification", "notification"])
            #expect(try events[0].json() == ["from": 2, "to": 3])
            #expect(events[0].id == nil)
            #expect(events[1].id == "4")
            try await reader.close()
            // A reader without pushes has no gap.
            let outcomes = try await EventReader.open(box.http, Self.path + "?after=1&event=device")
            try await box.device("a")
            #expect(try await outcomes.next(1).map(\.name) == ["device"])
            try await outcomes.close()
        }
    }

    @Test("a server that keeps no pushes reports a gap")
    func retainsNothing() async throws {
        try await Box.with { server, _ in
            server.retain = 0
        } _: { box in
            let reader = try await EventReader.open(box.http, Self.path)
            box.push()
            let events = try await reader.next(1)
            #expect(events.map(\.name) == ["gap"])
            #expect(try events[0].json() == ["from": 1, "to": 1])
            try await reader.close()
        }
    }
}

/// A number that a closure may read while a test raises it.
private final class Counter: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func raise() { number.withLock { $0 += 1 } }
}
