import APNsRules
import Testing

@testable import MynahCore

@Suite("Fault rules in words")
struct FaultWordsTests {
    private static let actions: [(action: String, words: String)] = [
        (#"{"type":"pass"}"#, "as APNs would"), (#"{"type":"pass","delay":"2s"}"#, "answers 2s late"),
        (#"{"type":"pass","delay":{"uniform":["1s","5s"]}}"#, "answers 1s to 5s late"),
        (#"{"type":"pass","delay":{"normal":["1s","200ms"]}}"#, "answers about 1s late"),
        (
            #"{"type":"respond","status":410,"reason":"Unregistered","timestamp":1700000000000}"#,
            "answers 410 Unregistered, timestamp 1700000000000"
        ),
        (
            #"{"type":"respond","status":503,"reason":"ServiceUnavailable","answerHeaders":{"retry-after":"5"},"deliver":true}"#,
            "answers 503 ServiceUnavailable, with retry-after: 5, and is delivered anyway"
        ),
        (
            #"{"type":"respond","status":502,"body":"<html>  a","answerHeaders":{"apns-id":null}}"#,
            "answers 502, without apns-id, body <html>  a"
        ),
        (
            #"{"type":"respond","status":500,"body":"","delay":"1s","clock":"virtual","apnsId":"x"}"#,
            "answers 500, no body, apnsId x, clock virtual, 1s late"
        ),
        (#"{"type":"respond","status":502}"#, "answers 502, no body"), (#"{"type":"stall"}"#, "never answers"),
        (#"{"type":"stall","deliver":true}"#, "never answers, and is delivered anyway"),
        (#"{"type":"lose"}"#, "answers 200 and delivers nothing"),
        (#"{"type":"deliverLate","by":"1m","delay":"1s"}"#, "answers 200, delivers 1m later, 1s late"),
        (#"{"type":"duplicate"}"#, "delivers 2 times"), (#"{"type":"duplicate","times":3}"#, "delivers 3 times"),
        (#"{"type":"resetStream"}"#, "RST_STREAM INTERNAL_ERROR"),
        (
            #"{"type":"resetStream","code":"CANCEL","when":"afterHeaders","deliver":true}"#,
            "RST_STREAM CANCEL after the headers, and is delivered anyway"
        ),
        (#"{"type":"resetStream","code":77}"#, "RST_STREAM 77"), (#"{"type":"goaway"}"#, "GOAWAY"),
        (#"{"type":"goaway","reason":"Shutdown"}"#, "GOAWAY Shutdown"),
        (#"{"type":"goaway","code":"PROTOCOL_ERROR","debug":"a  b"}"#, "GOAWAY a  b, code PROTOCOL_ERROR"),
        (
            #"{"type":"goaway","reason":"Shutdown","lastStreamId":"lower","twoStep":true,"afterPushes":100}"#,
            "GOAWAY Shutdown, at every 100th push of a connection, lastStreamId lower, twoStep"
        ),
        (
            #"{"type":"goaway","lastStreamId":5,"frames":3,"close":"now"}"#,
            "GOAWAY, lastStreamId 5, frames 3, close now"
        ),
        (
            #"{"type":"settings","maxConcurrentStreams":1,"maxFrameSize":16384}"#,
            "SETTINGS maxConcurrentStreams 1, maxFrameSize 16384"
        ),
        (#"{"type":"settings","withhold":true}"#, "no SETTINGS"),
        (#"{"type":"withholdWindow"}"#, "stops sending WINDOW_UPDATE"),
        (#"{"type":"ignorePing"}"#, "stops answering PING"),
        (#"{"type":"truncate","delay":"1s"}"#, "half an answer: HEADERS without END_STREAM, 1s late"),
        (#"{"type":"malformedFrame"}"#, "a frame that breaks HTTP/2, then closes"),
        (#"{"type":"oversizedFrame"}"#, "a frame larger than the client allows, then closes"),
        (#"{"type":"tls","alert":"unknown_ca"}"#, "TLS alert unknown_ca"),
        (
            #"{"type":"tls","alert":"unknown_ca","when":"afterHandshake"}"#,
            "TLS alert unknown_ca, when afterHandshake"
        ),
        (#"{"type":"tls","certificate":"wrongHost"}"#, "a certificate for another host"),
        (#"{"type":"tls","certificate":"expired"}"#, "a certificate that is expired"),
        (#"{"type":"tls","certificate":"untrusted"}"#, "a certificate that is untrusted"),
        (#"{"type":"tls","stall":true}"#, "a handshake that never ends"),
        (#"{"type":"tls","slow":"5s"}"#, "a handshake that takes 5s"), (#"{"type":"close"}"#, "TCP reset"),
        (#"{"type":"close","how":"rst","afterPushes":3}"#, "TCP reset, at every 3rd push of a connection"),
        (#"{"type":"close","how":"fin","afterBytes":1}"#, "hangs up after 1 byte"),
        (#"{"type":"close","how":"fin","afterBytes":0}"#, "hangs up after 0 bytes"),
        (#"{"type":"close","how":"fin","afterBytes":999}"#, "hangs up after 999 bytes"),
        (#"{"type":"close","how":"fin","afterBytes":1234567}"#, "hangs up after 1,234,567 bytes"),
        (#"{"type":"close","how":"halfOpen","afterIdle":"90s"}"#, "goes half-open after 1m30s of silence"),
        (#"{"type":"throttle","bytesPerSecond":5,"chunk":2}"#, "sends 5 bytes per second, chunk 2"),
        (#"{"type":"refuse"}"#, "refuses connections while the rule exists"),
    ]

    @Test("an action says all of itself but its defaults", arguments: actions)
    func action(action: String, words: String) throws {
        #expect(try FaultAction(json: json(action), at: "").words == words)
    }

    @Test("there is a case for each type of action, and for each member of it")
    func everyAction() {
        for type in FaultActionType.allCases {
            let written = Self.actions.map { json($0.action) }.filter { $0["type"]?.string == type.rawValue }
            #expect(!written.isEmpty, "\(type)")
            // What all answers may have is said in one way.
            for name in type.schema.names where !["delay", "clock", "deliver"].contains(name) {
                let isSettings = type == .settings && name != "withhold"
                #expect(isSettings || written.contains { $0[name] != nil }, "\(type) \(name)")
            }
        }
    }

    @Test(
        "actions of a list are said in turn, with what follows",
        arguments: [
            ("pass", "then as APNs would"), ("repeat", "and then from the first again"),
            ("last", "and then always the last"),
        ])
    func list(then: String, words: String) throws {
        let actions = #"[{"type":"respond","status":503},{"type":"goaway","reason":"Shutdown"}]"#
        let rule = try FaultRule.made(#"{"actions":\#(actions),"then":"\#(then)"}"#)
        #expect(rule.words.does == ["answers 503 ServiceUnavailable", "GOAWAY Shutdown", words])
    }

    private static let matches: [(match: String, words: [String])] = [
        ("{}", ["every push"]), (#"{"event":"request"}"#, ["every push"]),
        (#"{"topic":"com.example.app"}"#, ["topic com.example.app"]), (#"{"priority":5}"#, ["priority 5"]),
        (#"{"topic":["a","b"]}"#, ["topic a or b"]), (#"{"token":{"prefix":"00"}}"#, ["token begins with 00"]),
        (#"{"topic":{"contains":"x"}}"#, ["topic has x"]), (#"{"topic":{"regex":"^a+$"}}"#, ["topic matches ^a+$"]),
        (#"{"topic":{"not":"a"}}"#, ["topic is not a"]), (#"{"topic":{"not":["a","b"]}}"#, ["topic is not a or b"]),
        (#"{"team":{"exists":true}}"#, ["team is there"]), (#"{"team":{"exists":false}}"#, ["team is missing"]),
        (#"{"team":null}"#, ["team is missing"]), (#"{"connection":{"gte":2}}"#, ["connection ≥ 2"]),
        (#"{"connection":{"lte":3}}"#, ["connection ≤ 3"]),
        (#"{"payload":{"/aps/category":"NEWS"}}"#, ["payload /aps/category NEWS"]),
        (#"{"payload":{"/a":{"not":{"exists":true}},"/b":null}}"#, ["payload /a is not is there", "payload /b null"]),
        (#"{"payload":{"/aps/badge":[3,true,"3"]}}"#, ["payload /aps/badge 3 or true or 3"]),
        (#"{"payloadIncludes":{"aps":{"badge":3}}}"#, [#"payload includes {"aps":{"badge":3}}"#]),
        (#"{"headers":{"X-Trace":{"exists":true}}}"#, ["x-trace: is there"]),
    ]

    @Test("a match has a phrase for each condition", arguments: matches)
    func match(match: String, words: [String]) throws {
        let rule = try FaultRule.made(#"{"match":\#(match),"action":{"type":"stall"}}"#)
        #expect(rule.words.matches == words)
        #expect(rule.words.fires == [])
    }

    @Test("there is a case for each operator", arguments: MatcherOperator.allCases)
    func everyOperator(known: MatcherOperator) {
        #expect(Self.matches.contains { $0.match.contains(#"{"\#(known.rawValue)":"#) })
    }

    @Test(
        "a rule of connections says so beside its conditions",
        arguments: [
            ("accept", "refuse", "every connection"), ("handshake", "withholdWindow", "every handshake"),
        ])
    func connections(event: String, type: String, words: String) throws {
        let text = #"{"match":{"event":"\#(event)"},"action":{"type":"\#(type)"}}"#
        #expect(try FaultRule.made(text).words.matches == [words])
        let filtered = #"{"match":{"event":"\#(event)","connection":3},"action":{"type":"\#(type)"}}"#
        #expect(try FaultRule.made(filtered).words.matches == ["connection 3", words])
    }

    @Test("a scope comes before the conditions")
    func scope() throws {
        let action = #""action":{"type":"stall"}"#
        #expect(try FaultRule.made(#"{"scope":"t42",\#(action)}"#).words.matches == ["scope t42"])
        let rule = try FaultRule.made(#"{"scope":"t42","match":{"topic":"a"},\#(action)}"#)
        #expect(rule.words.matches == ["scope t42", "topic a"])
    }

    private static let schedules: [(members: String, words: [String])] = [
        (#""skip":0,"every":1,"probability":1"#, []), (#""skip":3"#, ["not the first 3"]),
        (#""every":2"#, ["every 2nd"]), (#""every":3"#, ["every 3rd"]), (#""every":11"#, ["every 11th"]),
        (#""every":12"#, ["every 12th"]), (#""every":13"#, ["every 13th"]), (#""every":21"#, ["every 21st"]),
        (#""every":104"#, ["every 104th"]), (#""every":112"#, ["every 112th"]),
        (#""probability":0.25"#, ["25 % of them"]), (#""probability":0.125"#, ["12.5 % of them"]),
        (#""probability":0.07"#, ["7 % of them"]), (#""probability":0.333333"#, ["33.3333 % of them"]),
        (#""times":1"#, ["once"]), (#""times":10"#, ["at most 10 times"]), (#""times":null"#, []),
        (#""connections":{"count":1}"#, ["on the 1st connection that it meets"]),
        (#""connections":{"first":2,"count":1}"#, ["on the 2nd connection that it meets"]),
        (#""connections":{"first":2,"every":3}"#, ["on the 2nd of every 3 connections that it meets"]),
        (#""connections":{"first":4}"#, ["on connections from the 4th that it meets"]),
        (
            #""connections":{"first":2,"every":3,"count":5}"#,
            ["on the 2nd of every 3 connections that it meets, at most 5"]
        ),
        (#""keys":{"count":1}"#, ["by the 1st key that it meets"]),
        (#""keys":{"first":2,"count":3}"#, ["by keys from the 2nd that it meets, at most 3"]),
        (#""rateOver":{"count":5,"per":"1s","by":"token"}"#, ["above 5 per 1s and token"]),
        (#""rateOver":{"count":5,"per":"1m"}"#, ["above 5 per 1m"]),
        (#""activeFrom":"2026-11-21T09:30:00Z""#, ["from 2026-11-21T09:30:00.000Z"]),
        (#""activeUntil":"2026-11-21T10:30:00Z""#, ["until 2026-11-21T10:30:00.000Z"]),
        (#""rulePriority":-3"#, ["rule priority -3"]), (#""rulePriority":0"#, []),
        (
            #""rulePriority":2,"keys":{"count":1},"times":10,"probability":0.5,"every":2,"skip":3"#,
            [
                "not the first 3", "every 2nd", "50 % of them", "at most 10 times", "by the 1st key that it meets",
                "rule priority 2",
            ]
        ),
    ]

    @Test("a schedule has a phrase for each condition", arguments: schedules)
    func schedule(members: String, words: [String]) throws {
        #expect(try FaultRule.made(#"{\#(members),"action":{"type":"stall"}}"#).words.fires == words)
    }

    @Test("there is a case for each member of a schedule")
    func everyMember() {
        for name in FaultSchedule.schema.names where !["action", "actions", "then"].contains(name) {
            #expect(
                Self.schedules.contains { $0.members.hasPrefix("\"\(name)\":") && !$0.words.isEmpty }, "\(name)")
        }
    }

    @Test("an answer has the words, and is read as the rule without them")
    func answer() throws {
        let rule = try FaultRule.made(#"{"times":3,"action":{"type":"stall"}}"#)
        let answer = rule.answerJSON(FaultCounters())
        let words = #"{"does":["never answers"],"matches":["every push"],"fires":["at most 3 times"]}"#
        #expect(answer["words"]?.encodedText == words)
        let draft = try FaultDraft(json: answer)
        #expect(draft.made(id: rule.id, at: noon) == rule)
        #expect(draft.json["words"] == nil && rule.json(FaultCounters())["words"] == nil)
        var set = try FaultSet.of(#"{"action":{"type":"stall"}}"#)
        let patched = try set.patch("f-1", with: json(#"{"words":\#(words),"times":2}"#))
        #expect(patched?.words.fires == ["at most 2 times"])
    }

    @Test(
        "words of another form are refused",
        arguments: [
            (#""never answers""#, "/words"), (#"{"does":"never answers","matches":[],"fires":[]}"#, "/words/does"),
            (#"{"does":[],"matches":[]}"#, "/words/fires"),
        ])
    func wrong(words: String, field: String) {
        let error = #expect(throws: InputError.self) {
            try FaultDraft(#"{"words":\#(words),"action":{"type":"stall"}}"#)
        }
        #expect(error?.field == field)
    }

    @Test("a scenario that is shown says its rules in words, which one that is kept does not")
    func scenario() throws {
        let text = #"{"name":"s","steps":[{"after":"0s","add":[{"id":"a","action":{"type":"stall"}}]}]}"#
        let scenario = try Scenario(json: json(text))
        let added = scenario.answer["steps"]?.array?.first?["add"]?.array?.first
        #expect(added?["words"]?["does"] == ["never answers"])
        #expect(scenario.json["steps"]?.array?.first?["add"]?.array?.first?["words"] == nil)
        #expect(try Scenario(json: scenario.answer) == scenario)
    }
}
