import APNsRules
import ArgumentParser
import Testing

@testable import MynahCLI

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
                ["tls-expired", "--environment", "sandbox", "--priority", "-5"],
                #"{"match":{"event":"handshake","environment":"sandbox"},"action":{"type":"tls","certificate":"expired"},"priority":-5}"#
            ),
            (
                ["stall", "--apns-priority", "5", "--header", "User-Agent=x", "--payload", "/aps/badge=3"],
                #"{"match":{"priority":5,"payload":{"/aps/badge":[3,"3"]},"headers":{"user-agent":"x"}},"action":{"type":"stall"}}"#
            ),
        ]) func rules(words: [String], json: String) throws
    {
        let command = try FaultAddCommand.parse(words)
        #expect(try command.document().encodedText == json)
    }
}
