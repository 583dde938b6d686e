import APNsRules
import MynahCore
import Testing

@Suite("Fault rules in JSON")
struct FaultRuleTests {
    private static let stall = #""action":{"type":"stall"}"#

    @Test("a rule with every field is written as it was read, with what the server adds")
    func roundTrip() throws {
        let text = """
            {"id":"purge","name":"token purge","scope":"t42","enabled":false,"rulePriority":-3,\
            "match":{"topic":"com.example.app","token":{"prefix":"00"},"payload":{"/aps/category":"NEWS"},\
            "headers":{"x-trace":{"exists":true}},"event":"request"},\
            "skip":1,"times":5,"every":2,"probability":0.25,\
            "rateOver":{"count":5,"per":"1s","by":"token"},\
            "activeFrom":"2026-11-21T09:30:00.000Z","activeUntil":"2026-11-21T10:30:00.000Z",\
            "action":{"type":"respond","status":410,"reason":"Unregistered","timestamp":1700000000000},\
            "actions":null,"then":"pass","matched":12,"fired":12,"remaining":null,\
            "createdAt":"2026-11-21T09:30:00.000Z"}
            """
        let rule = try FaultRule.made(text)
        let printed = rule.json(FaultCounters())
        #expect(
            printed.object?.map(\.name) == [
                "id", "name", "scope", "enabled", "rulePriority", "match", "skip", "times", "every", "probability",
                "connections", "keys", "rateOver", "activeFrom", "activeUntil", "action", "actions", "then", "matched",
                "fired", "remaining",
                "createdAt",
            ])
        let given = json(text)
        for name in given.object?.map(\.name) ?? []
        where !["match", "matched", "fired", "remaining", "createdAt"].contains(name) {
            #expect(printed[name] == given[name], "\(name)")
        }
        #expect(printed["matched"] == 0)
        #expect(printed["remaining"] == 5)
        #expect(printed["createdAt"] == .string(noon.rfc3339))
        #expect(try FaultDraft(json: printed).made(id: "purge", at: noon) == rule)
    }

    @Test("a rule of nothing but an action has the defaults")
    func defaults() throws {
        let printed = try FaultRule.made("{\(Self.stall)}").json(FaultCounters())
        let expected = json(
            """
            {"id":"f-1","name":null,"scope":null,"enabled":true,"rulePriority":0,"match":{"event":"request"},"skip":0,\
            "times":null,"every":1,"probability":1.0,"connections":null,"keys":null,"rateOver":null,"activeFrom":null,"activeUntil":null,\
            "action":{"type":"stall"},"actions":null,"then":"pass","matched":0,"fired":0,"remaining":null,\
            "createdAt":"2026-11-21T12:00:00.000Z"}
            """)
        #expect(printed.encodedText == expected.encodedText)
    }

    @Test(
        "every action is written as it was read",
        arguments: [
            #"{"type":"pass","delay":"200ms"}"#,
            #"{"type":"pass","delay":{"uniform":["1s","5s"]},"clock":"virtual"}"#,
            #"{"type":"pass","delay":{"normal":["1s","200ms"]}}"#,
            #"{"type":"respond","status":503,"reason":"ServiceUnavailable"}"#,
            #"{"type":"respond","status":410,"reason":"Unregistered","timestamp":1,"delay":"1s","deliver":true}"#,
            #"{"type":"respond","status":418,"body":"teapot","answerHeaders":{"retry-after":"5","content-type":null}}"#,
            #"{"type":"respond","status":200,"body":"","apnsId":"nonsense"}"#,
            #"{"type":"respond","status":400,"reason":"NoSuchReasonAtAll"}"#,
            #"{"type":"stall"}"#, #"{"type":"stall","deliver":true}"#, #"{"type":"lose"}"#,
            #"{"type":"deliverLate","by":"5m"}"#, #"{"type":"duplicate","times":3}"#,
            #"{"type":"resetStream","code":"REFUSED_STREAM","when":"afterHeaders"}"#,
            #"{"type":"resetStream","code":4711,"when":"beforeHeaders","deliver":true}"#,
            #"{"type":"goaway","code":"NO_ERROR","reason":"Shutdown","lastStreamId":"processed","twoStep":true,"frames":1,"close":"afterStreams"}"#,
            #"{"type":"goaway","code":"PROTOCOL_ERROR","debug":"Stream 5 does not exist","lastStreamId":7,"twoStep":false,"frames":2,"close":"now","deliver":true}"#,
            #"{"type":"goaway","code":"NO_ERROR","lastStreamId":"lower","twoStep":true,"frames":1,"close":"never"}"#,
            #"{"type":"goaway","code":"NO_ERROR","lastStreamId":"processed","twoStep":false,"frames":1,"close":"now","afterPushes":3}"#,
            #"{"type":"settings","maxConcurrentStreams":1,"initialWindowSize":0,"headerTableSize":0,"maxFrameSize":16384}"#,
            #"{"type":"withholdWindow"}"#, #"{"type":"ignorePing"}"#, #"{"type":"truncate"}"#,
            #"{"type":"malformedFrame"}"#, #"{"type":"oversizedFrame"}"#,
            #"{"type":"close","how":"fin"}"#, #"{"type":"close","how":"rst","afterBytes":0}"#,
            #"{"type":"close","how":"halfOpen","afterPushes":10}"#,
            #"{"type":"close","how":"halfOpen","afterIdle":"15m"}"#,
            #"{"type":"throttle","bytesPerSecond":10,"chunk":1}"#,
        ])
    func actions(action: String) throws {
        let rule = try FaultRule.made("{\"action\":\(action)}")
        #expect(rule.json(FaultCounters())["action"]?.encodedText == action)
        #expect(rule.match.event == .request)
    }

    @Test(
        "an action on connections has its own default event",
        arguments: [
            (#"{"type":"refuse"}"#, FaultEvent.accept), (#"{"type":"tls","stall":true}"#, .handshake),
            (#"{"type":"tls","slow":"5s"}"#, .handshake),
            (#"{"type":"tls","certificate":"wrongHost"}"#, .handshake),
            (#"{"type":"tls","alert":"certificate_expired","when":"afterHandshake"}"#, .handshake),
        ])
    func usualEvents(action: String, event: FaultEvent) throws {
        let rule = try FaultRule.made("{\"action\":\(action)}")
        #expect(rule.match.event == event)
        #expect(rule.json(FaultCounters())["action"]?.encodedText == action)
    }

    @Test("a status has the reason that it usually goes with, a reason its status")
    func usualReasons() throws {
        for (given, expected) in [
            (#"{"type":"respond","status":410}"#, #"{"type":"respond","status":410,"reason":"Unregistered"}"#),
            (#"{"type":"respond","status":413}"#, #"{"type":"respond","status":413,"reason":"PayloadTooLarge"}"#),
            (#"{"type":"respond","reason":"BadTopic"}"#, #"{"type":"respond","status":400,"reason":"BadTopic"}"#),
            (#"{"type":"respond","status":502}"#, #"{"type":"respond","status":502,"body":""}"#),
        ] {
            let rule = try FaultRule.made("{\"action\":\(given)}")
            #expect(rule.json(FaultCounters())["action"]?.encodedText == expected)
        }
    }

    @Test(
        "whether the device gets a push whose answer is not 200",
        arguments: [
            (#"{"type":"pass"}"#, Bool?.none, false), (#"{"type":"lose"}"#, false, false),
            (#"{"type":"respond","status":200,"body":""}"#, true, true),
            (#"{"type":"respond","status":200,"body":"","deliver":false}"#, false, true),
            (#"{"type":"respond","status":503}"#, false, true),
            (#"{"type":"respond","status":503,"deliver":true}"#, true, true), (#"{"type":"stall"}"#, false, true),
            (#"{"type":"goaway"}"#, nil, false), (#"{"type":"goaway","lastStreamId":"lower"}"#, false, true),
            (#"{"type":"close","afterPushes":1}"#, nil, false), (#"{"type":"close","deliver":true}"#, true, true),
        ])
    func delivery(action: String, delivers: Bool?, replacesReply: Bool) throws {
        let action = try FaultRule.made("{\"action\":\(action)}").schedule.actions[0]
        #expect(action.delivers == delivers)
        #expect(action.replacesReply == replacesReply)
    }

    @Test("an array of rules names the element that is wrong")
    func lists() throws {
        #expect(try FaultDraft.list(json: json("[{\(Self.stall)},{\(Self.stall)}]")).count == 2)
        #expect(try FaultDraft.list(json: json("{\(Self.stall)}")).count == 1)
        let error = #expect(throws: InputError.self) {
            try FaultDraft.list(json: json("[{\(Self.stall)},{\(Self.stall),\"every\":0}]"))
        }
        #expect(error?.field == "/1/every")
    }
}
