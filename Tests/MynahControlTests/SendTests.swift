import APNsRules
import Mynah
import Testing

@testable import MynahControl

/// `POST /v1/notifications`.
@Suite("Sending by the control API")
struct SendTests {
    private static let token = String(repeating: "ab", count: 32)

    @Test("a push goes through TLS, HTTP/2 and the development key, and is found by its number")
    func sent() async throws {
        try await Box.with { box in
            let answer = try await box.json(
                "POST", "/v1/notifications",
                """
                {"token": "\(Self.token)", "topic": "com.example.app", "pushType": "background", "priority": 5,
                 "expiration": "0", "collapseId": "c", "payload": {"aps": {"content-available": 1}}}
                """)
            #expect(answer["status"] == 200)
            #expect(answer["reason"] == .null)
            #expect(answer["problem"] == .null)
            let number = try #require(answer["sequence"]?.integer)
            let push = try await box.json("GET", "/v1/notifications/\(number)")
            #expect(push["apnsId"] == answer["apnsId"])
            #expect(push["token"]?.string == Self.token)
            #expect(push["topic"] == "com.example.app")
            #expect(push["pushType"] == "background")
            #expect(push["priority"] == 5)
            #expect(push["expiration"] == 0)
            #expect(push["collapseId"] == "c")
            #expect(push["environment"] == "sandbox")
            #expect(push["payload"]?.encodedText == #"{"aps":{"content-available":1}}"#)
            let key = try await box.json("GET", "/v1/credentials")["keyId"]
            #expect(push["credential"]?["keyId"] == key)
            #expect(try #require(push["stream"]?.integer) > 0)
        }
    }

    @Test("an answer other than 200 is reported with its reason, and only what is given is sent")
    func refused() async throws {
        try await Box.with { box in
            let answer = try await box.json(
                "POST", "/v1/notifications",
                #"{"token": "\#(Self.token)", "topic": "com.example.app", "priority": "7", "payload": {"aps": {}}}"#)
            #expect(answer["status"] == 400)
            #expect(answer["reason"] == "BadPriority")
            let push = try await box.json("GET", "/v1/notifications/\(try #require(answer["sequence"]?.integer))")
            let names = push["headers"]?.array?.compactMap { $0.array?.first?.string } ?? []
            #expect(names.filter { $0.hasPrefix("apns-") } == ["apns-topic", "apns-priority", "apns-id"])
            let bare = try await box.json("POST", "/v1/notifications", #"{"token": "zz", "apnsId": "no-uuid"}"#)
            #expect(bare["status"] == 400)
            #expect(bare["problem"] == .null)
        }
    }

    @Test("without an environment it goes to a port of the server's")
    func environment() async throws {
        let ports = [APNsEnvironment.production, .sandbox].map { Settings.PortBinding(port: 0, environment: $0) }
        for environment in APNsEnvironment.allCases {
            try await Box.with({ settings, _ in
                settings.ports = ports
                settings.environment = environment
            }) { box in
                let device = try await box.json(
                    "POST", "/v1/devices", #"{"registrations": [{"topic": "com.example.app"}]}"#, status: 201)
                #expect(device["environment"]?.string == environment.rawValue)
                let token = try #require(device["registrations"]?.array?.first?["token"]?.string)
                let body = #"{"token": "\#(token)", "topic": "com.example.app", "payload": {"aps": {"alert": "hi"}}}"#
                #expect(try await box.json("POST", "/v1/notifications", body)["status"] == 200)
            }
        }
    }

    @Test("a body that is not JSON is sent byte by byte")
    func bytes() async throws {
        try await Box.with { box in
            let body = #"{"token": "\#(Self.token)", "topic": "com.example.app", "payloadBase64": "ey AP8="}"#
            try expectProblem(
                await box.http.call("POST", "/v1/notifications", body), 400, field: "/payloadBase64",
                mentions: "expected base64")
            let answer = try await box.json("POST", "/v1/notifications", body.replacing("ey AP8=", with: "ewD/"))
            let push = try await box.json("GET", "/v1/notifications/\(try #require(answer["sequence"]?.integer))")
            #expect(push["status"] == answer["status"])
            #expect(push["payloadBase64"] == "ewD/")
        }
    }

    @Test("each environment is reached, by its server name or its port")
    func environments() async throws {
        try await Box.with { box in
            for environment in ["sandbox", "production"] {
                let answer = try await box.json(
                    "POST", "/v1/notifications",
                    """
                    {"token": "\(Self.token.replacing("ab", with: environment.hasPrefix("s") ? "ac" : "ad"))",
                     "topic": "com.example.app", "environment": "\(environment)", "payload": {"aps": {}}}
                    """)
                #expect(answer["status"] == 200)
                let push = try await box.json("GET", "/v1/notifications/\(try #require(answer["sequence"]?.integer))")
                #expect(push["environment"]?.string == environment)
            }
        }
        try await Box.with { server, _ in
            server.ports = [Settings.PortBinding(port: 0, environment: .production)]
        } _: { box in
            let body = #"{"token": "\#(Self.token)", "topic": "com.example.app", "environment": "sandbox"}"#
            try expectProblem(
                await box.http.call("POST", "/v1/notifications", body), 409, mentions: "no TLS port for sandbox")
        }
    }

    @Test("without an answer, the reason is reported, and the push is found")
    func unanswered() async throws {
        try await Box.with { box in
            let rule = #"{"action": {"type": "resetStream", "code": "INTERNAL_ERROR"}, "times": 1}"#
            _ = try await box.json("POST", "/v1/faults", rule, status: 201)
            let body = #"{"token": "\#(Self.token)", "topic": "com.example.app", "payload": {"aps": {}}}"#
            let reset = try await box.json("POST", "/v1/notifications", body)
            #expect(reset["status"] == .null)
            #expect(reset["problem"]?.string?.contains("INTERNAL_ERROR") == true)
            let push = try await box.json("GET", "/v1/notifications/\(try #require(reset["sequence"]?.integer))")
            #expect(push["apnsId"] == reset["apnsId"])

            _ = try await box.json("POST", "/v1/faults", #"{"action": {"type": "stall"}}"#, status: 201)
            // A busy machine may need longer than the shortest of them to connect, which is another problem.
            var problems: [String] = []
            for (timeout, text) in [("50ms", "50 ms"), ("1s", "1 s"), ("60s", "60 s")] {
                let late = try await box.json(
                    "POST", "/v1/notifications", body.replacing("}}", with: #"}}, "timeout": "\#(timeout)""#))
                #expect(late["status"] == .null)
                let problem = try #require(late["problem"]?.string)
                if problem.contains("no answer within \(text)") { return }
                problems.append(problem)
            }
            Issue.record("expected \"no answer within\" and the time: \(problems)")
        }
    }

    @Test("a handshake that fails sends no push")
    func noHandshake() async throws {
        try await Box.with { box in
            let rule = #"{"match": {"event": "handshake"}, "action": {"type": "tls", "certificate": "untrusted"}}"#
            _ = try await box.json("POST", "/v1/faults", rule, status: 201)
            let answer = try await box.json("POST", "/v1/notifications", #"{"token": "\#(Self.token)"}"#)
            #expect(answer["status"] == .null)
            #expect(answer["sequence"] == .null)
            #expect(answer["problem"]?.string?.isEmpty == false)
        }
    }

    @Test("a broadcast goes to a channel of an app")
    func broadcast() async throws {
        try await Box.with { box in
            let made = try await box.json("POST", "/v1/channels", #"{"bundleId": "com.example.app"}"#, status: 201)
            let channel = try #require(made["id"]?.string)
            let answer = try await box.json(
                "POST", "/v1/notifications",
                """
                {"channel": "\(channel)", "topic": "com.example.app", "pushType": "liveactivity", "expiration": 0,
                 "payload": {"aps": {"event": "end", "timestamp": \(box.server.now.milliseconds / 1000),
                 "content-state": {}}}}
                """)
            #expect(answer["status"] == 200, "\(answer)")
            let push = try await box.json("GET", "/v1/notifications/\(try #require(answer["sequence"]?.integer))")
            #expect(push["channel"]?.string == channel)
            #expect(push["apnsId"] == answer["apnsId"])
        }
    }

    @Test(
        "a wrong body is refused before anything is sent",
        arguments: [
            ("{}", "/token", "expected a device token"), (#"{"token": "a", "channel": "b"}"#, "/token", "exclude"),
            (#"{"token": "a\r\nb"}"#, "/token", "printable ASCII"),
            (#"{"token": "a", "topic": "ü"}"#, "/topic", "ASCII"),
            (#"{"token": "a", "collapseId": " b"}"#, "/collapseId", "without spaces around it"),
            (#"{"token": "a", "payload": {}, "payloadBase64": ""}"#, "/payloadBase64", "exclude"),
            (#"{"token": "a", "payloadBase64": 1}"#, "/payloadBase64", "expected a string"),
            (#"{"token": "a", "environment": "test"}"#, "/environment", "sandbox"),
            (#"{"token": "a", "timeout": "61s"}"#, "/timeout", "at most 1m"),
            (#"{"token": "a", "tpoic": ""}"#, "/tpoic", "topic"),
        ])
    func wrongBody(body: String, field: String, word: String) async throws {
        try await Box.with { box in
            try expectProblem(
                await box.http.call("POST", "/v1/notifications", body), 400, field: field, mentions: word)
            #expect(try await box.items("/v1/notifications", "sequence").isEmpty)
        }
    }
}
