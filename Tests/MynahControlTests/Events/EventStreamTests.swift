import APNsRules
import MynahCore
import Testing

@testable import Mynah
@testable import MynahControl

/// `GET /v1/events`.
@Suite("Stream of events")
struct EventStreamTests {
    private static let path = "/v1/events"

    @Test("a reader gets new pushes, outcomes, devices and connections in order")
    func everything() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a")
            let reader = try await EventReader.open(box.http, Self.path)
            #expect(reader.status == 200)
            #expect(reader.contentType == "text/event-stream")
            _ = try await box.json("PATCH", "/v1/devices/a", #"{"online":false}"#)
            try await box.send(to: token)
            // Read before the push changes: the event has its state at the time of writing.
            var events: [EventReader.Event] = []
            while !events.contains(where: { $0.name == "notification" }) {
                let next = try await reader.next(1)
                try #require(!next.isEmpty)
                events += next
            }
            _ = try await box.json("PATCH", "/v1/devices/a", #"{"online":true}"#)
            events += try await reader.next(6 - events.count)
            let ids = try events.map { try #require($0.id.flatMap { UInt64($0) }) }
            #expect(ids == ids.sorted() && Set(ids).count == 6)
            // The end of the provider's connection may come at any time.
            let connections = events.filter { $0.name == "connection" }
            #expect(try connections.map { try $0.json()["change"] } == ["opened", "closed"])
            #expect(try connections.last?.json()["pushes"] == 1)
            #expect(try connections.last?.json()["bytesIn"]?.integer ?? 0 > 0)
            events.removeAll { $0.name == "connection" }
            #expect(events.map(\.name) == ["device", "notification", "outcome", "device"])
            #expect(try events[0].json()["online"] == false)
            #expect(try events[0].json()["change"] == "changed")
            let push = try events[1].json()
            #expect(push["sequence"]?.integer.map(String.init) == events[1].id)
            #expect(push["device"] == "a" && push["outcome"] == "stored")
            let later = try events[2].json()
            #expect(later["sequence"] == push["sequence"])
            #expect(later["outcome"] == "delivered" && later["shown"] == true)
            #expect(
                later["timeline"]?.array?.compactMap { $0["event"] }
                    == ["received", "stored", "delivered", "shown"])
            #expect(try events[3].json()["online"] == true)
            try await reader.close()
        }
    }

    @Test(
        "a returning reader continues without loss or duplicates",
        arguments: ["Last-Event-ID", "after", "both"])
    func resumes(by form: String) async throws {
        try await Box.with { box in
            for number in 1...3 { box.push(token: number) }
            let first = try await EventReader.open(box.http, Self.path + "?after=0")
            let seen = try #require(try await first.next(2).last?.id)
            try await first.close()
            for number in 4...6 { box.push(token: number) }
            let target = Self.path + (form == "after" ? "?after=\(seen)" : form == "both" ? "?after=0" : "")
            let headers = form == "after" ? [] : [("Last-Event-ID", seen)]
            let second = try await EventReader.open(box.http, target, headers: headers)
            #expect(try await second.next(4).map(\.id) == ["3", "4", "5", "6"])
            try await second.close()
        }
    }

    @Test("many pieces of pushes and other events are complete and in order")
    func manyPieces() async throws {
        try await Box.with { box in
            for number in 1...1000 {
                box.push(token: number)
                if number % 3 == 0 { box.server.events.record(.fault(["id": "f-1"], .changed)) }
            }
            let reader = try await EventReader.open(box.http, Self.path + "?after=0")
            let ids = try await reader.next(1333).compactMap { $0.id.flatMap { UInt64($0) } }
            #expect(ids == Array(1...1333))
            try await reader.close()
        }
    }

    @Test(
        "the first comment and later ones have an ID to resume from")
    func heartbeat() async throws {
        try await Box.with { _, control in
            control.streamLimits.heartbeat = .milliseconds(20)
        } _: { box in
            for _ in 1...5 { box.push() }
            let reader = try await EventReader.open(box.http, Self.path + "?topic=com.example.other")
            var ids: [String?] = []
            try await reader.read { event in
                #expect(event.name.isEmpty && event.data.isEmpty)
                ids.append(event.id)
                if ids.count == 1 { box.push() }
                return ids.last == "6"
            }
            #expect(ids.first == "5")
            try await reader.close()
        }
    }

    @Test("a number that was never issued belongs to an earlier server, so the reader gets everything")
    func fromAnotherLife() async throws {
        try await Box.with { box in
            box.push()
            let reader = try await EventReader.open(box.http, Self.path, headers: [("Last-Event-ID", "4711")])
            #expect(try await reader.next(1).map(\.id) == ["1"])
            try await reader.close()
        }
    }

    @Test("the stream needs the token like every call, in a field that fetch can send")
    func token() async throws {
        try await Box.with { _, control in
            control.token = "secret"
        } _: { box in
            try expectProblem(try await box.http.call("GET", Self.path), 401, field: "Authorization")
            box.push()
            let reader = try await EventReader.open(
                box.http, Self.path + "?after=0",
                headers: [("Authorization", "Bearer secret")])
            #expect(try await reader.next(1).map(\.name) == ["notification"])
            try await reader.close()
        }
    }

    @Test("watching changes nothing and uses no sequence numbers")
    func changesNothing() async throws {
        var lasts: [UInt64] = []
        for count in [0, 3] {
            try await Box.withPushes { box in
                var readers: [EventReader] = []
                for _ in 0..<count { readers.append(try await EventReader.open(box.http, Self.path + "?after=0")) }
                let token = try await box.device("a", online: false)
                box.server.events.record(.fault(["id": "f-1"], .created))
                _ = try await box.json("PATCH", "/v1/devices/a", #"{"online":true}"#)
                _ = token
                box.push()
                lasts.append(await box.server.journal.settled())
                #expect(try await box.json("GET", "/v1/devices/a")["online"] == true)
                for reader in readers { try await reader.close() }
            }
        }
        #expect(lasts[0] == lasts[1])
    }

    @Test("the stream ends with the server, after all earlier events")
    func ends() async throws {
        try await Box.with { box in
            let reader = try await EventReader.open(box.http, Self.path)
            box.push()
            #expect(try await reader.next(1).map(\.id) == ["1"])
            await box.control.shutDown()
            #expect(try await reader.next(1).isEmpty)
        }
    }

    @Test("fifty readers get each event once")
    func fifty() async throws {
        try await Box.with { box in
            try await withThrowingTaskGroup(of: EventReader.self) { group in
                for _ in 0..<50 { group.addTask { try await EventReader.open(box.http, Self.path) } }
                var readers: [EventReader] = []
                for try await reader in group { readers.append(reader) }
                for _ in 0..<20 { box.push() }
                for reader in readers {
                    #expect(try await reader.next(20).map(\.id) == (1...20).map { "\($0)" })
                    try await reader.close()
                }
            }
        }
    }

    @Test(
        "an invalid call is a problem and no stream",
        arguments: [
            ("?event=push", "", "event", "notification"), ("?event=gap", "", "event", "can't be chosen"),
            ("?!event=notifications", "", "!event", "notification"), ("?after=x", "", "after", "whole number"),
            ("?tpic=x", "", "tpic", "topic"), ("?outcome=late", "", "outcome", "late"), ("", "x", "Last-Event-ID", "x"),
        ])
    func wrong(query: String, lastEventID: String, field: String, word: String) async throws {
        try await Box.with { box in
            let headers = lastEventID.isEmpty ? [] : [("Last-Event-ID", lastEventID)]
            let answer = try await box.http.call("GET", Self.path + query, headers: headers)
            try expectProblem(answer, 400, field: field, mentions: word)
        }
    }
}
