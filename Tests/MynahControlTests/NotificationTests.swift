import APNsRules
import Mynah
import Testing

@testable import MynahControl

/// `GET`, `DELETE /v1/notifications` and one push.
@Suite("The journal over HTTP")
struct NotificationTests {
    @Test("a list has all members, and the pushes as sent")
    func shape() async throws {
        try await Box.with { box in
            box.push(payload: #"{"aps":{"alert":"hi"},"n":1.50}"#)
            let answer = try await box.http.call("GET", "/v1/notifications")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == ["application/json"])
            #expect(answer.headers["cache-control"] == ["no-store"])
            let list = try answer.json()
            #expect(
                list.object?.map(\.name) == ["items", "nextCursor", "matched", "timedOut", "evicted", "lastSequence"])
            #expect(list["nextCursor"] == .null)
            #expect(list["matched"] == 1)
            #expect(list["timedOut"] == false)
            #expect(list["evicted"] == 0)
            #expect(list["lastSequence"] == 1)
            let push = try #require(list["items"]?.array?.first)
            #expect(push["topic"] == "com.example.app")
            #expect(push["status"] == 200)
            #expect(answer.text.contains(#""payload":{"aps":{"alert":"hi"},"n":1.50}"#))
        }
    }

    @Test("an empty journal is an empty list")
    func empty() async throws {
        try await Box.with { box in
            let list = try await box.http.call("GET", "/v1/notifications").json()
            #expect(list["items"] == .array([]))
            #expect(list["lastSequence"] == 0)
        }
    }

    @Test(
        "every form of a filter finds its pushes",
        arguments: [
            ("", [1, 2, 3, 4]), ("topic=com.example.app", [1, 2]),
            ("topic=com.example.app&topic=com.example.other", [1, 2, 3]), ("topic=com.example.app&status=200", [1]),
            ("!topic=com.example.app", [3, 4]), ("%21topic=com.example.app", [3, 4]),
            ("payload./aps/category=NEWS", [3]), ("payload.%2Faps%2Fcategory=NEWS", [3]), ("q=hello", [4]),
            ("q=hello+world", [4]), ("q=%22hello+world%22", [4]), ("q=topic:com.example.app%20-status:200", [2]),
            ("q=payload:/aps/category:NEWS", [3]), ("q=nothing", []), ("reason=BadTopic", [2]),
            ("outcome=refused", [2]),
            ("text=world", [4]), ("topic~=example.th", [4]), ("!topic~=example.a", [3, 4]),
            ("payload./aps/alert~=lo+wo", [4]), ("!payload./aps/alert~=hello&topic~=third", []),
            ("q=topic~:other", [3]), ("q=payload:/aps/alert~:world", [4]), ("q=reason~:Topic", [2]),
        ])
    func filters(query: String, expected: [Int64]) async throws {
        try await Box.with { box in
            box.push()
            box.push(refused: .badTopic)
            box.push(topic: "com.example.other", payload: #"{"aps":{"alert":"x","category":"NEWS"}}"#)
            box.push(topic: "com.example.third", payload: #"{"aps":{"alert":"hello world"}}"#)
            let found = try await box.sequences("/v1/notifications?\(query)")
            #expect(found == expected)
        }
    }

    @Test(
        "an unknown or malformed parameter is refused and named",
        arguments: [
            ("topc=x", "topc", "topic"), ("tpoic=x", "tpoic", "filter"), ("limt=3", "limt", "limit"),
            ("Topic=x", "Topic", "topic"),
            ("limit=0", "limit", "1 to 1000"), ("limit=1001", "limit", "1 to 1000"), ("limit=ten", "limit", "whole"),
            ("limit=1&limit=2", "limit", "once"), ("order=up", "order", "asc"), ("after=-1", "after", "0 or more"),
            ("cursor=zzz", "cursor", "nextCursor"), ("wait=5", "wait", "unit"), ("wait=61s", "wait", "60s"),
            ("wait=1s&count=0", "count", "1"), ("status=abc", "status", ""),
            ("since=yesterday", "since", ""), ("topic", "topic", "value"), ("q=%22open", "q", ""),
            ("q=topc:x", "q", "topic"), ("outcome=deliverd", "outcome", ""),
            ("topik~=x", "topik~", "topic"), ("status~=20", "status~", "a number"), ("topic~=", "topic~", "empty"),
            ("payload.aps.alert~=x", "payload.aps.alert~", "pointer"),
        ])
    func badParameters(query: String, field: String, words: String) async throws {
        try await Box.with { box in
            try expectProblem(
                await box.http.call("GET", "/v1/notifications?\(query)"), 400, field: field, mentions: words)
        }
    }

    @Test(
        "broken percent-encoding and UTF-8 are errors", arguments: ["topic=%4", "topic=%zz", "topic=%ff", "topic=%+1"])
    func badEncoding(query: String) async throws {
        try await Box.with { box in
            try expectProblem(await box.http.call("GET", "/v1/notifications?\(query)"), 400)
        }
    }

    @Test("JSON lines have the items, and header fields the rest")
    func lines() async throws {
        try await Box.with { box in
            for _ in 1...3 { box.push() }
            let answer = try await box.http.call(
                "GET", "/v1/notifications?limit=2", headers: [("Accept", "application/x-ndjson")])
            #expect(answer.headers["content-type"] == ["application/x-ndjson"])
            let lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count == 3 && lines.last == "")
            #expect(try lines.prefix(2).map { try JSONValue(parsing: String($0))["sequence"] } == [1, 2])
            #expect(answer.headers["mynah-matched"] == ["3"])
            #expect(answer.headers["mynah-evicted"] == ["0"])
            #expect(answer.headers["mynah-last-sequence"] == ["3"])
            #expect(answer.headers["mynah-timed-out"] == ["false"])
            let cursor = try #require(answer.headers.first(name: "mynah-next-cursor"))
            #expect(try await box.sequences("/v1/notifications?cursor=\(cursor)") == [3])
        }
    }

    @Test("a repeated text names the earlier push in lists, alone and in events, and isn't an attempt")
    func repeats() async throws {
        try await Box.withPushes { box in
            // A text is repeated for half a minute of the clock.
            try await box.freeze()
            let token = try await box.device("a", online: false)
            for text in ["ok", "ok", "yes"] { try await box.send(to: token, #"{"aps":{"alert":"\#(text)"}}"#) }
            let first = try #require(box.sent[1])
            let expected: [JSONValue] = [.null, .number(JSONNumber(first)), .null]
            let list = try #require(try await box.json("GET", "/v1/notifications")["items"]?.array)
            #expect(list.map { $0["repeats"] } == expected)
            #expect(list.map { $0["attempt"] } == [1, 1, 1])
            #expect(try await box.notification(2)["repeats"] == expected[1])
            // Each replaced the previous one.
            _ = try await box.json("PATCH", "/v1/devices/a", #"{"online":true}"#)
            let reader = try await EventReader.open(box.http, "/v1/events?after=0&event=notification&event=outcome")
            let events = try await reader.next(6)
            #expect(Set(events.map(\.name)) == ["notification", "outcome"])
            for event in events {
                let push = try event.json()
                let number = push["sequence"]?.integer.flatMap { UInt64($0) }
                let place = try #require(number.flatMap { box.sent.ordinal(of: $0) })
                #expect(push["repeats"] == expected[place - 1], "\(event.name) of push \(place)")
            }
            try await reader.close()
        }
    }

    @Test("a payload that is too large has its declared size and no warning about its beginning")
    func tooLarge() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a")
            let payload = #"{"aps":{"alert":"\#(String(repeating: "a", count: 5002))"}}"#
            #expect(payload.utf8.count == 5022)
            #expect(try await box.send(to: token, payload, headers: [("apns-push-type", "alert")]) == 413)
            let push = try await box.notification(1)
            #expect(push["payloadSize"] == 5022)
            #expect(push["payload"] == .null)
            #expect(push["payloadBase64"]?.string == Base64.encode(Array(payload.utf8.prefix(4096))))
            #expect(push["warnings"] == [])
        }
    }

    @Test("a delayed push keeps the number and the age of its arrival")
    func delayed() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let token = try await box.device("a", online: false)
            let rule = #"{"times":1,"action":{"type":"pass","delay":"1h","clock":"virtual"}}"#
            _ = try await box.json("POST", "/v1/faults", rule, status: 201)
            let headers = [("apns-collapse-id", "c")]
            async let late = box.send(to: token, headers: headers)
            let pending = try await box.json("GET", "/v1/notifications?outcome=pending&wait=60s")
            #expect(pending["matched"] == 1)
            try await box.send(to: token, headers: headers)
            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"1h"}"#)
            #expect(try await late == 200)
            // The journal has the order of arrival; the later push stays in the device's storage.
            #expect(try await box.items("/v1/notifications", "outcome") == ["coalesced", "stored"])
            _ = try await box.json("PATCH", "/v1/devices/a", #"{"online":true}"#)
            #expect(try await box.items("/v1/notifications", "outcome") == ["coalesced", "delivered"])
        }
    }

    @Test("an online device gets a delayed push after its delay, after those sent in the meantime")
    func delayedOnline() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let token = try await box.device("a")
            let rule = #"{"times":1,"action":{"type":"pass","delay":"1h","clock":"virtual"}}"#
            _ = try await box.json("POST", "/v1/faults", rule, status: 201)
            async let late = box.send(to: token)
            let pending = try await box.json("GET", "/v1/notifications?outcome=pending&wait=60s")
            let first = try #require(pending["items"]?.array?.first?["sequence"])
            try await box.send(to: token)
            let second = try await box.items("/v1/devices/a/inbox", "sequence")
            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"1h"}"#)
            #expect(try await late == 200)
            #expect(try await box.items("/v1/devices/a/inbox", "sequence") == second + [first])
            #expect(try await box.items("/v1/notifications", "sequence") == [first] + second)
        }
    }

    @Test("a push is found by its number or its apns-id, the newest of several")
    func one() async throws {
        try await Box.with { box in
            box.push(id: 7)
            box.push(id: 7)
            let id = "00000000-0000-0000-0000-000000000007"
            #expect(try await box.http.call("GET", "/v1/notifications/1").json()["sequence"] == 1)
            #expect(try await box.http.call("GET", "/v1/notifications/2").json()["attempt"] == 2)
            #expect(try await box.http.call("GET", "/v1/notifications/\(id)").json()["sequence"] == 2)
            try expectProblem(await box.http.call("GET", "/v1/notifications/3"), 404, field: "id", mentions: "3")
            try expectProblem(
                await box.http.call("GET", "/v1/notifications/00000000-0000-0000-0000-000000000008"), 404, field: "id")
            try expectProblem(await box.http.call("GET", "/v1/notifications/abc"), 400, field: "id", mentions: "UUID")
            try expectProblem(await box.http.call("GET", "/v1/notifications/1?limit=2"), 400, field: "limit")
        }
    }

    @Test("DELETE removes the pushes that match, or all, and sequence numbers continue")
    func delete() async throws {
        try await Box.with { box in
            box.push()
            box.push(topic: "com.example.other")
            let some = try await box.http.call("DELETE", "/v1/notifications?topic=com.example.other")
            #expect(some.status == 200)
            #expect(try some.json() == ["removed": ["notifications": 1]])
            #expect(try await box.sequences("/v1/notifications") == [1])
            #expect(try await box.http.call("DELETE", "/v1/notifications").json() == ["removed": ["notifications": 1]])
            #expect(try await box.sequences("/v1/notifications") == [])
            let next = box.push()
            #expect(next > 2)
            #expect(try await box.sequences("/v1/notifications") == [Int64(next)])
        }
    }

    @Test("DELETE of one push removes it by its number or its id, and no other")
    func deleteOne() async throws {
        try await Box.with({ server, _ in server.retain = 4 }) { box in
            for _ in 1...5 { box.push() }
            let list = try #require(try await box.http.call("GET", "/v1/notifications").json()["items"]?.array)
            let ids = try [#require(list[1]["apnsId"]?.string), #require(list[2]["apnsId"]?.string), "5"]
            for id in ids {
                let answer = try await box.http.call("DELETE", "/v1/notifications/\(id)")
                #expect(try answer.json() == ["removed": ["notifications": 1]])
                try expectProblem(await box.http.call("DELETE", "/v1/notifications/\(id)"), 404, field: "id")
            }
            #expect(try await box.sequences("/v1/notifications") == [2])
            try expectProblem(await box.http.call("DELETE", "/v1/notifications/1"), 410, field: "id")
            try expectProblem(await box.http.call("DELETE", "/v1/notifications/abc"), 400, field: "id")
            try expectProblem(await box.http.call("DELETE", "/v1/notifications/2?topic=x"), 400, field: "topic")
            #expect(try await box.sequences("/v1/notifications") == [2])
        }
    }

    @Test(
        "a DELETE with an unknown parameter removes nothing",
        arguments: [
            "tpoic=com.example.app", "topik~=com", "topic~=", "limit=1", "after=1", "order=asc", "cursor=x", "wait=1s",
            "topic", "q=%22",
        ])
    func deleteRefused(query: String) async throws {
        try await Box.with { box in
            box.push()
            try expectProblem(
                await box.http.call("DELETE", "/v1/notifications?\(query)"), 400,
                field: String(query.prefix { $0 != "=" }))
            #expect(try await box.sequences("/v1/notifications") == [1])
        }
    }

    @Test("evicted pushes are counted in every answer, and are 410 by number")
    func evicted() async throws {
        try await Box.with({ server, _ in server.retain = 3 }) { box in
            for _ in 1...5 { box.push() }
            let list = try await box.http.call("GET", "/v1/notifications").json()
            #expect(list["evicted"] == 2)
            #expect(list["matched"] == 3)
            #expect(try await box.http.call("GET", "/v1/status").json()["journal"]?["evicted"] == 2)
            try expectProblem(
                await box.http.call("GET", "/v1/notifications/2"), 410, field: "id", mentions: "evicted", "--retain")
            let expectation = try await box.http.call("POST", "/v1/expectations", #"{"within":"0s"}"#)
            #expect(try expectation.json()["evicted"] == 2)
        }
    }
}
