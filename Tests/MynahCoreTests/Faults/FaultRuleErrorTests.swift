import APNsRules
import MynahCore
import Testing

/// Members of a rule, the pointer of its fault, and a word of the sentence or of the allowed values.
private struct Wrong: Sendable, CustomTestStringConvertible {
    let members: String
    let field: String
    let says: String

    init(_ members: String, _ field: String, _ says: String) {
        self.members = members
        self.field = field
        self.says = says
    }

    var testDescription: String { members }
}

@Suite("Fault rules that are refused")
struct FaultRuleErrorTests {
    private func expect(_ wrong: Wrong, in text: String) {
        let error = #expect(throws: InputError.self, "\(text)") { try FaultDraft(json: json(text)) }
        #expect(error?.field == wrong.field)
        #expect(error?.description.contains(wrong.says) == true, "\(error?.description ?? "")")
    }

    private static let rules: [Wrong] = [
        Wrong(#""times":0"#, "/times", "from 1"), Wrong(#""times":-1"#, "/times", "from 1"),
        Wrong(#""times":"3""#, "/times", "whole number"), Wrong(#""skip":-1"#, "/skip", "from 0"),
        Wrong(#""every":0"#, "/every", "from 1"), Wrong(#""every":1.5"#, "/every", "whole"),
        Wrong(#""probability":0"#, "/probability", "above 0"),
        Wrong(#""probability":1.01"#, "/probability", "at most 1"),
        Wrong(#""probability":"1""#, "/probability", "number"),
        Wrong(#""rateOver":5"#, "/rateOver", "object"),
        Wrong(#""rateOver":{"per":"1s"}"#, "/rateOver/count", "count is missing"),
        Wrong(#""rateOver":{"count":5}"#, "/rateOver/per", "per is missing"),
        Wrong(#""rateOver":{"count":5,"per":1}"#, "/rateOver/per", "unit"),
        Wrong(#""rateOver":{"count":5,"per":"0s"}"#, "/rateOver/per", "1ms"),
        Wrong(#""rateOver":{"count":10001,"per":"1s"}"#, "/rateOver/count", "10000"),
        Wrong(#""rateOver":{"count":5,"per":"1s","by":"tokens"}"#, "/rateOver/by", "did you mean \"token\""),
        Wrong(#""rateOver":{"count":5,"per":"1s","over":1}"#, "/rateOver/over", "unknown member"),
        Wrong(#""activeFrom":"noon""#, "/activeFrom", "RFC 3339"),
        Wrong(#""activeUntil":1"#, "/activeUntil", "RFC 3339"),
        Wrong(
            #""activeFrom":"2026-11-21T10:00:00Z","activeUntil":"2026-11-21T09:00:00Z""#, "/activeUntil", "not after"),
        Wrong(#""then":"last""#, "/then", "expected actions"), Wrong(#""then":"stop""#, "/then", "repeat"),
        Wrong(#""rulePriority":"high""#, "/rulePriority", "whole number"),
        Wrong(
            #""priority":5"#, "/priority",
            "expected rulePriority for the order of rules, or the filter priority in match"),
        Wrong(#""enabled":1"#, "/enabled", "true or false"),
        Wrong(#""name":7"#, "/name", "string"), Wrong(#""scope":"a b""#, "/scope", "A-Z"),
        Wrong(#""id":"none""#, "/id", "none"), Wrong(#""id":"a/b""#, "/id", "A-Z"),
        Wrong(#""id":"""#, "/id", "1 to 129"),
        Wrong(#""mach":{}"#, "/mach", "did you mean \"match\""), Wrong(#""fired":-1"#, "/fired", "from 0"),
        Wrong(#""createdAt":"x""#, "/createdAt", "RFC 3339"), Wrong(#""skip":1,"skip":2"#, "/skip", "twice"),
        Wrong(#""scope":"a","match":{"scope":"b"}"#, "/scope", "never matches"),
        Wrong(
            #""scope":"a","match":{"channel":"tvI2UK0vEfEAAA6GFnjo2Q=="}"#, "/scope", "a broadcast belongs to no scope"),
        Wrong(#""scope":"a","match":{"kind":"broadcast"}"#, "/scope", "a broadcast has no scope"),
        Wrong(#""actions":[]"#, "/actions", "exclude each other"),
    ]

    @Test("an error names the wrong field and what was expected", arguments: rules)
    private func rule(wrong: Wrong) { expect(wrong, in: "{\"action\":{\"type\":\"stall\"},\(wrong.members)}") }

    private static let matches: [Wrong] = [
        Wrong(#"5"#, "/match", "object"), Wrong(#"{"topics":"a"}"#, "/match/topics", "did you mean \"topic\""),
        Wrong(#"{"priority":7}"#, "/match/priority", "10"),
        Wrong(#"{"priority":{"gte":11}}"#, "/match/priority", "never"),
        Wrong(#"{"pushType":"alret"}"#, "/match/pushType", "alert"),
        Wrong(#"{"environment":"staging"}"#, "/match/environment", "sandbox"),
        Wrong(#"{"environment":{"not":["sandbox","production"]}}"#, "/match/environment", "never match"),
        Wrong(#"{"environment":{"exists":false}}"#, "/match/environment", "never match"),
        Wrong(#"{"connection":0}"#, "/match/connection", "1 or more"),
        Wrong(#"{"headers":{"Retry-After":"5"}}"#, "/match/headers/retry-after", "answerHeaders"),
        Wrong(#"{"connection":{"lte":0}}"#, "/match/connection", "never match"),
        Wrong(#"{"headers":{"apns-topik":"a"}}"#, "/match/headers/apns-topik", "did you mean \"apns-topic\""),
        Wrong(#"{"headers":{"Apns-Push":"a"}}"#, "/match/headers/Apns-Push", "did you mean \"apns-push-type\""),
        Wrong(#"{"headers":{"collapse-id":"a"}}"#, "/match/headers/collapse-id", "did you mean \"apns-collapse-id\""),
        Wrong(#"{"headers":{"user-agnet":"a"}}"#, "/match/headers/user-agnet", "did you mean \"user-agent\""),
        Wrong(#"{"headers":{"apns-topic":"com.*"}}"#, "/match/headers/apns-topic", "prefix, contains and regex"),
        Wrong(#"{"topic":"com.*"}"#, "/match/topic", "prefix, contains and regex in JSON"),
        Wrong(#"{"topic":["a","/b/"]}"#, "/match/topic/1", "regex in JSON"),
        Wrong(#"{"kind":"webPush","pushType":"alert"}"#, "/match/pushType", "a web push has no pushType"),
        Wrong(#"{"kind":"webPush","priority":10}"#, "/match/priority", "a web push has no priority"),
        Wrong(#"{"kind":"broadcast","device":"kim"}"#, "/match/device", "a broadcast has no device"),
        Wrong(#"{"webPush":{"/ttl":60}}"#, "/match/webPush", "headers such as ttl"),
        Wrong(#"{"token":"0"}"#, "/match/token", "hexadecimal"),
        Wrong(#"{"token":{"not":"xyz"}}"#, "/match/token/not", "hexadecimal"),
        Wrong(#"{"topic":[]}"#, "/match/topic", "empty"),
        Wrong(#"{"topic":{"starts":"a"}}"#, "/match/topic/starts", "prefix"),
        Wrong(#"{"topic":{"regex":"("}}"#, "/match/topic/regex", "regular expression"),
        Wrong(#"{"status":200}"#, "/match/status", "answered"),
        Wrong(#"{"outcome":"lost"}"#, "/match/outcome", "answered"),
        Wrong(#"{"since":"2026-11-21T10:00:00Z"}"#, "/match/since", "activeFrom"),
        Wrong(#"{"event":"connect"}"#, "/match/event", "accept"),
        Wrong(#"{"event":1}"#, "/match/event", "accept, handshake or request"),
        Wrong(#"{"headers":{"x-n":5}}"#, "/match/headers/x-n", "string"),
        Wrong(#"{"headers":{":path":"/"}}"#, "/match/headers/:path", "pseudo"),
        Wrong(#"{"headers":5}"#, "/match/headers", "object"), Wrong(#"{"payload":"a"}"#, "/match/payload", "object"),
        Wrong(#"{"payload":{"/a~2":1}}"#, "/match/payload", "~0"),
        Wrong(#"{"payloadIncludes":1}"#, "/match/payloadIncludes", "object"),
        Wrong(#"{"topic":"a","topic":"b"}"#, "/match/topic", "twice"),
    ]

    @Test("an error names a filter that is wrong or that no request can meet", arguments: matches)
    private func match(wrong: Wrong) {
        expect(wrong, in: "{\"action\":{\"type\":\"stall\"},\"match\":\(wrong.members)}")
    }

    @Test(
        "a key that is unknown at an event can't be matched there",
        arguments: ["token", "topic", "device", "team", "apnsId", "priority", "pushType", "headers", "payload", "text"])
    func unknownThere(key: String) {
        for event in ["accept", "handshake"] {
            let value = key == "headers" || key == "payload" ? "{}" : key == "priority" ? "10" : "\"alert\""
            let own = [
                "token": Entry.aToken, "apnsId": "07C0F2E2-7CE0-71EC-D0D6-E7089220F778", "team": "TEAM123456",
            ]
            let given = own[key].map { "\"\($0)\"" } ?? value
            expect(
                Wrong("", "/match/\(key)", "connection, environment or event"),
                in: "{\"action\":{\"type\":\"close\"},\"match\":{\"event\":\"\(event)\",\"\(key)\":\(given)}}")
        }
    }

    @Test("a connection belongs to no scope, and has no token to be counted by")
    func scopeOfConnections() {
        expect(Wrong("", "/scope", "no scope"), in: #"{"scope":"a","action":{"type":"refuse"}}"#)
        expect(
            Wrong("", "/rateOver/by", "connection or all"),
            in: #"{"rateOver":{"count":1,"per":"1s","by":"token"},"action":{"type":"refuse"}}"#)
        expect(Wrong("", "/keys", "event request"), in: #"{"keys":{"count":1},"action":{"type":"refuse"}}"#)
    }

    private static let actions: [Wrong] = [
        Wrong(#"5"#, "/action", "object"), Wrong(#"{}"#, "/action/type", "needs a type"),
        Wrong(#"{"type":"respnd"}"#, "/action/type", "did you mean \"respond\""),
        Wrong(#"{"type":1}"#, "/action/type", "expected pass"),
        Wrong(#"{"type":"stall","status":500}"#, "/action/status", "unknown member"),
        Wrong(#"{"type":"stall","delay":"1s"}"#, "/action/delay", "unknown member"),
        Wrong(#"{"type":"lose","deliver":true}"#, "/action/deliver", "unknown member"),
        Wrong(#"{"type":"pass","delay":200}"#, "/action/delay", "250ms"),
        Wrong(#"{"type":"pass","delay":"25h"}"#, "/action/delay", "1d"),
        Wrong(#"{"type":"pass","delay":{"uniform":["5s","1s"]}}"#, "/action/delay/uniform", "longer"),
        Wrong(#"{"type":"pass","delay":{"uniform":["5s"]}}"#, "/action/delay/uniform", "an array of 2 elements"),
        Wrong(#"{"type":"pass","delay":{"uniform":["1s",5]}}"#, "/action/delay/uniform/1", "unit"),
        Wrong(#"{"type":"pass","delay":{}}"#, "/action/delay", "uniform or normal"),
        Wrong(
            #"{"type":"pass","delay":{"uniform":["1s","2s"],"normal":["1s","2s"]}}"#, "/action/delay/normal", "exclude"),
        Wrong(#"{"type":"pass","clock":"wall"}"#, "/action/clock", "delay"),
        Wrong(#"{"type":"pass","delay":"1s","clock":"real"}"#, "/action/clock", "virtual"),
        Wrong(#"{"type":"respond"}"#, "/action/status", "status or a reason"),
        Wrong(#"{"type":"respond","status":99}"#, "/action/status", "200 to 599"),
        Wrong(#"{"type":"respond","status":400}"#, "/action/reason", "BadDeviceToken"),
        Wrong(#"{"type":"respond","reason":"Unregistred"}"#, "/action/reason", "did you mean \"Unregistered\""),
        Wrong(#"{"type":"respond","reason":"SomethingElse"}"#, "/action/status", "not a reason of APNs"),
        Wrong(
            #"{"type":"respond","status":410,"reason":"Unregisterd"}"#, "/action/reason",
            "did you mean \"Unregistered\"? A text like this one can be given as body"),
        Wrong(#"{"type":"respond","status":400,"reason":"badtopic"}"#, "/action/reason", "did you mean \"BadTopic\""),
        Wrong(#"{"type":"goaway","reason":"Shutdwn"}"#, "/action/reason", "did you mean \"Shutdown\""),
        Wrong(
            #"{"type":"respond","status":503,"answerHeaders":{"Retry-Afer":"5"}}"#, "/action/answerHeaders/Retry-Afer",
            "did you mean \"retry-after\""),
        Wrong(#"{"type":"respond","status":410,"reason":"Unregistered","body":"x"}"#, "/action/body", "exclude"),
        Wrong(#"{"type":"respond","status":410,"timestamp":1,"body":"x"}"#, "/action/timestamp", "exclude"),
        Wrong(#"{"type":"respond","status":502,"timestamp":1}"#, "/action/timestamp", "name a reason"),
        Wrong(#"{"type":"respond","status":410,"timestamp":"now"}"#, "/action/timestamp", "whole number"),
        Wrong(#"{"type":"respond","status":200,"reason":"Unregistered"}"#, "/action/reason", "refusal"),
        Wrong(
            #"{"type":"respond","status":503,"answerHeaders":{"retry after":"5"}}"#,
            "/action/answerHeaders/retry after",
            "a header's name"),
        Wrong(
            #"{"type":"respond","status":503,"answerHeaders":{":status":"5"}}"#, "/action/answerHeaders/:status",
            "of its own"),
        Wrong(
            #"{"type":"respond","status":503,"answerHeaders":{"connection":"close"}}"#,
            "/action/answerHeaders/connection", "HTTP/2"
        ),
        Wrong(
            #"{"type":"respond","status":503,"answerHeaders":{"a":5}}"#, "/action/answerHeaders/a",
            "a string or null"),
        Wrong(
            #"{"type":"respond","status":503,"answerHeaders":{"apns-id":null},"apnsId":"x"}"#, "/action/apnsId",
            "both say"),
        Wrong(#"{"type":"deliverLate"}"#, "/action/by", "by is missing"),
        Wrong(#"{"type":"duplicate","times":1}"#, "/action/times", "2 to"),
        Wrong(#"{"type":"resetStream","code":"REFUSED"}"#, "/action/code", "REFUSED_STREAM"),
        Wrong(#"{"type":"resetStream","code":4294967296}"#, "/action/code", "4294967295"),
        Wrong(#"{"type":"resetStream","when":"later"}"#, "/action/when", "beforeHeaders or afterHeaders"),
        Wrong(#"{"type":"goaway","reason":"Shutdown","debug":"x"}"#, "/action/debug", "exclude"),
        Wrong(#"{"type":"goaway","lastStreamId":"higher"}"#, "/action/lastStreamId", "processed or lower"),
        Wrong(#"{"type":"goaway","lastStreamId":-1}"#, "/action/lastStreamId", "2147483647"),
        Wrong(#"{"type":"goaway","twoStep":true,"frames":2}"#, "/action/frames", "two frames already"),
        Wrong(#"{"type":"goaway","frames":0}"#, "/action/frames", "from 1"),
        Wrong(#"{"type":"goaway","close":"later"}"#, "/action/close", "never"),
        Wrong(#"{"type":"goaway","deliver":true}"#, "/action/deliver", "as without the rule"),
        Wrong(#"{"type":"settings"}"#, "/action", "maxConcurrentStreams"),
        Wrong(#"{"type":"settings","maxFrameSize":16383}"#, "/action/maxFrameSize", "16384"),
        Wrong(#"{"type":"settings","initialWindowSize":2147483648}"#, "/action/initialWindowSize", "2147483647"),
        Wrong(#"{"type":"settings","withhold":true}"#, "/action/withhold", "handshake"),
        Wrong(#"{"type":"settings","withhold":true,"headerTableSize":1}"#, "/action/withhold", "excludes values"),
        Wrong(#"{"type":"tls"}"#, "/action", "alert, certificate, stall or slow"),
        Wrong(#"{"type":"tls","stall":true,"slow":"1s"}"#, "/action/slow", "exclude"),
        Wrong(#"{"type":"tls","alert":"expired"}"#, "/action/alert", "certificate_expired"),
        Wrong(#"{"type":"tls","stall":false}"#, "/action/stall", "true"),
        Wrong(#"{"type":"tls","certificate":"bad"}"#, "/action/certificate", "untrusted"),
        Wrong(#"{"type":"tls","slow":"1s","when":"afterHandshake"}"#, "/action/when", "belongs to alert"),
        Wrong(#"{"type":"close","how":"reset"}"#, "/action/how", "fin, rst or halfOpen"),
        Wrong(#"{"type":"close","afterBytes":1,"afterPushes":1}"#, "/action/afterPushes", "exclude"),
        Wrong(#"{"type":"close","afterIdle":"1m","delay":"1s"}"#, "/action/delay", "no answer to hold back"),
        Wrong(#"{"type":"goaway","afterPushes":0}"#, "/action/afterPushes", "from 1"),
        Wrong(#"{"type":"throttle"}"#, "/action/bytesPerSecond", "missing"),
        Wrong(#"{"type":"throttle","bytesPerSecond":0}"#, "/action/bytesPerSecond", "from 1"),
    ]

    @Test("an error names the wrong field of an action", arguments: actions)
    private func action(wrong: Wrong) { expect(wrong, in: "{\"action\":\(wrong.members)}") }

    @Test(
        "an action at an event where it cannot happen is refused",
        arguments: [
            (#"{"type":"refuse"}"#, "handshake", "/action/type"),
            (#"{"type":"tls","stall":true}"#, "request", "/action/type"),
            (#"{"type":"respond","status":503}"#, "accept", "/action/type"),
            (#"{"type":"goaway"}"#, "accept", "/action/type"),
            (#"{"type":"goaway","afterPushes":2}"#, "handshake", "/action/afterPushes"),
            (#"{"type":"close","afterPushes":2}"#, "accept", "/action/afterPushes"),
            (#"{"type":"goaway","lastStreamId":"lower"}"#, "handshake", "/action/lastStreamId"),
            (#"{"type":"close","deliver":true}"#, "accept", "/action/deliver"),
        ])
    func events(action: String, event: String, field: String) {
        expect(Wrong("", field, "event \(event)"), in: "{\"action\":\(action),\"match\":{\"event\":\"\(event)\"}}")
    }

    @Test("a rule without an action or with a wrong one in its list is refused")
    func actionsOfARule() {
        expect(Wrong("", "/action", "respond"), in: "{}")
        expect(Wrong("", "/actions", "1 to"), in: #"{"actions":[]}"#)
        expect(Wrong("", "/actions", "exclude"), in: #"{"actions":[{"type":"stall"}],"action":{"type":"stall"}}"#)
        expect(
            Wrong("", "/actions/1/type", "did you mean \"stall\""),
            in: #"{"actions":[{"type":"stall"},{"type":"stal"}]}"#)
        expect(
            Wrong("", "/actions/1/type", "event request"),
            in: #"{"actions":[{"type":"stall"},{"type":"tls","stall":true}]}"#)
        expect(Wrong("", "", "object"), in: "5")
    }
}
