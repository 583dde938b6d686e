import APNsRules
import ArgumentParser
import MynahClient
import MynahCore
import Testing

@testable import MynahCLI

@Suite("mynah expect")
struct ExpectCommandTests {
    private func body(_ arguments: [String]) throws -> String {
        try ExpectCommand.parse(arguments).expectation().body.encodedText
    }

    @Test("without options one push of any kind is expected")
    func defaults() throws {
        #expect(try body([]) == #"{"match":{},"count":{"min":1}}"#)
    }

    @Test("each filter flag is a field of the match")
    func filters() throws {
        #expect(
            try body([
                "--token", "00fc", "--device", "d", "--topic", "t", "--channel", "C", "--team", "T", "--key-id", "K",
                "--apns-id", "A",
                "--collapse-id", "c", "--push-type", "alert", "--priority", "10", "--environment", "sandbox",
                "--connection", "2", "--status", "200", "--reason", "R", "--outcome", "delivered", "--shown", "true",
                "--fault", "none", "--since", "s", "--until", "u", "--text", "x",
            ])
                == #"{"match":{"token":"00fc","device":"d","topic":"t","channel":"C","team":"T","keyId":"K","apnsId":"A","#
                + #""collapseId":"c","pushType":"alert","environment":"sandbox","connection":2,"text":"x","#
                + #""priority":10,"status":200,"reason":"R","outcome":"delivered","shown":true,"fault":"none","#
                + #""since":"s","until":"u"},"count":{"min":1}}"#)
    }

    @Test("there is a flag for each key of the filter language", arguments: FilterKey.allCases)
    func everyKey(key: FilterKey) throws {
        let flag = "--" + key.rawValue.replacing(/[A-Z]/) { "-" + $0.output.lowercased() }
        let terms = try FilterOptions.parse([flag, "v"]).terms
        #expect(terms.map(\.key) == [key.rawValue])
        #expect(terms.map(\.value) == ["v"])
    }

    @Test("a repeated flag matches any value, and a payload's number also as a string")
    func anyOf() throws {
        #expect(
            try body(["--topic", "a", "--topic", "b", "--payload", "/aps/badge=3", "--payload", "/aps/category=NEWS"])
                == #"{"match":{"topic":["a","b"],"payload":{"/aps/badge":[3,"3"],"/aps/category":"NEWS"}},"#
                + #""count":{"min":1}}"#)
    }

    @Test("counts, durations, sequence and scope are members")
    func counts() throws {
        #expect(try body(["--exactly", "3"]) == #"{"match":{},"count":{"exactly":3}}"#)
        #expect(try body(["--max", "0", "--settle", "2s"]) == #"{"match":{},"count":{"max":0},"settle":"2s"}"#)
        #expect(
            try body(["--count", "2", "--max", "4", "--within", "1m", "--after", "17", "--scope", "t42"])
                == #"{"match":{},"count":{"min":2,"max":4},"within":"1m","after":17,"scope":"t42"}"#)
    }

    @Test("--screen is a separate member")
    func screen() throws {
        #expect(
            try body(["--screen", "/title=Hello", "--payload", "/a=b", "--screen", "/badge=3"])
                == #"{"match":{"payload":{"/a":"b"},"screen":{"/title":"Hello","/badge":3}},"count":{"min":1}}"#)
    }

    @Test("a query line is sent unchanged, in addition to the flags")
    func query() throws {
        #expect(
            try body(["--topic", "a", #"status:400 -reason:BadDeviceToken "hi there" two words"#])
                == #"{"match":{"topic":"a","q":"status:400 -reason:BadDeviceToken \"hi there\" two words"},"count":{"min":1}}"#
        )
    }

    @Test("an expectation has the name of --name, or its match")
    func names() throws {
        #expect(try ExpectCommand.parse(["--name", "n"]).expectation().name == "n")
        #expect(try ExpectCommand.parse(["--topic", "a"]).expectation().name == #"{"topic":"a"}"#)
    }

    @Test(
        "contradictory options are refused before any call",
        arguments: [
            ["--exactly", "1", "--count", "1"], ["--exactly", "1", "--max", "1"], ["--count", "-1"],
            ["--count", "3", "--max", "2"], ["--within", "5"], ["--scope", "a", "--scope", "b"],
            ["--payload", "category=NEWS"], ["--payload", "/aps/category"], ["--nonsense", "x"],
            ["--screen", "title=Hi"], ["--after", "-1"], ["--annotations", "gitlab"], ["--file", "f", "--topic", "a"],
            ["--file", "f", "words"], ["--file", "f", "--count", "1"], ["--file", "f", "--name", "n"],
        ])
    func contradictions(_ arguments: [String]) {
        do {
            _ = try ExpectCommand.parse(arguments)
            Issue.record("\(arguments) was taken")
        } catch {
            #expect(ExpectCommand.exitCode(for: error).rawValue == CommandStatus.usage.rawValue)
        }
    }

    @Test("the filters of tail and dump go into the URL")
    func urlFilters() throws {
        let command = try DumpCommand.parse([
            "--topic", "a", "--topic", "b", "--payload", "/aps/badge=3", "--screen", "/title=T", "hi there",
        ])
        #expect(
            command.filters.items(and: command.query) == [
                QueryItem("q", "hi there"), QueryItem("topic", "a"), QueryItem("topic", "b"),
                QueryItem("payload./aps/badge", "3"), QueryItem("screen./title", "T"),
            ])
    }
}

@Suite("What commands print")
struct OutputTests {
    @Test("a push is a row, and its text can't control the terminal")
    func row() {
        let push: JSONValue = [
            "sequence": 12, "receivedAt": "2026-11-21T09:30:00.123Z", "status": 400, "reason": "BadDeviceToken",
            "pushType": "alert", "token": "00fc13adff785122", "topic": "com.example.app",
            "payload": ["aps": ["alert": ["title": "Hi", "body": "there\u{1B}[2J"]]],
        ]
        let table = PushTable(hasColours: false)
        #expect(
            table.heading
                == "#      TIME         ANSWER                   FAULT    TYPE         TO           TOPIC                    "
                + "PAYLOAD")
        #expect(
            table.row(push)
                == "12     09:30:00.123 400 BadDeviceToken       -        alert        00fc13ad     com.example.app          "
                + "Hi: there [2J")
        #expect(PushTable(hasColours: true).row(push).hasPrefix("\u{1B}[31m12 "))
    }

    @Test("a push to a device with a name of its own shows that")
    func receiver() {
        func row(_ device: JSONValue, _ token: JSONValue) -> String {
            PushTable(hasColours: false).row(["sequence": 1, "device": device, "token": token, "payload": nil])
        }
        #expect(row("kims-phone", "00fc13adff785122").contains(" kims-phone "))
        #expect(row("00fc13adff785122", "00fc13adff785122").contains(" 00fc13ad     "))
        #expect(row(nil, "00fc13adff785122").contains(" 00fc13ad     "))
    }

    @Test("a push without an answer yet shows its outcome")
    func pendingRow() {
        let row = PushTable(hasColours: false).row(["sequence": 1, "outcome": "pending", "payload": nil])
        #expect(row.contains("- pending"))
    }

    @Test("a push that a fault affected names the rule, also in later rows")
    func faultedRow() {
        let push: JSONValue = [
            "sequence": 7, "status": 503, "reason": "ServiceUnavailable", "fault": "f-12", "pushType": "alert",
            "payload": nil, "timeline": [["at": "2026-11-21T09:30:01.000Z", "event": "delivered"]],
        ]
        let table = PushTable(hasColours: false)
        #expect(table.row(push).contains(" 503 ServiceUnavailable   f-12     alert "))
        #expect(table.laterRow(push).contains("   → delivered            f-12     alert "))
    }

    @Test("an answer of APNs has status, reason, headers and body")
    func answer() {
        let refused = Provider.Answer(
            status: 410, headers: [("apns-id", "X")], body: Array(#"{"reason":"Unregistered"}"#.utf8))
        #expect(SendReport.text(refused) == "410 Unregistered\napns-id: X\n\n{\"reason\":\"Unregistered\"}")
        #expect(
            SendReport.json(refused, ["warnings": ["push type inferred"]])
                == #"{"status":410,"reason":"Unregistered","headers":[["apns-id","X"]],"#
                + #""body":"{\"reason\":\"Unregistered\"}","warnings":["push type inferred"]}"#)
        let accepted = Provider.Answer(status: 200, headers: [("apns-id", "X")], body: [])
        #expect(SendReport.text(accepted) == "200 accepted\napns-id: X")
    }

    @Test("what the journal says against a push is told: its warnings, and of a web push every cause")
    func notesOfJournal() {
        let refusal: JSONValue = [
            "status": 403, "reason": "BadJwtToken", "cause": "sub is missing", "evidence": "observed",
        ]
        let refused: JSONValue = ["warnings": [], "webPush": ["refusals": [refusal], "problem": nil]]
        #expect(SendReport.notes(on: refused) == ["cause: BadJwtToken (observed): sub is missing"])
        let unread: JSONValue = [
            "warnings": ["TTL is 0"],
            "webPush": ["refusals": [], "problem": "the tag is wrong", "notDeclarative": "no title"],
        ]
        #expect(
            SendReport.notes(on: unread) == [
                "warning: the browser can't decrypt it: the tag is wrong", "warning: it is not declarative: no title",
                "warning: TTL is 0",
            ])
        #expect(SendReport.notes(on: ["warnings": ["push type inferred"]]) == ["warning: push type inferred"])
        let answer = Provider.Answer(status: 201, headers: [], body: [])
        #expect(
            SendReport.json(answer, unread).hasSuffix(
                #""warnings":["TTL is 0"],"webPush":{"refusals":[],"problem":"the tag is wrong","#
                    + #""notDeclarative":"no title"}}"#))
    }

    @Test(
        "the payload of mynah send",
        arguments: [
            (["--alert", "hi"], #"{"aps":{"alert":"hi"}}"#),
            (
                ["--title", "T", "--alert", "hi", "--badge", "3", "--sound", "s"],
                #"{"aps":{"alert":{"title":"T","body":"hi"},"badge":3,"sound":"s"}}"#
            ),
            (["--background"], #"{"aps":{"content-available":1}}"#), (["--body", "no JSON"], "no JSON"),
            (
                ["--content-state", #"{"score":1}"#],
                #"{"aps":{"timestamp":1795262400,"event":"update","content-state":{"score":1}}}"#
            ),
            (
                ["--event", "end", "--title", "T", "--alert", "hi", "--sound", "s"],
                #"{"aps":{"timestamp":1795262400,"event":"end","alert":{"title":"T","body":"hi","sound":"s"}}}"#
            ),
        ])
    func payload(arguments: [String], expected: String) throws {
        let command = try SendCommand.parse(["--to", "00"] + arguments)
        #expect(
            String(decoding: try command.payload(at: Instant(milliseconds: 1_795_262_400_999)), as: UTF8.self)
                == expected)
    }

    @Test(
        "a push without a payload, or with two, is refused",
        arguments: [
            [], ["--alert", "a", "--body", "{}"], ["--alert", "a", "--header", "nocolon"],
            ["--alert", "a", "--port", "0"], ["--content-state", "5"], ["--content-state", "{"], ["--event", "start"],
            ["--event", "update"], ["--content-state", "{}", "--badge", "1"],
            ["--content-state", "{}", "--background"], ["--content-state", "{}", "--body", "{}"],
        ])
    func badSend(_ arguments: [String]) {
        do {
            _ = try SendCommand.parse(["--to", "00"] + arguments)
            Issue.record("\(arguments) was taken")
        } catch {
            #expect(SendCommand.exitCode(for: error).rawValue == CommandStatus.usage.rawValue)
        }
    }
}
