import APNsRules
import Glibc
import Mynah
import MynahClient
import MynahControl
import MynahTestSupport
import Testing

@testable import MynahCLI

@Suite("A server started from settings")
struct RunningServerTests {
    @Test("a sent push is in the journal and meets an expectation")
    func sendAndExpect() async throws {
        try await TestServer.with { facts in
            #expect(facts.seed == 7)
            let client = ControlClient.patient(url: try ControlURL(facts.ready.controlURL))
            #expect(try await client.isReady())
            let provider = Provider.patient(
                host: facts.clientHost, port: facts.ready.port, caPEM: try await client.certificateAuthority())
            let push = Provider.Push(
                path: "/3/device/\(Banner.exampleToken)",
                headers: [("apns-topic", "com.example.app"), ("apns-push-type", "alert")],
                body: Array(#"{"aps":{"alert":"hi"}}"#.utf8))
            let answer = try await provider.send(push)
            #expect(answer.status == 403)
            #expect(String(decoding: answer.body, as: UTF8.self) == #"{"reason":"MissingProviderToken"}"#)

            let met = try await client.expectation(["match": ["reason": "MissingProviderToken"]])
            #expect(met.met)
            let unmet = try await client.expectation(["match": ["status": 200], "within": "0s"])
            #expect(!unmet.met)
            #expect(unmet.nearest.count == 1)

            let page = try await client.notifications([QueryItem("topic", "com.example.app")])
            #expect(page.items.count == 1)
            #expect(page.items.first?.payload?["aps"]?["alert"]?.string == "hi")
            let reset = try await client.reset()
            #expect(reset.removed["notifications"] == 1)
        }
    }

    @Test("a payload larger than a frame arrives completely")
    func largePayload() async throws {
        try await TestServer.with { facts in
            let client = ControlClient.patient(url: try ControlURL(facts.ready.controlURL))
            let provider = Provider.patient(
                host: facts.clientHost, port: facts.ready.port, caPEM: try await client.certificateAuthority())
            let body = Array(repeating: UInt8(0x20), count: 20_000)
            let answer = try await provider.send(
                .init(path: "/3/device/00", headers: [("apns-topic", "t")], body: body))
            #expect(answer.status != 200)
        }
    }

    @Test("a certificate of another CA is refused by the provider")
    func foreignCA() async throws {
        try await TestServer.with { first in
            try await TestServer.with { second in
                let client = ControlClient.patient(url: try ControlURL(second.ready.controlURL))
                let provider = Provider.patient(
                    host: first.clientHost, port: first.ready.port, caPEM: try await client.certificateAuthority())
                let error = await #expect(throws: ClientError.self) {
                    try await provider.send(.init(path: "/", headers: [], body: []))
                }
                #expect(error?.code == .unavailable)
                #expect(error?.message.contains("certificate verify failed") == true)
            }
        }
    }

    @Test("a taken port ends with exit code 69 and is named")
    func portTaken() async throws {
        try await TestServer.with { facts in
            let port = facts.ready.port
            let failure = await #expect(throws: CommandFailure.self) {
                try await TestServer.with({ $0.server.ports = [.init(port: port)] }) { _ in }
            }
            #expect(failure?.status == .unavailable)
            #expect(failure?.message.contains(String(port)) == true)
            let control = await #expect(throws: CommandFailure.self) {
                try await TestServer.with({ $0.control.port = facts.ready.controlPort }) { _ in }
            }
            #expect(control?.status == .unavailable)
            #expect(control?.message.contains(String(facts.ready.controlPort)) == true)
        }
    }

    @Test("a missing key file is a configuration error")
    func missingKey() async {
        let failure = await #expect(throws: CommandFailure.self) {
            try await TestServer.with({
                $0.server.authKeyFiles = ["/nowhere/AuthKey_ABC123DEFG.p8"]
                $0.server.teamID = "TEAM123456"
            }) { _ in }
        }
        #expect(failure?.status == .configuration)
        #expect(failure?.message.contains("/nowhere/AuthKey_ABC123DEFG.p8") == true)
    }

    @Test("the control API requires its token")
    func controlToken() async throws {
        try await TestServer.with({ $0.control.token = "s3cret" }) { facts in
            let url = try ControlURL(facts.ready.controlURL)
            let error = await #expect(throws: ClientError.self) {
                try await ControlClient.patient(url: url).status()
            }
            #expect(error?.status == 401)
            #expect(
                try await ControlClient.patient(url: url, token: "s3cret").status().seed == 7)
        }
    }
}

// Forwarding of signals is tested in a separate process: here signals would reach the commands of all tests.
@Suite("The command that exec runs")
struct ExecChildTests {
    private let environment = ["PATH": "/usr/bin:/bin", "ANSWER": "42"]

    @Test("the command's exit code is returned", arguments: [Int32(0), 1, 7, 255])
    func exitCode(_ code: Int32) async throws {
        #expect(try await ExecChild.run(["sh", "-c", "exit \(code)"], environment: environment) == code)
    }

    @Test("the command has exactly the given environment")
    func givenEnvironment() async throws {
        let script = #"test "$ANSWER" = 42 && test -z "$HOME""#
        #expect(try await ExecChild.run(["sh", "-c", script], environment: environment) == 0)
    }

    @Test("the exit code after a signal is that of shells")
    func signalled() async throws {
        #expect(try await ExecChild.run(["sh", "-c", "kill -TERM $$"], environment: environment) == 128 + SIGTERM)
        // A signal that is trapped here is ignored here, but must not be ignored in the child.
        #expect(try await ExecChild.run(["sh", "-c", "kill -USR1 $$"], environment: environment) == 128 + SIGUSR1)
    }

    @Test("a missing command is 127, and one that can't be run is 126")
    func notStarted() async throws {
        #expect(try await ExecChild.run(["no-such-command"], environment: environment) == 127)
        #expect(try await ExecChild.run(["/etc/passwd"], environment: environment) == 126)
    }
}
