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

    @Test("the journal names the push that took the place of one that waited for the summary")
    func replacedBeforeTheSummary() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let token = try await box.device(
                "a", #","summary":{"times":["18:00"],"apps":["com.example.app"]}"#)
            for _ in 0..<2 { try await box.send(to: token, headers: [("apns-collapse-id", "c")]) }
            let newer = try #require(box.sent[2])
            let events = try await box.notification(1)["timeline"]?.array ?? []
            #expect(events.last?["event"] == "notShown")
            #expect(
                events.last?["detail"]?.string == "not shown: push \(newer) took its place before the summary")
        }
    }

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

            let first = try #require(box.sent[1])
            let second = try #require(box.sent[2])
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
                field: "sequence", mentions: "push \(second)")
        }
    }

    @Test("a background push wakes the app only with the number 1 as content-available")
    func contentAvailable() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a")
            _ = try await box.json("GET", Self.path)
            for value in ["0", "2", #""1""#, "true", "1"] {
                try await box.send(
                    to: token, "{\"aps\":{\"content-available\":\(value)}}",
                    headers: [("apns-push-type", "background"), ("apns-priority", "5")])
            }
            try await box.send(
                to: token, #"{"aps":{}}"#, headers: [("apns-push-type", "background"), ("apns-priority", "5")])
            let wakes = try await box.json("GET", Self.path)["wakes"]?.array ?? []
            #expect(box.ordinals(wakes) == [4, 5])
            #expect(try await box.notification(4)["warnings"]?.array?.count == 1)
            #expect(try await box.notification(5)["warnings"] == [])
        }
    }

    @Test("a tvOS device has the badge alone, and an alert to an app that is turned off does not arrive")
    func platformAndPermissions() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a", #","platform":"tvOS""#)
            try await box.send(to: token, #"{"aps":{"alert":"hi","badge":2,"sound":"default"}}"#)
            let screen = try await box.json("GET", Self.path)
            #expect(screen["notifications"] == [])
            #expect(screen["badges"] == ["com.example.app": 2])
            let shown = try await box.notification(1)
            #expect(shown["outcome"] == "delivered")
            #expect(shown["shown"] == false)
            #expect(shown["timeline"]?.array?.last?["detail"] == "not shown: tvOS shows no alerts")

            _ = try await box.json(
                "PATCH", "/v1/devices/a/registrations/com.example.app",
                #"{"permissions":{"authorization":"denied"},"backgroundModes":[]}"#)
            try await box.send(to: token, #"{"aps":{"alert":"hi"}}"#)
            let discarded = try await box.notification(2)
            #expect(discarded["status"] == 200)
            #expect(discarded["outcome"] == "discarded")
            #expect(discarded["shown"] == false)
            #expect(
                discarded["timeline"]?.array?.last?["detail"] == "the user has turned the app's notifications off")
            try await box.send(
                to: token, #"{"aps":{"content-available":1}}"#,
                headers: [("apns-push-type", "background"), ("apns-priority", "5")])
            #expect(try await box.notification(3)["outcome"] == "discarded")
            #expect(try await box.json("GET", "/v1/devices/a/inbox")["items"]?.array?.count == 1)
        }
    }

    @Test("the devices of one user are changed together, all or none, and each keeps its screen")
    func devicesOfOneUser() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a", #","user":"kim","watch":{}"#)
            _ = try await box.device("b", #","user":"kim","platform":"iPadOS""#)
            _ = try await box.device("c")
            let changed = try await box.json("PATCH", "/v1/devices?user=kim", #"{"locked":true}"#)
            #expect(changed == ["changed": ["devices": 2]])
            try expectProblem(
                try await box.http.call("PATCH", "/v1/devices?user=kim", #"{"locked":false,"watch":{"worn":false}}"#),
                400, field: "/watch", mentions: "b: a watch pairs with an iPhone, not with iPadOS: expected null")
            let devices = try await box.json("GET", "/v1/devices")["items"]?.array ?? []
            #expect(devices.map { $0["locked"] } == [true, true, false])
            #expect(devices.map { $0["user"] } == ["kim", "kim", .null])
            #expect(devices.first?["watch"] == ["worn": true, "locked": false])

            try await box.send(to: token, #"{"aps":{"alert":"hi"}}"#)
            #expect(try await box.json("GET", Self.path)["notifications"]?.array?.map { $0["onWatch"] } == [true])
            #expect(try await box.json("GET", "/v1/devices/b/screen")["notifications"] == [])
            try expectProblem(
                try await box.http.call("POST", "/v1/devices", #"{"id":"d","platform":"macOS","watch":{}}"#), 400,
                field: "/watch", mentions: "not with macOS")
        }
    }

    @Test("an App Clip shows notifications until 8 hours after each launch")
    func appClip() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let token = try await box.device("a")
            let app = "/v1/devices/a/registrations/com.example.app"
            _ = try await box.json("PATCH", app, #"{"permissions":{"authorization":"ephemeral"}}"#)
            func bodies() async throws -> [String?] {
                try await box.json("GET", Self.path)["notifications"]?.array?.map { $0["body"]?.string } ?? []
            }
            try await box.send(to: token, #"{"aps":{"alert":"at once"}}"#)
            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"7h59m59s"}"#)
            try await box.send(to: token, #"{"aps":{"alert":"in time"}}"#)
            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"1s"}"#)
            try await box.send(to: token, #"{"aps":{"alert":"too late","badge":1,"sound":"default"}}"#)
            #expect(try await bodies() == ["in time", "at once"])
            #expect(try await box.json("GET", Self.path)["badges"] == [:])
            _ = try await box.json(
                "POST", "/v1/devices/a/registrations", #"{"topic":"com.example.app"}"#)
            try await box.send(to: token, #"{"aps":{"alert":"launched again"}}"#)
            #expect(try await bodies() == ["launched again", "in time", "at once"])
            try expectProblem(
                try await box.http.call(
                    "POST", "/v1/devices",
                    #"{"platform":"macOS","registrations":[{"topic":"a","permissions":{"authorization":"ephemeral"}}]}"#
                ),
                400, field: "/registrations/0/permissions/authorization", mentions: "macOS has no App Clips")
        }
    }

    @Test(
        "a scheduled summary that can't be is refused with its field",
        arguments: [
            (#"{"platform":"macOS","summary":{"times":["08:00"],"apps":["a"]}}"#, "/summary"),
            (#"{"summary":{"times":["24:00"],"apps":["a"]}}"#, "/summary/times/0"),
            (#"{"summary":{"times":["08:00","8 Uhr"],"apps":["a"]}}"#, "/summary/times/1"),
            (#"{"summary":{"times":[],"apps":["a"]}}"#, "/summary/times"),
            (#"{"summary":{"times":["08:00"]}}"#, "/summary/apps"),
        ])
    func impossibleSummary(device: String, field: String) async throws {
        try await Box.withPushes { box in
            let answer = try await box.http.call("POST", "/v1/devices", device)
            #expect(answer.status == 400)
            #expect(try answer.json()["field"]?.string == field)
        }
    }

    @Test(
        "what is heard is a fact of the push, of its timeline and of the screen, with an alert or without",
        arguments: [
            (#""appState":"suspended""#, false, ["default"]), (#""appState":"suspended""#, true, []),
            (#""appState":"foreground","presentInForeground":["sound"]"#, false, ["default"]),
            (#""appState":"foreground""#, false, []),
        ] as [(String, Bool, [String])])
    func sounded(app: String, isMuted: Bool, sounds: [String]) async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a", #","muted":\#(isMuted)"#)
            _ = try await box.json("PATCH", "/v1/devices/a/registrations/com.example.app", "{\(app)}")
            try await box.send(to: token, #"{"aps":{"sound":"default","badge":2}}"#)
            let push = try await box.notification(1)
            #expect(push["sounded"] == .bool(!sounds.isEmpty))
            let heard = (push["timeline"]?.array ?? []).filter { $0["event"] == "sounded" }
            #expect(heard.compactMap { $0["detail"]?.string } == sounds)
            let met = try await box.json(
                "POST", "/v1/expectations", #"{"match":{"sounded":\#(!sounds.isEmpty)},"within":"0s"}"#)
            #expect(met["met"] == true)
            let onScreen = try await box.json("GET", Self.path)["sounds"]?.array ?? []
            #expect(onScreen.compactMap { $0["sound"]?["name"]?.string } == sounds)
        }
    }

    @Test("a critical sound is heard on a muted device, and others once it is not muted")
    func muted() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a", #","muted":true"#)
            _ = try await box.json(
                "PATCH", "/v1/devices/a/registrations/com.example.app", #"{"permissions":{"critical":true}}"#)
            try await box.send(to: token, #"{"aps":{"alert":"a","sound":"default"}}"#)
            try await box.send(to: token, #"{"aps":{"alert":"b","sound":{"critical":1,"name":"default"}}}"#)
            #expect(try await box.json("PATCH", "/v1/devices/a", #"{"muted":false}"#)["muted"] == false)
            try await box.send(to: token, #"{"aps":{"alert":"c","sound":"default"}}"#)
            #expect(try await box.ordinals("/v1/notifications?sounded=true") == [2, 3])
        }
    }

    @Test("an app sets and clears its badge, if it is there and the user lets it have one")
    func badge() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a")
            try await box.send(to: token, #"{"aps":{"badge":5}}"#)
            let set = try await box.json("PATCH", Self.path, #"{"badges":{"com.example.app":2}}"#)
            #expect(set["badges"] == ["com.example.app": 2])
            #expect(try await box.json("PATCH", Self.path, #"{"badges":{"com.example.app":0}}"#)["badges"] == [:])
            try expectProblem(
                try await box.http.call("PATCH", Self.path, #"{"badges":{"com.example.ap":1}}"#), 400,
                field: "/badges/com.example.ap", mentions: "com.example.app")
            _ = try await box.json(
                "PATCH", "/v1/devices/a/registrations/com.example.app", #"{"permissions":{"badge":false}}"#)
            try expectProblem(
                try await box.http.call("PATCH", Self.path, #"{"badges":{"com.example.app":1}}"#), 409,
                field: "/badges/com.example.app", mentions: "expected 0")
            try expectProblem(
                try await box.http.call("PATCH", Self.path, "{}"), 400, field: "/badges", mentions: "badges is missing")
        }
    }

    @Test("notifications are cleared all together, by app, or by identifier")
    func cleared() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a")
            let other = try await box.json(
                "POST", "/v1/devices/a/registrations", #"{"topic":"com.example.other"}"#, status: 201)
            try await box.send(to: token, headers: [("apns-collapse-id", "game")])
            let id = "123e4567-e89b-12d3-a456-426655440000"
            try await box.send(to: token, headers: [("apns-id", id)])
            try await box.send(to: try #require(other["token"]?.string), topic: "com.example.other")
            try await box.send(to: token)
            let screen = try await box.json("GET", Self.path)
            let identifiers = (screen["notifications"]?.array ?? []).compactMap { $0["identifier"]?.string }
            #expect(identifiers.contains(id) && identifiers.contains("game"))

            let two = try await box.json("DELETE", Self.path + "?identifier=game&identifier=\(id)")
            #expect(two == ["removed": ["notifications": 2]])
            let none = try await box.json("DELETE", Self.path + "?identifier=game")
            #expect(none == ["removed": ["notifications": 0]])
            let one = try await box.json("DELETE", Self.path + "?topic=com.example.other")
            #expect(one == ["removed": ["notifications": 1]])
            try expectProblem(
                try await box.http.call("DELETE", Self.path + "?topc=x"), 400, field: "topc", mentions: "topic")
            #expect(try await box.json("DELETE", Self.path) == ["removed": ["notifications": 1]])
            #expect(try await box.json("GET", Self.path)["responses"] == [])
        }
    }

    @Test("a locked device hides previews that need an unlocked one, and refuses what opens an app")
    func locked() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a", #","locked":true"#)
            _ = try await box.json(
                "PATCH", "/v1/devices/a/registrations/com.example.app",
                #"{"permissions":{"showPreviews":"whenUnlocked"}}"#)
            try await box.send(to: token, #"{"aps":{"alert":{"title":"Bank","body":"1234"}}}"#)
            let action = Self.path + "/\(try #require(box.sent[1]))/actions"
            let hidden = try await box.json("GET", Self.path)["notifications"]?.array?.first
            #expect(hidden?["body"] == "Notification" && hidden?["title"] == .null)
            let asSeen = try await box.json(
                "POST", "/v1/expectations",
                #"{"match":{"screen":{"/previewHidden":true,"/lockScreen":true,"/body":"Notification"}},"within":"0s"}"#
            )
            #expect(asSeen["met"] == true)
            try expectProblem(
                try await box.http.call("POST", action, #"{"action":"default"}"#), 409, field: "/action",
                mentions: "locked")
            _ = try await box.json("PATCH", "/v1/devices/a", #"{"locked":false}"#)
            #expect(try await box.json("GET", Self.path)["notifications"]?.array?.first?["body"] == "1234")
            #expect(try await box.json("POST", action, #"{"action":"default"}"#)["sequence"] != .null)
        }
    }

    @Test(
        "what contradicts the platform or itself is refused with its place",
        arguments: [
            (#""platform":"tvOS","muted":true"#, "/muted"),
            (
                #""platform":"tvOS","registrations":[{"topic":"a","permissions":{"alertStyle":"alert"}}]"#,
                "/registrations/0/permissions/alertStyle"
            ),
            (
                #""platform":"watchOS","registrations":[{"topic":"a","permissions":{"showPreviews":"never"}}]"#,
                "/registrations/0/permissions/showPreviews"
            ),
            (
                #""registrations":[{"topic":"a","permissions":{"alertStyle":"loud"}}]"#,
                "/registrations/0/permissions/alertStyle"
            ),
            (
                #""registrations":[{"topic":"a","categories":[{"id":"c","actions":[{"id":"r","textInputPlaceholder":"x"}]}]}]"#,
                "/registrations/0/categories/0/actions/0/textInputPlaceholder"
            ),
            (
                #""platform":"tvOS","registrations":[{"topic":"a","permissions":{"timeSensitive":false}}]"#,
                "/registrations/0/permissions/timeSensitive"
            ),
            (#""platform":"watchOS","model":"iPhone 17""#, "/platform"), (#""model":"Apple TV 4K""#, "/platform"),
            (#""platform":"macOS","watch":{}"#, "/watch"), (#""locale":"english""#, "/locale"),
            (#""languages":["de","klingon"]"#, "/languages/1"), (#""languages":["xx-DE"]"#, "/languages/0"),
            (#""registrations":[{"topic":"a","strings":{"English":{}}}]"#, "/registrations/0/strings/English"),
            (
                #""registrations":[{"topic":"a","developmentLanguage":"Base"}]"#,
                "/registrations/0/developmentLanguage"
            ),
            (#""summary":{"times":["08:00"],"apps":["no topic"]}"#, "/summary/apps/0"),
            (#""focus":{"name":"Work","apps":["a","Mail app"]}"#, "/focus/apps/1"),
            (
                #""registrations":[{"topic":"a","sounds":["b.caf",{"name":"b.caf","duration":"40s"}]}]"#,
                "/registrations/0/sounds/1"
            ),
            (
                #""registrations":[{"topic":"a","launched":false,"appState":"foreground"}]"#,
                "/registrations/0/appState"
            ),
        ])
    func contradictory(device: String, field: String) async throws {
        try await Box.withPushes { box in
            let answer = try await box.http.call("POST", "/v1/devices", #"{"id":"a",\#(device)}"#)
            #expect(answer.status == 400, "\(answer.text)")
            #expect(try answer.json()["field"] == .string(field))
        }
    }

    @Test("a change that contradicts the platform is refused, and changes nothing")
    func contradictoryChange() async throws {
        try await Box.withPushes { box in
            _ = try await box.device("a", #","platform":"tvOS""#)
            let app = "/v1/devices/a/registrations/com.example.app"
            for (name, value) in [("lockScreen", "false"), ("showPreviews", #""never""#)] {
                try expectProblem(
                    try await box.http.call("PATCH", app, "{\"permissions\":{\"\(name)\":\(value)}}"), 400,
                    field: "/permissions/\(name)", mentions: "tvOS has no")
            }
            try expectProblem(
                try await box.http.call("PATCH", "/v1/devices/a", #"{"locked":true}"#), 400, field: "/locked",
                mentions: "never locked")
            let device = try await box.json("GET", "/v1/devices/a")
            #expect(device["locked"] == false)
            // What is answered can be sent again.
            #expect(try await box.json("PUT", "/v1/devices/a", device.encodedText)["platform"] == "tvOS")
        }
    }

    @Test("a scheduled summary has the most relevant first, and none that may not wait")
    func summary() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let token = try await box.device("a", #","summary":{"times":["08:00"],"apps":["com.example.app"]}"#)
            for aps in [
                #""relevance-score":0.2"#, #""relevance-score":0.9"#, #""badge":1"#,
                #""relevance-score":1,"interruption-level":"time-sensitive""#,
            ] {
                try await box.send(to: token, #"{"aps":{"alert":"hi",\#(aps)}}"#)
            }
            let held = try await box.json("GET", Self.path)
            #expect(box.ordinals(held["held"]?.array) == [1, 2, 3])
            #expect(held["summary"] == [])
            #expect(box.ordinals(held["notifications"]?.array) == [4])
            #expect(held["badges"] == ["com.example.app": 1])
            let first = try await box.json("GET", "/v1/notifications/\(try #require(box.sent[1]))")
            #expect(first["shown"] == false)

            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"24h"}"#)
            let shown = try await box.json("GET", "/v1/notifications/\(try #require(box.sent[1]))")
            #expect(shown["shown"] == true)
            let screen = try await box.json("GET", Self.path)
            #expect(screen["held"] == [])
            #expect(screen["groups"]?.array?.map { $0["count"] } == [4])
            let summary = try #require(screen["summary"]?.array)
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
            // Sent while the clock stands, however long that takes; then the clock runs to the end.
            try await box.freeze()
            let end = try #require(Instant(rfc3339: Box.noon)).milliseconds / 1000 + 60
            try await box.send(to: token, headers: [("apns-expiration", String(end))])
            _ = try await box.json("PUT", "/v1/clock", #"{"mode":"offset","now":"2026-11-21T12:00:59.900Z"}"#)
            let due = try await box.json("GET", "/v1/notifications?outcome=expired&wait=60s")
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
