import APNsRules
import MynahCore
import MynahTestSupport
import Testing

@testable import Mynah
@testable import MynahControl

/// Expectations about what the user saw (`Documents#Expectations` and `screen`).
@Suite("Expectations of the screen")
struct ScreenExpectationTests {
    /// A device whose app has these settings.
    private func device(_ box: Box, _ further: String = "", app: String) async throws -> String {
        let token = try await box.device("kim", further)
        _ = try await box.json("PATCH", "/v1/devices/kim/registrations/com.example.app", app)
        return token
    }

    private func expect(_ box: Box, _ body: String) async throws -> JSONValue {
        try await box.json("POST", "/v1/expectations", body)
    }

    @Test("an expectation matches the push as the app showed it, also after it was replaced")
    func localized() async throws {
        try await Box.withPushes { box in
            let token = try await device(
                box, #","locale":"de""#, app: #"{"strings":{"de":"\"HI\" = \"Hallo %@\";"}}"#)
            let payload = #"{"aps":{"alert":{"title-loc-key":"HI","title-loc-args":["Kim"],"body":"x"},"badge":3}}"#
            for _ in 0..<2 { try await box.send(to: token, payload, headers: [("apns-collapse-id", "c")]) }
            let met = try await expect(
                box, #"{"match":{"device":"kim","screen":{"/title":"Hallo Kim","/badge":3}},"count":{"exactly":2}}"#)
            #expect(met["met"] == true, "\(met.encodedText)")
            let unmet = try await expect(
                box, #"{"match":{"screen":{"/title":"Hello Kim","/sound/name":"x"}},"within":"0s"}"#)
            #expect(unmet["met"] == false)
            let fields = unmet["nearest"]?.array?.first?["differences"]?.array?.compactMap { $0["actual"] }
            #expect(fields == ["Hallo Kim", .null])
            #expect(try await box.ordinals("/v1/notifications?screen./title=Hallo%20Kim&order=asc") == [1, 2])
            #expect(
                try await box.ordinals("/v1/notifications?q=screen:/badge:3%20-screen:/title:x&order=asc") == [1, 2])
        }
    }

    @Test("a device without settings shows the payload's text, whether its screen was read or not")
    func plain() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("kim")
            try await box.send(to: token, #"{"aps":{"alert":{"title":"A"},"thread-id":"t"}}"#)
            let body =
                #"{"match":{"screen":{"/title":"A","/threadId":"t","/interruptionLevel":"active"}},"within":"0s"}"#
            #expect(try await expect(box, body)["met"] == true)
            _ = try await box.json("GET", "/v1/devices/kim/screen")
            #expect(try await expect(box, body)["met"] == true)
            try await box.send(to: token, #"{"aps":{"alert":{"title":"A"},"thread-id":"t"}}"#)
            #expect(try await expect(box, body)["matched"] == 2)
        }
    }

    @Test("an expectation can match every member that the screen has of a notification")
    func same() async throws {
        try await Box.withPushes { box in
            let token = try await device(box, app: #"{"categories":[{"id":"N","actions":[{"id":"a","title":"A"}]}]}"#)
            try await box.send(
                to: token,
                #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"},"sound":"default","#
                    + #""thread-id":"t","category":"N","relevance-score":0.5,"interruption-level":"time-sensitive","badge":2}}"#
            )
            let screen = try await box.json("GET", "/v1/devices/kim/screen")
            let notification = try #require(screen["notifications"]?.array?.first)
            var match: [JSONMember] = [JSONMember("/badge", 2)]
            for name in ["title", "subtitle", "body", "threadId", "category", "relevanceScore", "interruptionLevel"] {
                match.append(JSONMember("/" + name, try #require(notification[name])))
            }
            match.append(JSONMember("/sound/name", try #require(notification["sound"]?["name"])))
            match.append(JSONMember("/actions/0/id", "a"))
            match.append(JSONMember("/shownAt", try #require(notification["shownAt"])))
            let body: JSONValue = ["match": ["screen": .object(match)], "within": "0s"]
            #expect(try await expect(box, body.encodedText)["met"] == true, "\(body.encodedText)")
        }
    }

    @Test("a hint names a stored push, which meets the expectation once its device is online")
    func stored() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("kim", online: false)
            try await box.send(to: token)
            let body = #"{"match":{"device":"kim","screen":{"/body":"hi"}},"within":"0s"}"#
            let unmet = try await expect(box, body)
            let hint = try #require(unmet["hints"]?.array?.first?.string)
            #expect(hint.hasPrefix("\(try #require(box.sent[1])) is stored: ") && hint.contains("offline"), "\(hint)")
            let call = try await box.http.open(
                "POST", "/v1/expectations",
                #"{"match":{"device":"kim","screen":{"/body":"hi"}},"within":"\#(Patience.text)"}"#)
            _ = try await box.json("PATCH", "/v1/devices/kim", #"{"online":true}"#)
            #expect(try await call.answer().json()["met"] == true)
        }
    }

    @Test("a push that the user's settings hide is delivered, not shown, and named in a hint")
    func hidden() async throws {
        try await Box.withPushes { box in
            let token = try await device(box, app: #"{"permissions":{"alert":false,"sound":false}}"#)
            try await box.send(to: token, #"{"aps":{"alert":"hi","badge":4}}"#)
            let unmet = try await expect(box, #"{"match":{"screen":{"/body":"hi"}},"within":"0s"}"#)
            let hint = try #require(unmet["hints"]?.array?.first?.string)
            #expect(hint.hasPrefix("\(try #require(box.sent[1])) was delivered, and not shown"), "\(hint)")
            #expect(try await expect(box, #"{"match":{"screen":{"/badge":4}},"within":"0s"}"#)["met"] == true)
        }
    }

    @Test("a service extension's text matches once it is shown, also for a waiting call")
    func serviceExtension() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let token = try await device(
                box, app: #"{"serviceExtension":{"rewrite":{"aps":{"alert":{"title":"rewritten"}}},"takes":"10s"}}"#)
            try await box.send(to: token, #"{"aps":{"alert":{"title":"raw","body":"b"},"mutable-content":1}}"#)
            #expect(try await expect(box, #"{"match":{"screen":{"":{"exists":true}}},"within":"0s"}"#)["met"] == false)
            let call = try await box.http.open(
                "POST", "/v1/expectations",
                #"{"match":{"screen":{"/title":"rewritten","/mutableContent":"modified"}},"#
                    + #""within":"\#(Patience.text)"}"#)
            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"10s"}"#)
            #expect(try await call.answer().json()["met"] == true)
        }
    }

    @Test("a call that waits on an inbox with shown returns when the service extension is done")
    func inbox() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let token = try await device(box, app: #"{"serviceExtension":{"takes":"10s"}}"#)
            try await box.send(to: token, #"{"aps":{"alert":"hi","mutable-content":1}}"#)
            #expect(try await box.ordinals("/v1/devices/kim/inbox") == [1])
            let call = try await box.http.open("GET", "/v1/devices/kim/inbox?wait=60s&shown=true")
            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"10s"}"#)
            let page = try await call.answer().json()
            #expect(page["matched"] == 1)
            #expect(page["timedOut"] == false)
        }
    }

    @Test("what a removed device showed can still be matched")
    func gone() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("kim", #","locale":"de""#)
            try await box.send(to: token)
            _ = try await box.http.call("DELETE", "/v1/devices/kim")
            #expect(try await expect(box, #"{"match":{"screen":{"/body":"hi"}},"within":"0s"}"#)["met"] == true)
        }
    }
}
