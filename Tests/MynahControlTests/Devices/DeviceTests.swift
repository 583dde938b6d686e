import APNsRules
import Mynah
import MynahCore
import Testing

@testable import MynahControl

/// `/v1/devices` and `/v1/devices/{id}`.
@Suite("Devices")
struct DeviceTests {
    @Test("one call creates a device with its apps, and returns it with tokens")
    func create() async throws {
        try await Box.with { box in
            let answer = try await box.http.call(
                "POST", "/v1/devices",
                #"""
                {"id":"kims-phone","name":"Kim's iPhone","locale":"en-GB","scope":"t42",
                 "registrations":[{"topic":"com.example.app"},{"topic":"com.example.app.voip"}]}
                """#)
            #expect(answer.status == 201, "\(answer.text)")
            #expect(answer.headers["location"] == ["/v1/devices/kims-phone"])
            let device = try answer.json()
            #expect(device["id"] == "kims-phone")
            #expect(device["name"] == "Kim's iPhone")
            #expect(device["scope"] == "t42")
            #expect(device["online"] == true)
            #expect(device["stored"] == 0)
            let apps = try #require(device["registrations"]?.array)
            #expect(apps.compactMap { $0["topic"]?.string } == ["com.example.app", "com.example.app.voip"])
            #expect(Set(apps.compactMap { $0["token"]?.string }).count == 2)
            #expect(try await box.json("GET", "/v1/devices/kims-phone") == device)
        }
    }

    @Test("a device without an ID gets one, and Location leads to it")
    func freshID() async throws {
        try await Box.with { box in
            let first = try await box.http.call("POST", "/v1/devices", "{}")
            let second = try await box.http.call("POST", "/v1/devices", "{}")
            let places = [first, second].compactMap { $0.headers.first(name: "location") }
            #expect(Set(places).count == 2)
            for (answer, place) in zip([first, second], places) {
                #expect(try await box.json("GET", place) == (try answer.json()))
            }
        }
    }

    @Test("count creates a fleet and returns a list, or the first page of a large fleet")
    func fleet() async throws {
        try await Box.with { box in
            let small = try await box.json(
                "POST", "/v1/devices", #"{"id":"a","count":3,"registrations":[{"topic":"com.example.app"}]}"#,
                status: 201)
            #expect(small["items"]?.array?.compactMap { $0["id"]?.string } == ["a-00001", "a-00002", "a-00003"])
            #expect(small["matched"] == 3)
            #expect(small["nextCursor"] == JSONValue.null)
            let large = try await box.json("POST", "/v1/devices", #"{"id":"b","count":1002}"#, status: 201)
            #expect(large["matched"] == 1002)
            let cursor = try #require(large["nextCursor"]?.string)
            #expect(
                try await box.items("/v1/devices?cursor=\(cursor)", "id")
                    == (large["items"]?.array?.count == 1000 ? ["b-01001", "b-01002"] : []))
        }
    }

    @Test("a fleet is created completely or not at all")
    func allOrNothing() async throws {
        try await Box.with { box in
            try await box.device("a-00003")
            try expectProblem(
                await box.http.call("POST", "/v1/devices", #"{"id":"a","count":5}"#), 409, field: "/id",
                mentions: "a-00003")
            #expect(try await box.items("/v1/devices", "id") == ["a-00003"])
        }
    }

    @Test("PUT creates a device, or replaces it with all its apps")
    func put() async throws {
        try await Box.with { box in
            let made = try await box.http.call(
                "PUT", "/v1/devices/a%40b", #"{"registrations":[{"topic":"com.example.app"}]}"#)
            #expect(made.status == 201, "\(made.text)")
            #expect(made.headers["location"] == ["/v1/devices/a@b"])
            let replaced = try await box.json("PUT", "/v1/devices/a@b", #"{"id":"a@b","name":"new"}"#)
            #expect(replaced["name"] == "new")
            #expect(replaced["registrations"] == [])
            try expectProblem(
                await box.http.call("PUT", "/v1/devices/a@b", #"{"id":"c"}"#), 400, field: "/id",
                mentions: "leave it out")
            try expectProblem(
                await box.http.call("PUT", "/v1/devices/a@b", #"{"count":2}"#), 400, field: "/count", mentions: "POST")
            try expectProblem(await box.http.call("PUT", "/v1/devices/a%20b", "{}"), 400, field: "/id", mentions: "a b")
        }
    }

    @Test("a failed PUT leaves the device unchanged")
    func failedPut() async throws {
        try await Box.with { box in
            let token = try await box.device("a")
            let other = try await box.device("b")
            let before = try await box.json("GET", "/v1/devices/a")
            for app in [#"{"topic":"t","token":"\#(other)"}"#, #"{"topic":"t","entitled":false}"#] {
                let answer = try await box.http.call("PUT", "/v1/devices/a", #"{"registrations":[\#(app)]}"#)
                #expect([403, 409].contains(answer.status), "\(answer.text)")
                #expect(try await box.json("GET", "/v1/devices/a") == before)
            }
            // Its own token doesn't belong to another device.
            let kept = try await box.json(
                "PUT", "/v1/devices/a", #"{"registrations":[{"topic":"com.example.app","token":"\#(token)"}]}"#)
            #expect(kept["registrations"]?.array?.first?["token"]?.string == token)
        }
    }

    @Test("PATCH changes only the given members")
    func patch() async throws {
        try await Box.with { box in
            try await box.device("a", #","name":"old","power":"low""#)
            let changed = try await box.json("PATCH", "/v1/devices/a", #"{"online":false,"focus":"Work"}"#)
            #expect(changed["online"] == false)
            #expect(changed["focus"] == "Work")
            #expect(changed["name"] == "old")
            #expect(changed["power"] == "low")
            #expect(try await box.json("PATCH", "/v1/devices/a", #"{"focus":null}"#)["focus"] == JSONValue.null)
        }
    }

    @Test(
        "an invalid call is refused with field and expected value",
        arguments: [
            ("POST", "/v1/devices", #"{"name":7}"#, 400, "/name", "string"),
            ("POST", "/v1/devices", #"{"onlin":true}"#, 400, "/onlin", "online"),
            ("POST", "/v1/devices", #"{"platform":"iSO"}"#, 400, "/platform", "iOS"),
            ("POST", "/v1/devices", #"{"count":3}"#, 400, "/id", "count"),
            ("POST", "/v1/devices", #"{"id":"a","count":0}"#, 400, "/count", "from 1"),
            ("POST", "/v1/devices", #"{"id":"here"}"#, 409, "/id", "already"),
            ("POST", "/v1/devices", #"{"scope":"a b"}"#, 400, "/scope", "a b"),
            ("POST", "/v1/devices", #"{"locale":"en_GB"}"#, 400, "/locale", "en-GB"),
            ("POST", "/v1/devices", #"{"registrations":[{"topic":"a"},{}]}"#, 400, "/registrations/1/topic", "topic"),
            (
                "POST", "/v1/devices", #"{"registrations":[{"topic":"a","token":"xyz"}]}"#, 400,
                "/registrations/0/token", "hexadecimal"
            ),
            (
                "POST", "/v1/devices", #"{"registrations":[{"topic":"a","entitled":false}]}"#, 403,
                "/registrations/0/entitled", "entitlement"
            ),
            ("POST", "/v1/devices", "[1]", 400, "", "object"),
            ("PATCH", "/v1/devices/here", #"{"scope":"t"}"#, 400, "/scope", "scope"),
            ("PATCH", "/v1/devices/here", #"{"power":"off"}"#, 400, "/power", "off"),
            ("GET", "/v1/devices?limit=0", nil, 400, "limit", "1 to 1000"),
            ("GET", "/v1/devices?cursor=x", nil, 400, "cursor", "nextCursor"),
            ("GET", "/v1/devices?online=yes", nil, 400, "online", "yes"),
        ])
    func wrong(
        method: String, target: String, body: String?, status: Int, field: String, words: String
    ) async throws {
        try await Box.with { box in
            try await box.device("here")
            try expectProblem(await box.http.call(method, target, body), status, field: field, mentions: words)
            #expect(try await box.items("/v1/devices", "id") == ["here"])
        }
    }

    @Test("an unknown device is 404 and named", arguments: ["GET", "PATCH", "DELETE"])
    func notThere(method: String) async throws {
        try await Box.with { box in
            try expectProblem(
                await box.http.call(method, "/v1/devices/nobody", method == "PATCH" ? "{}" : nil), 404,
                field: "id", mentions: "nobody")
        }
    }

    @Test("a list is filtered, and its pages are ordered by ID")
    func list() async throws {
        try await Box.with { box in
            for id in ["c", "a", "b"] {
                try await box.device(id, id == "b" ? #","scope":"t1""# : "", online: id != "b")
            }
            #expect(try await box.items("/v1/devices", "id") == ["a", "b", "c"])
            #expect(try await box.items("/v1/devices?online=false", "id") == ["b"])
            #expect(try await box.items("/v1/devices?scope=t1&scope=", "id") == ["a", "b", "c"])
            #expect(try await box.items("/v1/devices?device=a&device=c", "id") == ["a", "c"])
            #expect(try await box.items("/v1/devices?!scope=t1", "id") == ["a", "c"])
            #expect(try await box.items("/v1/devices?!device=a&!online=false", "id") == ["c"])
            #expect(try await box.items("/v1/devices?after=a", "id") == ["b", "c"])
            let page = try await box.json("GET", "/v1/devices?limit=2")
            #expect(page["items"]?.array?.count == 2)
            #expect(page["matched"] == 3)
            #expect(page["timedOut"] == false)
            let cursor = try #require(page["nextCursor"]?.string)
            let last = try await box.json("GET", "/v1/devices?limit=2&cursor=\(cursor)")
            #expect(last["items"]?.array?.compactMap { $0["id"]?.string } == ["c"])
            #expect(last["nextCursor"] == JSONValue.null)
            let lines = try await box.http.call("GET", "/v1/devices", headers: [("Accept", "application/x-ndjson")])
            #expect(lines.text.split(separator: "\n").count == 3)
            #expect(lines.headers["mynah-matched"] == ["3"])
        }
    }

    @Test("a list is ordered by last push, in pages")
    func lastPush() async throws {
        try await Box.withPushes { box in
            _ = try await box.json(
                "POST", "/v1/devices", #"{"id":"van","count":5,"registrations":[{"topic":"com.example.app"}]}"#,
                status: 201)
            for number in [4, 2, 5] {
                let device = try await box.json("GET", "/v1/devices/van-0000\(number)")
                let text = try #require(device["registrations"]?.array?.first?["token"]?.string)
                try await box.send(to: text)
            }
            var ids: [String] = []
            var cursor = ""
            repeat {
                let page = try await box.json("GET", "/v1/devices?sort=lastPush&order=desc&limit=2\(cursor)")
                #expect(page["matched"] == 5)
                ids += try #require(page["items"]?.array).compactMap { $0["id"]?.string }
                cursor = page["nextCursor"]?.string.map { "&cursor=\($0)" } ?? ""
            } while !cursor.isEmpty
            #expect(ids == [5, 2, 4, 1, 3].map { "van-0000\($0)" })
            let first = try await box.json("GET", "/v1/devices?sort=lastPush&limit=1")["items"]?.array?.first
            #expect(first?["id"] == "van-00001")
            #expect(try await box.json("GET", "/v1/devices?fleet=van")["matched"] == 5)
            #expect(try await box.json("GET", "/v1/devices?!fleet=van")["matched"] == 0)
        }
    }

    @Test(
        "a wrong order of devices names the parameter and what was expected",
        arguments: [
            ("sort=lastpush", "sort", "expected id or lastPush"),
            ("sort=lastPush&after=van-00001", "after", "expected cursor"),
            ("sort=lastPush&cursor=dmFuLTAwMDAx", "sort", "expected sort=id"),
            ("cursor=MyB2YW4", "sort", "expected sort=lastPush"),
            ("sort=lastPush&cursor=eCB2YW4", "cursor", "expected nextCursor"),
        ])
    func wrongOrder(query: String, field: String, mention: String) async throws {
        try await Box.with { box in
            try expectProblem(
                await box.http.call("GET", "/v1/devices?\(query)"), 400, field: field, mentions: mention)
        }
    }

    @Test("DELETE removes what the filters match, and a misspelt filter removes nothing")
    func removeAll() async throws {
        try await Box.with { box in
            for id in ["a", "b", "c"] { try await box.device(id, #","scope":"\#(id == "c" ? "t2" : "t1")""#) }
            try expectProblem(
                await box.http.call("DELETE", "/v1/devices?scop=t1"), 400, field: "scop", mentions: "scope")
            #expect(try await box.json("DELETE", "/v1/devices?scope=t1") == ["removed": ["devices": 2]])
            #expect(try await box.items("/v1/devices", "id") == ["c"])
            #expect(try await box.json("DELETE", "/v1/devices/c") == ["removed": ["devices": 1]])
            #expect(try await box.items("/v1/devices", "id").isEmpty)
        }
    }

    @Test("the status counts devices, and their stored and deferred pushes")
    func status() async throws {
        try await Box.withPushes { box in
            let offline = try await box.device("a", online: false)
            let low = try await box.device("b", #","power":"low","scope":"t""#)
            #expect(try await box.send(to: offline) == 200)
            #expect(try await box.send(to: low, headers: [("apns-priority", "5")]) == 200)
            let counts = try #require(try await box.json("GET", "/v1/status")["counts"])
            #expect(counts["devices"] == 2)
            #expect(counts["stored"] == 1)
            #expect(counts["deferred"] == 1)
            #expect(counts["scopes"] == 1)
        }
    }
}
