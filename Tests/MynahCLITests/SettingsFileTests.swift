import APNsRules
import Mynah
import MynahControl
import Testing

@testable import MynahCLI

@Suite("Settings from the YAML file")
struct SettingsFileTests {
    private func settings(_ yaml: String) throws(CommandFailure) -> ServeSettings {
        try SettingsFixture(files: ["./mynah.yaml": yaml]).settings()
    }

    private func expectFailure(_ message: String, in yaml: String, sourceLocation: SourceLocation = #_sourceLocation) {
        MynahCLITests.expectFailure(.configuration, message, sourceLocation: sourceLocation) { _ = try settings(yaml) }
    }

    @Test("lists are YAML lists or texts with commas")
    func lists() throws {
        #expect(try settings("port: [2197, '443:production']").server.ports.count == 2)
        #expect(try settings("port: 2197,443").server.ports == [.init(port: 2197), .init(port: 443)])
        #expect(try settings("tls-name:\n  - a.test\n  - b.test\n").server.tlsNames == ["a.test", "b.test"])
        #expect(try settings("port: 2197:sandbox").server.ports == [.init(port: 2197, environment: .sandbox)])
    }

    @Test("booleans and numbers are written as in YAML")
    func scalars() throws {
        #expect(try settings("insecure-control: true").control.insecureControl)
        #expect(try settings("documented-reasons: yes").server.rules.usesDocumentedReasons)
        #expect(try settings("seed: 42\nidle-timeout: 5m\n").server.seed == 42)
    }

    @Test("an empty file, or one of comments, sets nothing", arguments: ["", "# nothing\n"])
    func empty(_ yaml: String) throws {
        #expect(try settings(yaml).control.port == 8197)
    }

    @Test("an unknown key is refused with file, line and the nearest name")
    func unknownKey() {
        expectFailure(
            "./mynah.yaml:2: unknown setting contorl-port: did you mean \"control-port\"?",
            in: "seed: 1\ncontorl-port: 1\n"
        )
    }

    @Test("an invalid value is refused with file, line and key")
    func wrongValue() {
        expectFailure(
            "./mynah.yaml:3: devices: invalid value \"shut\": expected open or strict",
            in: "# devices\nseed: 1\ndevices: shut\n")
    }

    @Test("a value of another type is refused")
    func wrongShape() {
        expectFailure("./mynah.yaml:1: devices is a list: expected open or strict", in: "devices: [open]")
        expectFailure("./mynah.yaml:1: devices is a mapping: expected open or strict", in: "devices: {a: b}")
        expectFailure("./mynah.yaml:1: devices has no value: expected open or strict", in: "devices:\n")
        expectFailure("./mynah.yaml:1: expected settings with values, like port: 2197", in: "- port")
    }

    @Test("a setting that is given twice is refused")
    func twice() {
        expectFailure("./mynah.yaml:1: given more than once: seed", in: "seed: 1\nseed: 2\n")
    }

    @Test("malformed YAML is refused with its line")
    func noYAML() throws {
        let failure = #expect(throws: CommandFailure.self) { try settings("seed: 1\nport: [2197\n") }
        #expect(failure?.status == .configuration)
        #expect(failure?.message.hasPrefix("./mynah.yaml:") == true)
        #expect(failure?.message.contains("not YAML") == true)
    }

    @Test("another file is named by flag or variable, and must exist")
    func namedFile() throws {
        var fixture = SettingsFixture(files: ["a.yaml": "seed: 1", "b.yaml": "seed: 2", "./mynah.yaml": "seed: 3"])
        #expect(try fixture.settings(["--config", "a.yaml"]).server.seed == 1)
        fixture.environment["MYNAH_CONFIG"] = "b.yaml"
        #expect(try fixture.settings().server.seed == 2)
        #expect(try fixture.settings(["--config=a.yaml"]).server.seed == 1)
        MynahCLITests.expectFailure(.configuration, "--config: there is no file c.yaml") { [fixture] in
            _ = try fixture.settings(["--config", "c.yaml"])
        }
        fixture.environment["MYNAH_CONFIG"] = "d.yaml"
        MynahCLITests.expectFailure(.configuration, "MYNAH_CONFIG: there is no file d.yaml") { [fixture] in
            _ = try fixture.settings()
        }
    }
}
