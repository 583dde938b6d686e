import APNsRules
import ArgumentParser
import Mynah
import MynahClient
import MynahControl
import MynahTestSupport
import Testing

@testable import MynahCLI

@Suite("Errors in the words of the command line")
struct ErrorWordsTests {
    @Test(
        "an error of ArgumentParser says what is wrong and what was expected",
        arguments: [
            (
                ["expect", "--within", "5"],
                #"--within: invalid value "5": expected a duration with a unit, like 250ms, 5s or 1h30m"#
            ),
            (["expect", "--count", "it's"], #"--count: invalid value "it's": expected a whole number"#),
            (["device", "act", "kim", "x"], #"sequence: invalid value "x": expected a whole number"#),
            (
                ["device", "set", "kim", "--watch", "on"],
                #"--watch: invalid value "on": expected worn, locked or offWrist"#
            ),
            (["send", "--tls-version", "2"], #"--tls-version: invalid value "2": expected 1.2 or 1.3"#),
            (["send", "--to"], "--to has no value: expected <token>"),
            (["send", "--alert", "--to", "00"], "--alert has no value: expected <alert>"),
            (
                ["send", "--to", "00", "--badge", "-1"],
                #"--badge has no value, because "-1" begins with a hyphen: expected --badge=-1"#
            ),
            (
                ["expect", "--within", "-1s"],
                #"--within has no value, because "-1s" begins with a hyphen: expected --within=-1s"#
            ),
            (
                ["device", "badge", "kim", "com.example.app", "-1"],
                #"missing argument, because "-1" begins with a hyphen: expected it behind --, as in -- -1"#
            ),
            (["channel", "create"], "missing argument: expected <bundle-id>"),
            (["device", "remove"], "missing argument: expected <ids>"),
            (["reset", "all"], #"unexpected argument "all": expected none"#),
            (["reset", "all", "now"], #"unexpected arguments "all", "now": expected none"#),
            (["reset", "--only=x", "--url"], "--url has no value: expected <url>"),
            (["token", "-x"], "unknown option -x"), (["clock", "advance", "-1h"], "unknown option -1h"),
            (["device", "list", "--online=no"], "--online takes no value: expected it alone"),
        ])
    func parserErrors(words: [String], message: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try MynahCommand.parsed(words) }
        #expect(failure.status == .usage)
        let path = MynahCommand.named(words).path.joined(separator: " ")
        #expect(failure.message == message + "; see mynah \(path) --help")
    }

    @Test("an error of a command's own check stays as it is")
    func ownErrors() throws {
        let failure = try #require(throws: CommandFailure.self) { try MynahCommand.parsed(["send"]) }
        #expect(failure.message == "expected --to TOKEN, --broadcast CHANNEL, or --web SUBSCRIPTION")
    }

    @Test(
        "alternatives of which several are given are told to exclude each other",
        arguments: [
            (["send", "--to", "00", "--broadcast", "c"], "--to and --broadcast: give one of them"),
            (
                ["send", "--to", "00", "--web", "s", "--vapid-key", "k", "--subject", "s"],
                "--to and --web: give one of them"
            ),
            (["clock", "advance", "1h", "--to", "next"], "a duration and --to: give one of them"),
            (["clock", "advance"], "expected a duration such as 1h, or --to with a time or next"),
            (
                ["device", "set", "kim", "--of-user", "u", "--offline"], "a device's id and --of-user: give one of them"
            ),
            (
                ["open", "run", "--control-port", "99999"],
                "--control-port 99999: expected a port from 0 to 65535 (0 is a free one)"
            ),
        ])
    func alternatives(words: [String], message: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try MynahCommand.parsed(words) }
        #expect(failure.status == .usage)
        #expect(failure.message == message)
    }

    @Test(
        "the version alone can be asked for",
        arguments: [
            (["--version", "x"], #"unexpected argument "x": expected --version alone"#),
            (["--version", "--port", "0"], #"unexpected argument "--port": expected --version alone"#),
        ])
    func version(words: [String], message: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try MynahCommand.withCommandName(words) }
        #expect(failure == CommandFailure(.usage, message))
        #expect(try MynahCommand.withCommandName(["--version"]) == ["--version"])
    }

    private func problem(
        _ status: Int, _ detail: String, field: String? = nil, allowed: [String] = []
    ) -> ClientError {
        let document: JSONValue = [
            "detail": .string(detail), "allowed": .array(allowed.map { .string($0) }),
        ]
        return ClientError(.problem, "", status: status, field: field, document: document)
    }

    @Test(
        "a problem of the control API names the option or nothing, and the command in place of a call",
        arguments: [
            (400, "\"lo\" is not valid", "/power", ["set", "--power", "lo"], "--power: \"lo\" is not valid"),
            (400, "\"lo\" is not valid", "/osVersion", ["--os-version=lo"], "--os-version: \"lo\" is not valid"),
            (400, "\"5\" is not valid", "/by", ["clock", "advance", "5"], "\"5\" is not valid"),
            (400, "\"x\" is not valid", "/match/status/0", ["--file", "e"], "/match/status/0: \"x\" is not valid"),
            (
                404, "unknown rule f-9: GET /v1/faults lists them", "id", [],
                "unknown rule f-9: `mynah fault list` lists them"
            ),
            (
                409, "device kim already exists: PUT replaces it, PATCH changes it", "/id", [],
                "device kim already exists: `mynah device set` changes it"
            ),
        ])
    func problems(status: Int, detail: String, field: String, arguments: [String], text: String) {
        #expect(ControlProblem.text(problem(status, detail, field: field), arguments: arguments) == text)
    }

    @Test("a call that failed is named as the call that it is")
    func failedCall() {
        let text = "GET /v1/devices?limit=1000 at http://127.0.0.1:1 answered 302"
        #expect(ControlProblem.text(ClientError(.notMynah, text), arguments: []) == text)
    }

    @Test("allowed values are listed unless the message has them or names the nearest")
    func allowed() {
        let names = ["topic", "token"]
        #expect(
            ControlProblem.text(problem(400, "unknown x", allowed: names), arguments: [])
                == "unknown x; allowed: topic, token")
        #expect(
            ControlProblem.text(problem(400, "unknown: expected topic or token", allowed: names), arguments: [])
                == "unknown: expected topic or token")
        let near = "unknown x: did you mean \"topic\"?"
        #expect(ControlProblem.text(problem(400, near, allowed: names), arguments: []) == near)
    }

    @Test("a missing token is told with the variable that sets it, without HTTP")
    func missingToken() async throws {
        try await TestServer.with({ $0.control.token = "s3cret" }) { facts in
            let client = ControlClient.patient(url: try ControlURL(facts.ready.controlURL))
            let error = try await #require(throws: ClientError.self) { try await client.status() }
            #expect(
                ControlProblem.text(error, arguments: [])
                    == "the token is missing: expected that of --control-token: set MYNAH_CONTROL_TOKEN to it")
        }
    }
}
