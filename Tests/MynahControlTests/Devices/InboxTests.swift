import APNsRules
import Logging
import MynahCore
import MynahTestSupport
import Testing

@testable import Mynah
@testable import MynahControl

/// `GET /v1/devices/{id}/inbox`.
@Suite("Inbox")
struct InboxTests {
    private static let path = "/v1/devices/a/inbox"

    @Test("an accepted push has arrived before the provider gets its answer")
    func arrived() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let token = try await box.device("a")
            #expect(try await box.send(to: token, #"{"aps":{"alert":"hi"},"acme":["a",1,true,null]}"#) == 200)
            let list = try await box.json("GET", Self.path)
            let item = try #require(list["items"]?.array?.first)
            let names = item.object?.map(\.name)
            #expect(
                names == [
                    "sequence", "apnsId", "topic", "pushType", "kind", "payload", "payloadBase64", "deliveredAt",
                    "evicted",
                ])
            #expect(box.ordinals([item]) == [1])
            #expect(item["topic"] == "com.example.app")
            #expect(item["kind"] == "alert")
            #expect(item["payload"] == ["aps": ["alert": "hi"], "acme": ["a", 1, true, .null]])
            #expect(item["payloadBase64"] == .null)
            #expect(item["deliveredAt"]?.string == Box.noon)
            #expect(item["evicted"] == false)
            #expect(item["apnsId"] == (try await box.notification(1)["apnsId"]))
            #expect(list["matched"] == 1)
            #expect(list["lastSequence"] == item["sequence"])
        }
    }

    @Test("a body that is not JSON is in the item as it is in the push")
    func otherBody() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a")
            try await box.send(to: token, "no JSON")
            let item = try #require(try await box.json("GET", Self.path)["items"]?.array?.first)
            #expect(item["payload"] == .null)
            #expect(item["payloadBase64"]?.string == Base64.encode("no JSON".utf8))
            #expect(item["payloadBase64"] == (try await box.notification(1)["payloadBase64"]))
        }
    }

    @Test("stored pushes arrive when the device comes online, and after follows the order of arrival")
    func stored() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a", online: false)
            let other = try await box.json(
                "POST", "/v1/devices/a/registrations", #"{"topic":"com.example.other","token":"\#(token.reversed)"}"#,
                status: 201)
            try await box.send(to: token)
            #expect(try await box.notification(1)["outcome"] == "stored")
            #expect(try await box.ordinals(Self.path).isEmpty)
            _ = try await box.json("PATCH", "/v1/devices/a", #"{"online":true}"#)
            #expect(try await box.ordinals(Self.path) == [1])
            #expect(try await box.notification(1)["outcome"] == "delivered")

            // A push that low power defers arrives after a younger one.
            _ = try await box.json("PATCH", "/v1/devices/a", #"{"power":"low"}"#)
            try await box.send(to: token, headers: [("apns-priority", "5")])
            try await box.send(to: try #require(other["token"]?.string), topic: "com.example.other")
            let last = try #require(try await box.json("GET", Self.path)["lastSequence"]?.integer)
            #expect(last == Int64(try #require(box.sent[3])))
            _ = try await box.json("PATCH", "/v1/devices/a", #"{"power":"normal"}"#)
            #expect(try await box.ordinals(Self.path) == [1, 3, 2])
            #expect(try await box.ordinals(Self.path + "?after=\(last)") == [2])
            #expect(try await box.ordinals(Self.path + "?order=desc") == [2, 3, 1])
        }
    }

    @Test("a push that a change makes due earlier arrives by itself while the clock runs")
    func earlier() async throws {
        try await Box.withPushes { settings, _ in
            settings.deferralMax = .milliseconds(300)
        } _: { box in
            let token = try await box.device("a", online: false)
            try await box.send(to: token, headers: [("apns-priority", "5")])
            // Stored for 30 days, and from now on deferred by power for less than a second.
            _ = try await box.json("PATCH", "/v1/devices/a", #"{"online":true,"power":"asleep"}"#)
            let list = try await box.json("GET", Self.path + "?wait=60s")
            #expect(list["timedOut"] == false)
            #expect(try await box.notification(1)["outcome"] == "delivered")
        }
    }

    @Test("items are filtered by kind and by the journal's filters, and have pages")
    func filters() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a")
            for word in ["one", "two", "three"] { try await box.send(to: token, #"{"aps":{"alert":"\#(word)"}}"#) }
            try await box.send(
                to: token, #"{"aps":{"content-available":1}}"#,
                headers: [("apns-push-type", "background"), ("apns-priority", "5")])
            #expect(try await box.ordinals(Self.path + "?kind=background") == [4])
            #expect(try await box.ordinals(Self.path + "?kind=alert&kind=background&limit=2") == [1, 2])
            #expect(try await box.ordinals(Self.path + "?pushType=background") == [4])
            #expect(try await box.ordinals(Self.path + "?text=two") == [2])
            #expect(try await box.ordinals(Self.path + "?!text=two&topic=com.example.app") == [1, 3, 4])
            let page = try await box.json("GET", Self.path + "?limit=3")
            #expect(page["matched"] == 4)
            let cursor = try #require(page["nextCursor"]?.string)
            #expect(try await box.ordinals(Self.path + "?cursor=\(cursor)") == [4])
            try expectProblem(
                await box.http.call("GET", Self.path + "?kind=alerts"), 400, field: "kind", mentions: "alert")
            try expectProblem(
                await box.http.call("GET", Self.path + "?kid=alert"), 400, field: "kid", mentions: "unknown filter")
        }
    }

    @Test("a waiting call returns at the n-th arrival that matches")
    func wait() async throws {
        try await Box.withPushes(logLevel: .debug) { box in
            let token = try await box.device("a")
            let call = try await box.http.open("GET", Self.path + "?kind=alert&wait=60s&count=2")
            await box.log.wait(for: "a control call waits")
            for payload in [#"{"aps":{"alert":"1"}}"#, #"{"aps":{"content-available":1}}"#, #"{"aps":{"alert":"2"}}"#] {
                try await box.send(to: token, payload)
            }
            let list = try await call.answer().json()
            #expect(list["timedOut"] == false)
            #expect(box.ordinals(list["items"]?.array) == [1, 3])
        }
    }

    @Test("a wait on a frozen clock ends with timedOut and the present items")
    func timedOut() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let token = try await box.device("a")
            try await box.send(to: token)
            let list = try await box.json("GET", Self.path + "?wait=20ms&count=2")
            #expect(list["timedOut"] == true)
            #expect(list["matched"] == 1)
        }
    }

    @Test("a waiting call ends with an error when its device is removed")
    func removed() async throws {
        try await Box.with(logLevel: .debug) { box in
            try await box.device("a")
            let call = try await box.http.open("GET", Self.path + "?wait=60s")
            await box.log.wait(for: "a control call waits")
            _ = try await box.json("DELETE", "/v1/devices/a")
            try expectProblem(await call.answer(), 404, field: "id", mentions: "a")
        }
    }

    @Test("an arrival whose push was evicted is still listed, and is counted")
    func evicted() async throws {
        try await Box.withPushes { server, _ in
            server.retain = 1
        } _: { box in
            let token = try await box.device("a")
            for _ in 1...3 { try await box.send(to: token) }
            let list = try await box.json("GET", Self.path)
            let items = try #require(list["items"]?.array)
            #expect(box.ordinals(items) == [1, 2, 3])
            #expect(items.map { $0["evicted"] } == [true, true, false])
            #expect(items[0]["payload"] == JSONValue.null)
            #expect(items[0]["deliveredAt"]?.string != nil)
            #expect(list["evicted"] == 2)
            // Its content is unknown, so no filter matches it.
            #expect(try await box.ordinals(Self.path + "?kind=alert") == [3])
        }
    }

    @Test("the inbox keeps the newest arrivals, and a cursor to dropped ones is 410")
    func bounded() throws {
        var query = try InboxQuery(QueryString("limit=1"))
        let items = (UInt64(3)...5).map {
            DeviceInbox.Item(sequence: $0, deliveredAt: Instant(milliseconds: 0), entry: nil)
        }
        let inbox = DeviceInbox(items: items, dropped: 2)
        let page = try query.page(of: inbox)
        #expect(page.evicted == 5)
        #expect(page.matched == 3)
        let cursor = try #require(page.nextCursor)
        query = try InboxQuery(QueryString("limit=1&cursor=\(cursor)"))
        let next = try JSONValue(parsing: query.page(of: inbox).piece(from: 0, asLines: false).bytes)
        #expect(next["items"]?.array?.map { $0["sequence"] } == [4])
        let later = DeviceInbox(items: Array(items.suffix(1)), dropped: 4)
        let problem = #expect(throws: Problem.self) { try query.page(of: later) }
        #expect(problem?.kind == .evicted)
    }
}

extension String {
    /// Another token.
    fileprivate var reversed: String { String(reversed()) }
}
