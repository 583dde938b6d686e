import APNsRules
import Mynah
import Testing

@testable import MynahControl

/// `/v1/devices/{id}/registrations`.
@Suite("Apps of a device")
struct RegistrationTests {
    private static let path = "/v1/devices/a/registrations"
    private static let app = #"{"topic":"com.example.app"}"#

    @Test("installing is 201 with a token, and installing again is 200 with the same token")
    func install() async throws {
        try await Box.with { box in
            _ = try await box.json("POST", "/v1/devices", #"{"id":"a"}"#, status: 201)
            let made = try await box.http.call("POST", Self.path, Self.app)
            #expect(made.status == 201, "\(made.text)")
            let place = try #require(made.headers.first(name: "location"))
            #expect(try await box.json("GET", place) == (try made.json()))
            let again = try await box.json("POST", Self.path, Self.app)
            #expect(again["token"] == (try made.json()["token"]))
            #expect(try await box.items(Self.path, "topic") == ["com.example.app"])
        }
    }

    @Test("an installed app has no token until it is launched")
    func launch() async throws {
        try await Box.with { box in
            _ = try await box.json("POST", "/v1/devices", #"{"id":"a"}"#, status: 201)
            let installed = try await box.json(
                "POST", Self.path, #"{"topic":"com.example.app","launched":false}"#, status: 201)
            #expect(installed["token"] == JSONValue.null)
            #expect(installed["state"] == "notLaunched")
            let launched = try await box.json("POST", Self.path, Self.app, status: 201)
            #expect(launched["token"]?.string?.count == 64)
        }
    }

    @Test("after a reinstallation the app has a new token, and the old one answers 410")
    func rotate() async throws {
        try await Box.withPushes { box in
            let old = try await box.device("a")
            let app = try await box.json(
                "POST", Self.path, #"{"topic":"com.example.app","rotate":"reinstall"}"#, status: 201)
            let new = try #require(app["token"]?.string)
            #expect(new != old)
            #expect(try await box.send(to: new) == 200)
            #expect(try await box.send(to: old) == 410)
        }
    }

    private static let suffixed = ["com.example.app.voip", "com.example.app.push-type.liveactivity"]

    @Test("the tokens of an app's suffixed topics end with the app, those of other apps don't")
    func suffixedTopics() async throws {
        try await Box.withPushes { box in
            let plain = try await box.device("a")
            var tokens: [String: String] = [:]
            for topic in Self.suffixed + ["com.example.app2.voip"] {
                let app = try await box.json("POST", Self.path, #"{"topic":"\#(topic)"}"#, status: 201)
                tokens[topic] = try #require(app["token"]?.string)
            }
            _ = try await box.json("DELETE", Self.path + "/com.example.app")
            #expect(try await box.send(to: plain) == 410)
            for topic in Self.suffixed {
                #expect(try await box.send(to: #require(tokens[topic]), topic: topic) == 410, "\(topic)")
            }
            let other = try #require(tokens["com.example.app2.voip"])
            #expect(try await box.send(to: other, topic: "com.example.app2.voip") == 200)
        }
    }

    @Test(
        "an app that gets another token gets others for its suffixed topics, too",
        arguments: ["reinstall", "restore", "osReinstall"])
    func suffixedTopicsAnew(rotation: String) async throws {
        try await Box.withPushes { box in
            try await box.device("a")
            for topic in Self.suffixed {
                _ = try await box.json("POST", Self.path, #"{"topic":"\#(topic)"}"#, status: 201)
            }
            let before = try await tokens(box)
            #expect(before.count == 3)
            let body = #"{"topic":"com.example.app","rotate":"\#(rotation)"}"#
            _ = try await box.json("POST", Self.path, body, status: 201)
            if rotation == "restore" {
                // It has no token until it is launched.
                #expect(try await tokens(box) == [:])
                _ = try await box.json("POST", Self.path, Self.app, status: 201)
            }
            let after = try await tokens(box)
            #expect(after.keys.sorted() == before.keys.sorted())
            for (topic, token) in before {
                #expect(after[topic] != token)
                #expect(try await box.send(to: token, topic: topic) == 410, "\(topic)")
            }
        }
    }

    /// The present tokens by topic.
    private func tokens(_ box: Box) async throws -> [String: String] {
        let apps = try await box.json("GET", Self.path)["items"]?.array ?? []
        let active = apps.filter { $0["state"] == "active" }
        return Dictionary(
            active.compactMap { app in
                app["topic"]?.string.flatMap { topic in app["token"]?.string.map { (topic, $0) } }
            }, uniquingKeysWith: { $1 })
    }

    @Test(
        "a device's own token is refused where it would take it from itself, whether it has a name or a push made it",
        arguments: [
            (true, "com.example.app", "reinstall", 400), (true, "com.example.app", "osReinstall", 400),
            (true, "com.example.other", nil, 409), (false, "com.example.app", "reinstall", 400),
            (false, "com.example.app", "osReinstall", 400), (false, "com.example.other", nil, 409),
        ] as [(Bool, String, String?, Int)])
    func ownToken(isNamed: Bool, topic: String, rotation: String?, status: Int) async throws {
        try await Box.withPushes { box in
            let named = try await box.device("a")
            let token = isNamed ? named : String(repeating: "ab", count: 32)
            #expect(try await box.send(to: token) == 200)
            let rotate = rotation.map { #","rotate":"\#($0)""# } ?? ""
            let path = "/v1/devices/\(isNamed ? "a" : token)/registrations"
            try expectProblem(
                await box.http.call("POST", path, #"{"topic":"\#(topic)","token":"\#(token)"\#(rotate)}"#), status,
                field: "/token")
            #expect(try await box.items(path, "token") == [.string(token)])
            #expect(try await box.send(to: token) == 200)
        }
    }

    @Test("settings decide when a removal is noticed, and the length of issued tokens")
    func settings() async throws {
        try await Box.withPushes { settings, _ in
            settings.unregisterDelay = .seconds(3600) ... .seconds(3600)
            settings.issuedTokenByteCount = 100
        } _: { box in
            try await box.freeze()
            let token = try await box.device("a")
            #expect(token.utf8.count == 200)
            _ = try await box.json("DELETE", "/v1/devices/a/registrations/com.example.app")
            #expect(try await box.send(to: token) == 200)
            #expect(try await box.notification(1)["outcome"] == "discarded")
            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"1h"}"#)
            #expect(try await box.send(to: token) == 410)
            #expect(try await box.notification(2)["timestamp"] != nil)
        }
    }

    @Test("a budget keeps the newest push, and low power defers priority 5 up to the configured time")
    func flow() async throws {
        try await Box.withPushes { settings, _ in
            settings.backgroundBudget = 1
            settings.deferralMax = .seconds(900)
        } _: { box in
            try await box.freeze()
            let token = try await box.device("a")
            for _ in 0..<3 {
                try await box.send(
                    to: token, #"{"aps":{"content-available":1}}"#,
                    headers: [("apns-push-type", "background"), ("apns-priority", "5")])
            }
            #expect(try await box.items("/v1/notifications", "outcome") == ["delivered", "discarded", "deferred"])
            #expect(try await box.json("GET", "/v1/status")["counts"]?["deferred"] == 1)
            #expect(try await box.json("POST", "/v1/clock/advance", #"{"to":"next"}"#)["delivered"] == 1)
            #expect(try await box.json("GET", "/v1/clock")["now"] == "2026-11-21T13:00:00.000Z")

            _ = try await box.json("PATCH", "/v1/devices/a", #"{"power":"asleep"}"#)
            try await box.send(to: token, headers: [("apns-priority", "5")])
            #expect(try await box.json("POST", "/v1/clock/advance", #"{"by":"14m59s"}"#)["delivered"] == 0)
            #expect(try await box.json("POST", "/v1/clock/advance", #"{"by":"1s"}"#)["delivered"] == 1)
        }
    }

    @Test("uninstalling returns the app, whose token is Unregistered from then on")
    func uninstall() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a")
            let left = try await box.json("DELETE", Self.path + "/com.example.app")
            #expect(left["token"]?.string == token)
            #expect(left["state"] == "unregistered")
            #expect(left["unregisteredAt"]?.string != nil)
            #expect(try await box.send(to: token) == 410)
            #expect(try await box.notification(1)["reason"] == "Unregistered")
            #expect(try await box.json("GET", Self.path + "/com.example.app")["state"] == "unregistered")
            try expectProblem(
                await box.http.call("DELETE", Self.path + "/com.example.app"), 404, field: "topic",
                mentions: "no app")
        }
    }

    @Test("PATCH changes one app, and ?environment= selects one of two with the same topic")
    func patch() async throws {
        try await Box.with { box in
            try await box.device("a")
            _ = try await box.json(
                "POST", Self.path, #"{"topic":"com.example.app","environment":"production"}"#, status: 201)
            let changed = try await box.json(
                "PATCH", Self.path + "/com.example.app?environment=production", #"{"appState":"forceQuit"}"#)
            #expect(changed["appState"] == "forceQuit")
            #expect(changed["environment"] == "production")
            #expect(try await box.json("GET", Self.path + "/com.example.app")["appState"] == "suspended")
        }
    }

    @Test(
        "an invalid call is refused with field and expected value",
        arguments: [
            ("POST", "", #"{}"#, 400, "/topic", "topic"),
            ("POST", "", #"{"topic":"com.example.app","rotat":"restore"}"#, 400, "/rotat", "rotate"),
            ("POST", "", #"{"topic":"com.example.other","rotate":"restore"}"#, 404, "/rotate", "no app"),
            ("POST", "", #"{"topic":"com.example.other","entitled":false}"#, 403, "/entitled", "entitlement"),
            ("PATCH", "/com.example.app", #"{"appState":"asleep"}"#, 400, "/appState", "asleep"),
            ("PATCH", "/com.example.app?environment=beta", "{}", 400, "environment", "sandbox"),
            ("PATCH", "/com.example.app?enviroment=sandbox", "{}", 400, "enviroment", "environment"),
            ("PATCH", "/com.example.ap", "{}", 404, "topic", "com.example.ap"),
            ("GET", "/com.example.ap", nil, 404, "topic", "com.example.app"),
        ])
    func wrong(
        method: String, place: String, body: String?, status: Int, field: String?, words: String
    ) async throws {
        try await Box.with { box in
            try await box.device("a")
            try expectProblem(
                await box.http.call(method, Self.path + place, body), status, field: field, mentions: words)
        }
    }
}
