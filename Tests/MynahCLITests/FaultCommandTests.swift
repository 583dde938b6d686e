import APNsRules
import ArgumentParser
import Testing

@testable import MynahCLI
@testable import MynahCore

extension FaultRule {
    /// A rule as the control API answers it.
    fileprivate static func printed(_ document: JSONValue) throws -> JSONValue {
        try FaultDraft(json: document).made(id: "f-1", at: Instant(milliseconds: 0)).answerJSON(FaultCounters())
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
            (["tls-slow"], "a handshake that takes 5s", "every handshake", "-"),
            (["tls-stall"], "a handshake that never ends", "every handshake", "-"),
            (
                ["stall", "--header", "user-agent~=curl", "--payload", "/aps/alert~=a b"], "never answers",
                "user-agent: has curl, payload /aps/alert has a b", "-"
            ),
            (["throttle", "--rate", "5"], "sends 5 bytes per second", "every push", "-"),
            (
                ["goaway", "--after", "100"], "GOAWAY Shutdown, at every 100th push of a connection", "every push",
                "-"
            ),
            (
                ["503", "--token", "ab", "--every", "3", "--times", "2", "--answer-header", "retry-after=5"],
                "answers 503 ServiceUnavailable, with retry-after: 5", "token ab", "every 3rd, at most 2 times"
            ),
            (
                ["slow", "--topic", "a", "--topic", "b", "--payload", "/aps/category=NEWS", "--probability", "0.5"],
                "answers 2s late", "topic a or b, payload /aps/category NEWS", "50 % of them"
            ),
        ] as [([String], String, String, String)])
    func words(words: [String], does: String, appliesTo: String, when: String) throws {
        let rule = try FaultRule.printed(FaultAddCommand.parse(words).document())
        #expect(Self.cells(of: rule) == ["f-1", "on", "0", "0", "-", does, appliesTo, when, "-"])
    }

    @Test("a list shows matchers, schedules and lists that flags can't make")
    func words() throws {
        let rule = try FaultRule.printed(
            JSONValue(
                parsing: #"""
                    {"match":{"token":{"prefix":"00"},"topic":{"not":["a.b","c"]}},"connections":{"first":2,"every":3},
                     "rateOver":{"count":5,"per":"1s","by":"token"},"skip":1,"rulePriority":-1,
                     "actions":[{"type":"lose"},{"type":"stall"}],"then":"repeat"}
                    """#))
        #expect(
            Self.cells(of: rule).suffix(4) == [
                "answers 200 and delivers nothing; never answers; and then from the first again",
                "topic is not a.b or c, token begins with 00",
                "not the first 1, on the 2nd of every 3 connections that it meets, above 5 per 1s and token, "
                    + "rule priority -1", "-",
            ])
    }

    private static func cells(of rule: JSONValue) -> [String] {
        let line = FaultCommand.columns.text([rule], isTerminal: false) ?? ""
        return line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
}
