import APNsRules
import Logging
import MynahCore
import MynahTestSupport
import NIOCore
import Testing

@testable import Mynah
@testable import MynahControl

/// `GET /v1/devices/{id}/stream`.
@Suite("Stream of a device")
struct DeviceStreamTests {
    private static let path = "/v1/devices/a/stream"

    @Test("a reader gets new arrivals as in the inbox")
    func watches() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a")
            try await box.send(to: token)
            let reader = try await EventReader.open(box.http, Self.path)
            #expect(reader.status == 200)
            #expect(reader.contentType == "text/event-stream")
            try await box.send(to: token, "{\n \"aps\": {\"alert\": \"two\"}\r\n}")
            try await box.send(to: token)
            let events = try await reader.next(2)
            #expect(events.map(\.name) == ["notification", "notification"])
            #expect(box.ordinals(events) == [2, 3])
            let items = try #require(try await box.json("GET", "/v1/devices/a/inbox")["items"]?.array)
            #expect(try events.map { try $0.json() } == Array(items[1...]))
            try await reader.close()
        }
    }

    @Test("watching changes nothing; connecting brings the device online, and stored pushes arrive first")
    func connects() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a", online: false)
            try await box.send(to: token)
            let watcher = try await EventReader.open(box.http, Self.path)
            #expect(try await box.json("GET", "/v1/devices/a")["online"] == false)

            let reader = try await EventReader.open(box.http, Self.path + "?connect=true")
            // Its answer has begun, so it is connected.
            #expect(try await box.json("GET", "/v1/devices/a")["online"] == true)
            #expect(try await box.notification(1)["outcome"] == "delivered")
            try await box.send(to: token)
            #expect(box.ordinals(try await reader.next(2)) == [1, 2])
            #expect(box.ordinals(try await watcher.next(2)) == [1, 2])
            try await watcher.close()
            try await reader.close()
        }
    }

    @Test("the device goes offline when its last connected reader leaves")
    func lastOneOut() async throws {
        try await Box.withPushes(logLevel: .debug) { box in
            let token = try await box.device("a")
            let first = try await EventReader.open(box.http, Self.path + "?connect=true")
            let second = try await EventReader.open(box.http, Self.path + "?connect=true")
            try await first.close()
            await box.log.wait(for: "reader of a stream left")
            #expect(try await box.json("GET", "/v1/devices/a")["online"] == true)
            try await second.close()
            await box.log.wait(for: "reader of a stream left")
            #expect(try await box.json("GET", "/v1/devices/a")["online"] == false)
            try await box.send(to: token)
            #expect(try await box.notification(1)["outcome"] == "stored")
        }
    }

    @Test(
        "a returning reader continues after its last event",
        arguments: [("Last-Event-ID", ""), ("", "?lastEventId=")])
    func resumes(header: String, query: String) async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a")
            for _ in 1...3 { try await box.send(to: token) }
            let second = "\(try #require(box.sent[2]))"
            let headers = header.isEmpty ? [] : [(header, second)]
            let reader = try await EventReader.open(
                box.http, Self.path + (query.isEmpty ? "" : query + second), headers: headers)
            try await box.send(to: token)
            #expect(box.ordinals(try await reader.next(2)) == [3, 4])
            try await reader.close()
            let whole = try await EventReader.open(box.http, Self.path + "?lastEventId=0")
            #expect(box.ordinals(try await whole.next(4)) == [1, 2, 3, 4])
            try await whole.close()
        }
    }

    @Test("evicted arrivals are a gap with their numbers")
    func gap() async throws {
        try await Box.withPushes { server, _ in
            server.retain = 1
        } _: { box in
            let token = try await box.device("a")
            for _ in 1...3 { try await box.send(to: token) }
            let first = try #require(box.sent[1])
            let second = try #require(box.sent[2])
            let reader = try await EventReader.open(box.http, Self.path + "?lastEventId=\(first)")
            let events = try await reader.next(2)
            #expect(events.map(\.name) == ["gap", "notification"])
            let number = JSONValue.number(JSONNumber(second))
            #expect(try events[0].json() == ["from": number, "to": number, "count": 1])
            #expect(box.ordinals([events[1]]) == [3])
            try await reader.close()
        }
    }

    @Test("a returning reader gets a gap first if its arrivals are lost")
    func lostPlace() async throws {
        try await Box.with { box in
            let items = (UInt64(8)...9).map {
                DeviceInbox.Item(sequence: $0, deliveredAt: Instant(milliseconds: 0), entry: nil)
            }
            let inbox = DeviceInbox(items: items, dropped: 5)
            var stream = DeviceStream(box.server, of: "a", from: inbox, lastEventID: 3, limits: StreamLimits())
            var written: [UInt8] = []
            try await stream.writeArrivals(of: inbox) { written += $0 }
            let text = String(decoding: written, as: UTF8.self)
            #expect(text.hasPrefix("event: gap\ndata: {\"from\":4,\"to\":7,\"count\":5}\n\n"))
            written = []
            try await stream.writeArrivals(of: inbox) { written += $0 }
            #expect(written.isEmpty)
            // The device was replaced in the meantime.
            let again = DeviceInbox(items: Array(items.prefix(1)), dropped: 0)
            try await stream.writeArrivals(of: again) { written += $0 }
            #expect(String(decoding: written, as: UTF8.self).contains("id: 8"))
        }
    }

    @Test("a silent stream has a comment at its beginning, and then periodically")
    func heartbeat() async throws {
        try await Box.with { _, control in
            control.streamLimits.heartbeat = .milliseconds(20)
        } _: { box in
            try await box.device("a")
            let reader = try await EventReader.open(box.http, Self.path)
            var count = 0
            try await reader.read { event in
                #expect(event == EventReader.Event())
                count += 1
                return count == 3
            }
            #expect(count == 3)
            try await reader.close()
        }
    }

    @Test("the stream ends when its device is removed, and with the server", arguments: ["device", "server"])
    func ends(what: String) async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a")
            let reader = try await EventReader.open(box.http, Self.path + "?connect=true")
            try await box.send(to: token)
            #expect(box.ordinals(try await reader.next(1)) == [1])
            if what == "device" {
                _ = try await box.json("DELETE", "/v1/devices/a")
            } else {
                await box.control.shutDown()
            }
            #expect(try await reader.next(1).isEmpty)
        }
    }

    @Test("hundreds of readers each get every arrival, and the device goes offline after them")
    func hundreds() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a")
            try await withThrowingTaskGroup(of: EventReader.self) { group in
                for _ in 0..<300 {
                    group.addTask { try await EventReader.open(box.http, Self.path + "?connect=true") }
                }
                var readers: [EventReader] = []
                for try await reader in group { readers.append(reader) }
                for _ in 0..<5 { try await box.send(to: token) }
                for reader in readers { #expect(box.ordinals(try await reader.next(5)) == [1, 2, 3, 4, 5]) }
                for reader in readers { try await reader.close() }
            }
            // The server has noticed the last one when it stores a push.
            let list = try await box.json("GET", "/v1/devices/a/inbox?wait=60s&count=5")
            #expect(list["matched"] == 5)
        }
    }

    @Test(
        "an invalid call is a problem and no stream",
        arguments: [
            ("/v1/devices/b/stream", "", 404, "id"), ("/v1/devices/a/stream?connect=yes", "", 400, "connect"),
            ("/v1/devices/a/stream?conect=true", "", 400, "conect"),
            ("/v1/devices/a/stream?lastEventId=x", "", 400, "lastEventId"),
            ("/v1/devices/a/stream", "x", 400, "Last-Event-ID"),
        ])
    func wrong(target: String, lastEventID: String, status: Int, field: String?) async throws {
        try await Box.with { box in
            try await box.device("a")
            let headers = lastEventID.isEmpty ? [] : [("Last-Event-ID", lastEventID)]
            try expectProblem(await box.http.call("GET", target, headers: headers), status, field: field)
        }
    }
}
