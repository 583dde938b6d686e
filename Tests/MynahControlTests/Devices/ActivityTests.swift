import APNsRules
import MynahCore
import Testing

@testable import Mynah
@testable import MynahControl

/// `/v1/devices/{id}/activities`, and pushes to Live Activities.
@Suite("Live Activities of a device")
struct ActivityTests {
    private static let topic = "com.example.app.push-type.liveactivity"
    private static let path = "/v1/devices/kim/activities"
    private static let start = """
        {"aps":{"event":"start","timestamp":1795262400,"attributes-type":"GameAttributes","attributes":{"home":"A"},\
        "content-state":{"score":0},"input-push-token":1,\
        "alert":{"title":{"loc-key":"KICK","loc-args":["A"]},"body":"0:0","sound":"whistle.caf"}}}
        """

    /// A device with the app and its push-to-start token, which is returned.
    private func device(_ box: Box, _ further: String = "") async throws -> String {
        let made = try await box.json(
            "POST", "/v1/devices",
            #"{"id":"kim","registrations":[{"topic":"com.example.app","sounds":["whistle.caf"],"#
                + #""strings":{"en":"\"KICK\" = \"%@ kicks off\";"}},{"topic":"\#(Self.topic)"}]\#(further)}"#,
            status: 201)
        return try #require(made["registrations"]?.array?.last?["token"]?.string)
    }

    private func update(_ box: Box, _ token: String, _ members: String) async throws -> JSONValue {
        let count = try await box.json("GET", "/v1/notifications")["matched"]?.integer ?? 0
        try await box.send(to: token, topic: Self.topic, #"{"aps":{\#(members)}}"#)
        return try await box.notification(Int(count) + 1)
    }

    private func token(_ box: Box, _ activity: Int) async throws -> String {
        try #require(try await box.json("GET", "\(Self.path)/\(activity)")["token"]?.string)
    }

    @Test("a start, an update and an end are on the screen, in the journal, and matched by expectations")
    func life() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let pushToStart = try await device(box)
            #expect(try await box.send(to: pushToStart, topic: Self.topic, Self.start) == 200)
            let started = try await box.notification(1)
            #expect(started["outcome"] == "delivered")
            #expect(started["shown"] == true)
            #expect(started["sounded"] == true)
            #expect(started["warnings"]?.array == ["push type inferred"], "\(started.encodedText)")
            let steps = started["timeline"]?.array?.compactMap { $0["event"]?.string }
            #expect(steps == ["received", "delivered", "shown", "sounded"])

            let token = try await token(box, 1)
            let updated = try await update(
                box, token, #""event":"update","timestamp":1795262401,"content-state":{"score":1}"#)
            #expect(updated["outcome"] == "delivered")
            #expect(updated["sounded"] == false)
            let screen = try await box.json("GET", "/v1/devices/kim/screen")
            #expect(screen["activities"]?.array?.first?["contentState"] == ["score": 1])
            #expect(screen["notifications"] == [])
            let sounds = screen["sounds"]?.array?.compactMap { $0["sound"]?["name"] }
            #expect(sounds == ["whistle.caf"])

            let body = #"{"match":{"screen":{"/activities/0/contentState/score":1}},"within":"0s"}"#
            let met = try await box.json("POST", "/v1/expectations", body)
            #expect(met["met"] == true, "\(met.encodedText)")
            #expect(met["matched"] == 1)
            let alerted = try await box.ordinals(
                "/v1/notifications?screen./title=A%20kicks%20off&screen./lockScreen=false&screen./sound/name=whistle.caf"
            )
            #expect(alerted == [1])

            _ = try await update(box, token, #""event":"end","timestamp":1795262402,"content-state":{"score":2}"#)
            let ended = try await box.json("GET", Self.path + "/1")
            #expect(ended["state"] == "ended")
            #expect(ended["dismissalDate"] == "2026-11-21T16:00:00.000Z")
            #expect(ended["history"]?.array?.map { $0["contentState"]?["score"] } == [0, 1, 2])
            let late = try await update(box, token, #""event":"update","timestamp":1795262403,"content-state":{}"#)
            #expect(late["status"] == 410)
            #expect(late["reason"] == "ExpiredToken")
            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"4h"}"#)
            #expect(try await box.json("GET", "/v1/devices/kim/screen")["activities"] == [])
            #expect(try await box.items(Self.path, "state") == ["dismissed"])
        }
    }

    @Test(
        "an alert lights up a locked device, is silent on a muted one, and hidden by a Focus",
        arguments: [
            (#""locked":true"#, "lockScreen", true, true), (#""muted":true"#, "banner", true, false),
            (#""focus":"Work""#, "banner", false, false),
            (#""focus":{"name":"Work","apps":["\#(ActivityTests.topic)"]}"#, "banner", true, true),
        ] as [(String, String, Bool, Bool)])
    func alert(setting: String, place: String, isSeen: Bool, isHeard: Bool) async throws {
        try await Box.withPushes { box in
            let pushToStart = try await device(box, "," + setting)
            try await box.send(to: pushToStart, topic: Self.topic, Self.start)
            #expect(try await box.notification(1)["sounded"] == .bool(isHeard))
            let name = place == "banner" ? "/banner/actions" : "/lockScreen"
            let query: JSONValue = [
                "match": ["screen": [name: place == "banner" ? ["exists": .bool(isSeen)] : .bool(isSeen)]],
                "within": "0s",
            ]
            let found = try await box.json("POST", "/v1/expectations", query.encodedText)
            #expect(found["met"] == true, "\(found.encodedText)")
            #expect(try await box.items(Self.path, "state") == ["active"])
        }
    }

    @Test("an alert without a sound plays the default one, on a screen that is first read later, too")
    func lateScreen() async throws {
        try await Box.withPushes { box in
            let made = try await box.json(
                "POST", "/v1/devices", #"{"id":"kim","registrations":[{"topic":"\#(Self.topic)"}]}"#, status: 201)
            let pushToStart = try #require(made["registrations"]?.array?.first?["token"]?.string)
            let start = Self.start.replacing(#","sound":"whistle.caf""#, with: "")
            try await box.send(to: pushToStart, topic: Self.topic, start)
            #expect(try await box.notification(1)["sounded"] == true)
            let screen = try await box.json("GET", "/v1/devices/kim/screen")
            #expect(screen["sounds"]?.array?.map { $0["sound"]?["name"] } == ["default"])
            #expect(screen["activities"]?.array?.count == 1)
        }
    }

    @Test(
        "a mistake in a payload is a warning",
        arguments: [
            (#""event":"update","timestamp":1795262401"#, "aps has no content-state: expected an object"),
            (
                #""event":"upd","timestamp":1795262401,"content-state":{}"#,
                "aps.event is upd: expected start, update or end"
            ),
            (#""timestamp":1795262401,"content-state":{}"#, "aps has no event: expected start, update or end"),
            (#""event":"update","content-state":{}"#, "aps has no timestamp: expected a number, Unix seconds"),
            (
                #""event":"update","timestamp":1e400,"content-state":{}"#,
                "aps.timestamp is 1e400: expected Unix seconds"
            ),
        ])
    func mistake(members: String, problem: String) async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let pushToStart = try await device(box)
            try await box.send(to: pushToStart, topic: Self.topic, Self.start)
            let push = try await update(box, try await token(box, 1), members)
            #expect(push["status"] == 200)
            #expect(push["outcome"] == "discarded")
            #expect(push["warnings"]?.array?.contains(.string(problem + "; the activity is left as it was")) == true)
            #expect(push["timeline"]?.array?.last?["detail"] == .string(problem))
        }
    }

    @Test(
        "what is unusual is a warning, and the update is applied",
        arguments: [
            (#""stale-date":1795262000"#, "aps.stale-date is past: the activity is stale at once"),
            (
                #""stale-date":1795262401000"#,
                "aps.stale-date is after the year 9999: expected Unix seconds, not milliseconds"
            ),
            (#""stale-date":"soon""#, "aps.stale-date is a string: expected a number"),
            (#""dismissal-date":1795269999"#, "aps.dismissal-date belongs to an end: expected event end"),
            (#""attributes":{}"#, "aps.attributes belongs to a start: expected event start"),
            (#""sound":"default""#, "aps.sound is not played: expected sound in aps.alert"),
            (#""alert":7"#, "aps.alert is a number: expected an object with title and body"),
            (#""alert":{"title":{"loc-kay":"X"}}"#, "aps.alert.title.loc-kay is unknown: did you mean loc-key?"),
            (#""stale-date":1e400"#, "aps.stale-date is 1e400: expected a finite number"),
            (#""relevance-scor":7"#, "aps.relevance-scor is unknown: did you mean relevance-score?"),
        ])
    func unusual(member: String, warning: String) async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let pushToStart = try await device(box)
            try await box.send(to: pushToStart, topic: Self.topic, Self.start)
            let push = try await update(
                box, try await token(box, 1),
                #""event":"update","timestamp":1795262401,"content-state":{"score":1},\#(member)"#)
            #expect(push["outcome"] == "delivered")
            #expect(
                push["warnings"]?.array?.contains(.string(warning)) == true, "\(push["warnings"]?.encodedText ?? "")")
            #expect(try await box.json("GET", Self.path + "/1")["contentState"] == ["score": 1])
        }
    }

    @Test("an app starts, changes and ends an activity, and its user dismisses one")
    func calls() async throws {
        try await Box.withPushes { box in
            _ = try await device(box)
            let body = #"{"topic":"\#(Self.topic)","attributesType":"Game","contentState":{"score":0}}"#
            let made = try await box.http.call("POST", Self.path, body)
            #expect(made.status == 201, "\(made.text)")
            #expect(made.headers.first(name: "location") == Self.path + "/1")
            #expect(try await box.json("GET", Self.path + "/1") == (try made.json()))
            let changed = try await box.json(
                "PATCH", Self.path + "/1", #"{"contentState":{"score":5},"relevanceScore":3}"#)
            #expect(changed["contentState"] == ["score": 5])
            #expect(changed["relevanceScore"] == 3)
            let ended = try await box.json("PATCH", Self.path + "/1", #"{"state":"ended"}"#)
            #expect(ended["state"] == "ended")
            #expect(ended["relevanceScore"] == 3)
            let removed = try await box.json("DELETE", Self.path + "/1")
            #expect(removed == ["removed": ["activities": 1]])
            try expectProblem(await box.http.call("DELETE", Self.path + "/1"), 409, mentions: "already dismissed")
            try expectProblem(
                await box.http.call("GET", Self.path + "/2"), 404, field: "activity", mentions: "no activity 2")
            try expectProblem(await box.http.call("GET", Self.path + "/x"), 400, field: "activity", mentions: "from 1")
            try expectProblem(
                await box.http.call("POST", Self.path, #"{"topic":"com.example.app","attributesType":"Game"}"#), 400,
                field: "/topic", mentions: "expected com.example.app.push-type.liveactivity")
        }
    }

    @Test("a device is subscribed to a channel, gets what it keeps, and is unsubscribed")
    func subscriptions() async throws {
        try await Box.withPushes { box in
            _ = try await device(box)
            let path = "/v1/devices/kim/subscriptions"
            let channel = try await box.json(
                "POST", "/v1/channels", #"{"bundleId":"com.example.app","id":"HBamDK/nNyWooJcYlZiGtw=="}"#, status: 201)
            _ = try await box.json(
                "POST", Self.path, #"{"topic":"\#(Self.topic)","attributesType":"Game"}"#, status: 201)
            #expect(try await box.json("GET", path)["matched"] == 0)
            let made = try await box.json("POST", path, #"{"channel":"HBamDK/nNyWooJcYlZiGtw=="}"#, status: 201)
            #expect(made["channel"] == channel["id"])
            #expect(made["topic"]?.string == Self.topic)
            #expect(made["attributesType"] == "ActivityAttributes")
            // A channel that does not exist yet, of an app that is given.
            _ = try await box.json(
                "POST", path,
                #"{"channel":"tvI2UK0vEfEAAA6GFnjo2Q==","topic":"\#(Self.topic)","contentState":{"score":1}}"#,
                status: 201)
            #expect(try await box.items(path, "id") == ["3", "2"])
            #expect(try await box.items(path + "?limit=1&order=asc", "contentState") == [[:]])
            #expect(try await box.json("GET", "/v1/channels/HBamDK%2FnNyWooJcYlZiGtw==")["followers"] == 1)
            let gone = try await box.json("DELETE", path + "/HBamDK%2FnNyWooJcYlZiGtw%3D%3D")
            #expect(gone == ["removed": ["activities": 1]])
            #expect(try await box.items(path, "id") == ["3"])
            #expect(try await box.items(Self.path, "state") == ["active", "dismissed", "active"])
            #expect(try await box.json("GET", "/v1/channels/HBamDK%2FnNyWooJcYlZiGtw==")["followers"] == 0)
        }
    }

    @Test(
        "a bad subscription changes nothing, and says what was expected",
        arguments: [
            (#"{}"#, 400, "/channel", "channel"), (#"{"channel":7}"#, 400, "/channel", "expected a string"),
            (#"{"channel":"x"}"#, 400, "/channel", "x is not a channel's id: expected 16 bytes in standard base64"),
            (#"{"channel":"tvI2UK0vEfEAAA6GFnjo2Q=="}"#, 404, "/channel", "there is no channel tvI2UK0vEfEAAA6GFn"),
            (
                #"{"channel":"HBamDK/nNyWooJcYlZiGtw==","topic":"com.example.other.push-type.liveactivity"}"#, 409,
                "/topic", "the channel is of com.example.app in sandbox"
            ),
            (
                #"{"channel":"HBamDK/nNyWooJcYlZiGtw==","environment":"production"}"#, 409, "/environment",
                "expected com.example.app.push-type.liveactivity in sandbox"
            ),
            (#"{"channel":"5BamDK/nNyWooJcYlZiGtw=="}"#, 404, "/topic", "kim has no app com.example.other in prod"),
            (#"{"channel":"HBamDK/nNyWooJcYlZiGtw==","chanel":1}"#, 400, "/chanel", "did you mean"),
            (#"{"channel":"HBamDK/nNyWooJcYlZiGtw==","contentState":7}"#, 400, "/contentState", "object"),
        ])
    func badSubscription(body: String, status: Int, field: String, mentions: String) async throws {
        try await Box.withPushes { box in
            _ = try await device(box)
            for channel in [
                #"{"bundleId":"com.example.app","id":"HBamDK/nNyWooJcYlZiGtw=="}"#,
                #"{"bundleId":"com.example.other","environment":"production","id":"5BamDK/nNyWooJcYlZiGtw=="}"#,
            ] {
                _ = try await box.json("POST", "/v1/channels", channel, status: 201)
            }
            let path = "/v1/devices/kim/subscriptions"
            try expectProblem(
                await box.http.call("POST", path, body), status, field: field, mentions: mentions)
            #expect(try await box.json("GET", Self.path)["matched"] == 0)
        }
    }

    @Test("a subscription that is not there can't be ended")
    func noSubscription() async throws {
        try await Box.withPushes { box in
            _ = try await device(box)
            let path = "/v1/devices/kim/subscriptions"
            try expectProblem(
                await box.http.call("DELETE", path + "/tvI2UK0vEfEAAA6GFnjo2Q=="), 404, field: "channel",
                mentions: "kim is not subscribed to the channel tvI2UK0vEfEAAA6GFnjo2Q==")
            try expectProblem(
                await box.http.call("DELETE", path + "/x"), 400, field: "channel", mentions: "16 bytes")
            try expectProblem(
                await box.http.call("GET", "/v1/devices/lee/subscriptions"), 404, field: "id", mentions: "lee")
        }
    }

    @Test("a start with a channel id that can't be one is applied, with a warning")
    func malformedChannel() async throws {
        try await Box.withPushes { box in
            let token = try await device(box)
            let push = try await update(
                box, token,
                #""event":"start","timestamp":1795262401,"content-state":{},"attributes-type":"Game","attributes":{},"#
                    + #""alert":{"title":"a"},"input-push-channel":"nonsense""#)
            #expect(push["outcome"] == "delivered")
            let warning = "aps.input-push-channel: nonsense is not a channel's id: expected 16 bytes in standard base64"
            #expect(push["warnings"]?.array?.contains(.string(warning)) == true)
        }
    }

    @Test("activities of many devices are started and dismissed by filters, and devices without the app are named")
    func many() async throws {
        try await Box.withPushes { box in
            let channel = "tvI2UK0vEfEAAA6GFnjo2Q=="
            let apps = #""registrations":[{"topic":"com.example.app"}]"#
            for (id, count, further) in [("kim", 2, apps), ("lee", 300, apps), ("none", 12, #""registrations":[]"#)] {
                _ = try await box.json(
                    "POST", "/v1/devices", #"{"id":"\#(id)","user":"\#(id)","count":\#(count),\#(further)}"#,
                    status: 201)
            }
            let start = #"{"topic":"\#(Self.topic)","attributesType":"Game","pushType":{"channel":"\#(channel)"}}"#
            let own = #"{"topic":"\#(Self.topic)","attributesType":"Score"}"#
            let started = try await box.json("POST", "/v1/activities", start)
            #expect(started["started"] == ["activities": 302])
            #expect(started["refused"] == ["devices": 12])
            let refusals = try #require(started["refusals"]?.array)
            #expect(
                refusals.map { $0["device"] } == (1...10).map { .string($0 < 10 ? "none-0000\($0)" : "none-000\($0)") })
            #expect(
                refusals.first?["reason"] == "none-00001 has no app com.example.app in sandbox",
                "\(started.encodedText)")
            let kims = try await box.json("POST", "/v1/activities?user=kim", own)
            #expect(kims == ["started": ["activities": 2], "refused": ["devices": 0], "refusals": []])
            let types = try await box.items("/v1/devices/kim-00001/activities", "attributesType")
            #expect(types == ["Score", "Game"])
            #expect(try await box.items("/v1/devices/lee-00300/activities", "channel") == [.string(channel)])

            let path = "/v1/activities?channel=tvI2UK0vEfEAAA6GFnjo2Q%3D%3D"
            #expect(try await box.json("DELETE", path + "&user=kim") == ["removed": ["activities": 2]])
            #expect(try await box.items("/v1/devices/kim-00002/activities", "state") == ["active", "dismissed"])
            #expect(try await box.json("DELETE", path) == ["removed": ["activities": 300]])
            #expect(try await box.json("DELETE", path) == ["removed": ["activities": 0]])
            #expect(
                try await box.json("DELETE", "/v1/activities?attributesType=Game") == ["removed": ["activities": 0]])
            let channelOfNone = try await box.http.call("DELETE", "/v1/activities?channel=")
            try expectProblem(channelOfNone, 400, field: "channel", mentions: "channel is empty")
            let others = "/v1/activities?!channel=tvI2UK0vEfEAAA6GFnjo2Q%3D%3D"
            #expect(try await box.json("DELETE", others) == ["removed": ["activities": 2]])
        }
    }

    @Test("a misspelt filter or a bad activity changes nothing on many devices")
    func manyMistakes() async throws {
        try await Box.withPushes { box in
            _ = try await device(box)
            let good = #"{"topic":"\#(Self.topic)","attributesType":"Game"}"#
            try expectProblem(
                await box.http.call("POST", "/v1/activities?usr=kim", good), 400, field: "usr", mentions: "user")
            try expectProblem(
                await box.http.call("POST", "/v1/activities?channel=x", good), 400, field: "channel",
                mentions: "unknown parameter")
            try expectProblem(
                await box.http.call("POST", "/v1/activities", #"{"topic":"com.example.app","attributesType":"Game"}"#),
                400, field: "/topic", mentions: "expected com.example.app.push-type.liveactivity")
            _ = try await box.json("POST", "/v1/activities", good)
            try expectProblem(
                await box.http.call("DELETE", "/v1/activities?chanel=x"), 400, field: "chanel", mentions: "channel")
            #expect(try await box.items(Self.path, "state") == ["active"])
        }
    }

    @Test("the most relevant activity is first on the screen")
    func order() async throws {
        try await Box.withPushes { box in
            _ = try await device(box)
            for score in ["1", "100.5", "null"] {
                _ = try await box.json(
                    "POST", Self.path,
                    #"{"topic":"\#(Self.topic)","attributesType":"Game","relevanceScore":\#(score)}"#, status: 201)
            }
            let screen = try await box.json("GET", "/v1/devices/kim/screen")
            #expect(screen["activities"]?.array?.map { $0["id"] } == ["2", "1", "3"])
            #expect(try await box.items(Self.path, "id") == ["3", "2", "1"])
        }
    }

    @Test("a device is restored with its activities and their tokens, and bad ones are refused")
    func restored() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let pushToStart = try await device(box)
            for _ in 0..<2 { try await box.send(to: pushToStart, topic: Self.topic, Self.start) }
            let first = try await token(box, 1)
            let second = try await token(box, 2)
            _ = try await update(box, first, #""event":"end","timestamp":1795262401,"content-state":{"score":9}"#)
            let exported = try await box.json("GET", "/v1/devices/kim")
            let again = try await box.json("PUT", "/v1/devices/kim", exported.encodedText)
            #expect(again["activities"] == exported["activities"])
            #expect(try await box.send(to: first, topic: Self.topic, Self.start) == 410)
            let updated = try await update(
                box, second, #""event":"update","timestamp":1795262405,"content-state":{"score":4}"#)
            #expect(updated["outcome"] == "delivered")
            _ = try await box.json("DELETE", "/v1/devices/kim")

            let good = try #require(exported["activities"]?.array?.first?.object)
            for (name, value, place) in [
                ("id", "0", "/activities/0/id"), ("topic", "com.example.app", "/activities/0/topic"),
                ("token", "zz", "/activities/0/token"), ("state", "gone", "/activities/0/state"),
                ("endedAt", .null, "/activities/0/state"), ("startedAt", .null, "/activities/0/startedAt"),
                ("extra", 1, "/activities/0/extra"),
            ] as [(String, JSONValue, String)] {
                let bad = good.filter { $0.name != name } + [JSONMember(name, value)]
                let body: JSONValue = ["id": "kim", "activities": [.object(bad)]]
                try expectProblem(await box.http.call("POST", "/v1/devices", body.encodedText), 400, field: place)
            }
            let twice: JSONValue = ["id": "kim", "activities": [.object(good), .object(good)]]
            try expectProblem(
                await box.http.call("POST", "/v1/devices", twice.encodedText), 409, field: "/activities/1/id")
        }
    }

    @Test(
        "other pushes with a topic of their own arrive in a list of their own",
        arguments: [
            (".push-type.widgets", "widgets", #"{"aps":{"content-changed":true}}"#),
            (".push-type.controls", "controls", #"{"aps":{"content-changed":true}}"#),
            (".location-query", "location", #"{"aps":{}}"#),
            (".pushkit.fileprovider", "fileprovider", #"{"container-identifier":"c"}"#),
            (".voip-ptt", "pushtotalk", #"{"aps":{},"activeSpeaker":"Kim"}"#),
            (".complication", "complication", #"{"aps":{}}"#), ("", "mdm", #"{"mdm":"magic"}"#),
        ] as [(String, String, String)])
    func kinds(suffix: String, kind: String, payload: String) async throws {
        try await Box.withPushes { box in
            let topic = "com.example.app" + suffix
            let made = try await box.json(
                "POST", "/v1/devices",
                #"{"id":"kim","registrations":[{"topic":"\#(topic)","permissions":{"location":true}}]}"#, status: 201)
            let token = try #require(made["registrations"]?.array?.first?["token"]?.string)
            try await box.send(to: token, topic: topic, payload, headers: [("apns-push-type", kind)])
            #expect(try await box.ordinals("/v1/devices/kim/inbox?kind=\(kind)") == [1])
            #expect(try await box.ordinals("/v1/devices/kim/inbox?kind=alert") == [])
        }
    }
}
