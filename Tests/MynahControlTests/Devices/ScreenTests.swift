import APNsRules
import Logging
import MynahCore
import Testing

@testable import Mynah
@testable import MynahControl

/// `GET /v1/devices/{id}/screen` and the user's actions, beginning with a provider's push
/// (`DeviceBehaviour#What-the-user-sees`, `DeviceBehaviour#The-service-extension`,
/// `DeviceBehaviour#Pushes-that-are-not-alerts`).
@Suite("Screen")
struct ScreenTests {
    private static let path = "/v1/devices/a/screen"

    @Test("notifications are in the order of the screen, and the user's actions reach the app")
    func seenAndDone() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let token = try await box.device("a", #","locale":"de-AT""#)
            _ = try await box.json(
                "PATCH", "/v1/devices/a/registrations/com.example.app",
                #"""
                {"strings":{"de":"\"HELLO\" = \"Hallo, %@\";"},"categories":[{"id":"CHAT",
                "actions":[{"id":"REPLY","title":"Antworten","textInput":true}],"customDismiss":true}]}
                """#)
            try await box.send(to: token, #"{"aps":{"alert":{"loc-key":"HELLO","loc-args":["Kim"]},"badge":3}}"#)
            try await box.send(to: token, #"{"aps":{"alert":"two","category":"CHAT"}}"#)
            let screen = try await box.json("GET", Self.path)
            let bodies = screen["notifications"]?.array?.map { $0["body"]?.string }
            #expect(bodies == ["two", "Hallo, Kim"])
            #expect(screen["badges"] == ["com.example.app": 3])

            let (first, second) = (try #require(box.sent[1]), try #require(box.sent[2]))
            let reply = try await box.json(
                "POST", Self.path + "/\(second)/actions", #"{"action":"REPLY","text":"Grüß dich"}"#)
            #expect(reply["text"] == "Grüß dich")
            #expect(reply["action"] == "REPLY")
            _ = try await box.json("DELETE", Self.path + "/\(first)")
            let after = try await box.json("GET", Self.path)
            #expect(after["notifications"]?.array?.isEmpty == true)
            #expect(after["responses"]?.array?.count == 1)
            try expectProblem(
                try await box.http.call("POST", Self.path + "/\(second)/actions", #"{"action":"default"}"#), 404,
                mentions: "push \(second)")
        }
    }

    @Test("a scheduled summary has the most relevant first, and no time-sensitive ones")
    func summary() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a")
            for aps in [
                #""relevance-score":0.2"#, #""relevance-score":0.9"#, #""badge":1"#,
                #""relevance-score":1,"interruption-level":"time-sensitive""#,
            ] {
                try await box.send(to: token, #"{"aps":{"alert":"hi",\#(aps)}}"#)
            }
            let summary = try #require(try await box.json("GET", Self.path)["summary"]?.array)
            #expect(summary.map { $0.integer.flatMap { box.sent.ordinal(of: UInt64($0)) } } == [2, 1, 3])
        }
    }

    @Test("an app's notifications are removed with it", arguments: ["uninstalled", "reinstalled"])
    func uninstalled(how: String) async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a")
            try await box.send(to: token, #"{"aps":{"alert":"hi","badge":1}}"#)
            #expect(try await box.json("GET", Self.path)["notifications"]?.array?.count == 1)
            if how == "uninstalled" {
                _ = try await box.json("DELETE", "/v1/devices/a/registrations/com.example.app")
            } else {
                _ = try await box.json(
                    "POST", "/v1/devices/a/registrations", #"{"topic":"com.example.app","rotate":"reinstall"}"#,
                    status: 201)
            }
            let screen = try await box.json("GET", Self.path)
            #expect(screen["notifications"]?.array?.isEmpty == true)
            #expect(screen["badges"] == [:])
        }
    }

    @Test("a notification and its journal entry are shown once its service extension is done")
    func serviceExtension() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let token = try await box.device("a")
            _ = try await box.json(
                "PATCH", "/v1/devices/a/registrations/com.example.app",
                #"{"serviceExtension":{"rewrite":{"aps":{"alert":"rewritten"}},"takes":"5s"}}"#)
            try await box.send(to: token, #"{"aps":{"alert":"hi","mutable-content":1}}"#)
            let before = try await box.notification(1)
            #expect(before["outcome"] == "delivered")
            #expect(before["shown"] == false)
            #expect(before["timeline"]?.array?.map { $0["event"]?.string } == ["received", "delivered"])
            #expect(try await box.json("GET", Self.path)["notifications"]?.array?.isEmpty == true)

            let report = try await box.json("POST", "/v1/clock/advance", #"{"to":"next"}"#)
            #expect(report["now"] == "2026-11-21T12:00:05.000Z")
            #expect(report["delivered"] == 0)
            let after = try await box.notification(1)
            #expect(after["shown"] == true)
            let last = after["timeline"]?.array?.last
            #expect(last?["event"] == "shown")
            #expect(last?["at"] == "2026-11-21T12:00:05.000Z")
            let notifications = try await box.json("GET", Self.path)["notifications"]?.array
            #expect(notifications?.first?["body"] == "rewritten")
            #expect(notifications?.first?["mutableContent"] == "modified")
        }
    }

    @Test("notifications that were evicted before the first look are counted")
    func forgotten() async throws {
        try await Box.withPushes { settings, _ in
            settings.retain = 1
        } _: { box in
            let token = try await box.device("a")
            for _ in 1...3 { try await box.send(to: token) }
            let screen = try await box.json("GET", Self.path)
            #expect(box.ordinals(screen["notifications"]?.array) == [3])
            #expect(screen["evicted"] == 2)
        }
    }

    @Test(
        "a push that becomes due is visible to the next call", arguments: ["list", "one", "expectation", "status"])
    func fallsDue(reading: String) async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a", online: false)
            // The clock runs; the screen is read a second before the end, and then after it.
            let end = box.server.now.milliseconds / 1000 + 1
            try await box.send(to: token, headers: [("apns-expiration", String(end))])
            let due = try await box.json("GET", "/v1/notifications?outcome=expired&wait=20s")
            #expect(due["timedOut"] == false)
            switch reading {
            case "list": #expect(try await box.items("/v1/notifications", "outcome") == ["expired"])
            case "one": #expect(try await box.notification(1)["outcome"] == "expired")
            case "status": #expect(try await box.json("GET", "/v1/status")["counts"]?["stored"] == 0)
            default:
                let met = try await box.json(
                    "POST", "/v1/expectations", #"{"match":{"outcome":"expired"},"within":"0s"}"#)
                #expect(met["met"] == true)
            }
        }
    }
}
