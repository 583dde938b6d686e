import APNsRules
import ArgumentParser
import Testing

@testable import MynahCLI
@testable import MynahCore

extension FaultRule {
    /// A rule as the control API answers it.
    fileprivate static func printed(_ document: JSONValue) throws -> JSONValue {
        try FaultDraft(json: document).made(id: "f-1", at: Instant(milliseconds: 0)).json(FaultCounters())
    }
}

@Suite("mynah fault, mynah scenario") struct FaultCommandTests {
    @Test(
        "a preset, its options and the flags of a match make a rule",
        arguments: [
            (
                ["410", "--token", "ab"],
                #"{"match":{"token":"ab"},"action":{"type":"respond","status":410,"reason":"Unregistered"}}"#
            ),
            (
                ["--topic", "a", "goaway", "--topic", "b", "--after", "100"],
                #"{"match":{"topic":["a","b"]},"action":{"type":"goaway","reason":"Shutdown","afterPushes":100}}"#
            ),
            (
                ["lose", "--channel", "tvI2UK0vEfEAAA6GFnjo2Q=="],
                #"{"match":{"channel":"tvI2UK0vEfEAAA6GFnjo2Q=="},"action":{"type":"lose"}}"#
            ),
            (
                ["tls-expired", "--environment", "sandbox", "--rule-priority", "-5"],
                #"{"match":{"event":"handshake","environment":"sandbox"},"action":{"type":"tls","certificate":"expired"},"rulePriority":-5}"#
            ),
            (
                ["stall", "--priority", "5", "--header", "User-Agent=x", "--payload", "/aps/badge=3"],
                #"{"match":{"priority":5,"payload":{"/aps/badge":[3,"3"]},"headers":{"user-agent":"x"}},"action":{"type":"stall"}}"#
            ),
            (
                ["503", "--answer-header", "Retry-After=5", "--answer-header=x-a=b=c", "--header", "X-B=1"],
                #"{"match":{"headers":{"x-b":"1"}},"action":{"type":"respond","status":503,"reason":"ServiceUnavailable","answerHeaders":{"retry-after":"5","x-a":"b=c"}}}"#
            ),
            (
                [
                    "503", "--payload", "/aps/alert~=rain", "--payload", "/aps/alert=x=y", "--header",
                    "User-Agent~=curl",
                ],
                #"{"match":{"payload":{"/aps/alert":[{"contains":"rain"},"x=y"]},"headers":{"user-agent":{"contains":"curl"}}},"action":{"type":"respond","status":503,"reason":"ServiceUnavailable"}}"#
            ),
        ]) func rules(words: [String], json: String) throws
    {
        let command = try FaultAddCommand.parse(words)
        #expect(try command.document().encodedText == json)
    }

    @Test(
        "a list shows all that a rule is",
        arguments: [
            (["tls-slow"], "tls slow=5s", "event:handshake", "-"), (["tls-stall"], "tls stall", "event:handshake", "-"),
            (
                ["stall", "--header", "user-agent~=curl", "--payload", "/aps/alert~=a b"], "stall",
                #"headers:user-agent~:curl payload:/aps/alert~:"a b""#, "-"
            ),
            (["throttle", "--rate", "5"], "throttle bytesPerSecond=5", "-", "-"),
            (["goaway", "--after", "100"], "goaway NO_ERROR Shutdown afterPushes=100", "-", "-"),
            (
                ["503", "--token", "ab", "--every", "3", "--times", "2", "--answer-header", "retry-after=5"],
                #"respond 503 ServiceUnavailable answerHeaders={"retry-after":"5"}"#, "token:ab", "every 3, times 2"
            ),
            (
                ["slow", "--topic", "a", "--topic", "b", "--payload", "/aps/category=NEWS", "--probability", "0.5"],
                "pass 2s", "topic:a topic:b payload:/aps/category:NEWS", "probability 0.5"
            ),
        ] as [([String], String, String, String)])
    func words(words: [String], does: String, appliesTo: String, when: String) throws {
        let rule = try FaultRule.printed(FaultAddCommand.parse(words).document())
        #expect(FaultWords.does(rule) == does)
        #expect(FaultWords.appliesTo(rule) == appliesTo)
        #expect(FaultWords.when(rule) == when)
    }

    @Test("a list shows matchers and schedules that flags can't make")
    func words() throws {
        let rule = try FaultRule.printed(
            JSONValue(
                parsing: #"""
                    {"match":{"token":{"prefix":"00"},"topic":{"not":["a.b","c"]}},"connections":{"first":2,"every":3},
                     "rateOver":{"count":5,"per":"1s","by":"token"},"skip":1,"rulePriority":-1,"action":{"type":"lose"}}
                    """#))
        #expect(FaultWords.appliesTo(rule) == #"-topic:a.b -topic:c token:{"prefix":"00"}"#)
        #expect(
            FaultWords.when(rule) == "connections first 2 every 3, above 5 per 1s by token, skip 1, rulePriority -1")
    }
}
