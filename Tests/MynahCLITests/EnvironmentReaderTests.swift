import APNsRules
import Mynah
import MynahControl
import Testing

@testable import MynahCLI

@Suite("Settings from the environment")
struct EnvironmentReaderTests {
    @Test("an invalid value is a configuration error that names the variable")
    func wrongValue() {
        expectFailure(
            .configuration, "MYNAH_RETAIN: invalid value \"all\": expected a whole number from 0 to 1000000000"
        ) { _ = try SettingsFixture(environment: ["MYNAH_RETAIN": "all"]).resolve() }
    }

    @Test("lists are separated by commas")
    func lists() throws {
        let settings = try SettingsFixture(environment: ["MYNAH_PORT": "2197,443:production"]).settings()
        #expect(settings.server.ports == [.init(port: 2197), .init(port: 443, environment: .production)])
    }

    @Test("a comma in a value that isn't a list is kept")
    func commaInValue() throws {
        let settings = try SettingsFixture(environment: ["MYNAH_STREAM_LIMITS": "3,300"]).settings()
        #expect(settings.server.streamLimits == .init(beforeTrust: 3, trusted: 300))
    }

    @Test(
        "booleans are 1, true, yes and 0, false, no",
        arguments: [("1", true), ("true", true), ("yes", true), ("0", false), ("false", false), ("no", false)])
    func booleans(text: String, value: Bool) throws {
        #expect(
            try SettingsFixture(environment: ["MYNAH_INSECURE_CONTROL": text]).settings().control.insecureControl
                == value)
    }

    @Test("an empty variable counts as not set")
    func empty() throws {
        let resolved = try SettingsFixture(environment: ["MYNAH_SEED": "", "MYNAH_NONSENSE": ""]).resolve()
        #expect(resolved.settings.server.seed == nil)
        #expect(resolved.warnings == [])
    }

    @Test("an unknown variable is a warning with the nearest name")
    func unknown() throws {
        let resolved = try SettingsFixture(environment: ["MYNAH_CONTROL_PROT": "1", "OTHER": "x"]).resolve()
        #expect(
            resolved.warnings == ["ignored unknown variable MYNAH_CONTROL_PROT: did you mean \"MYNAH_CONTROL_PORT\"?"])
    }

    @Test("the variables of client commands and of exec are known")
    func clientVariables() throws {
        let variables = [
            "MYNAH_URL", "MYNAH_CA_FILE", "MYNAH_KEY_FILE", "MYNAH_KEY_ID", "MYNAH_APNS_HOST", "MYNAH_APNS_PORT",
            "MYNAH_BINARY",
        ]
        let environment = Dictionary(uniqueKeysWithValues: variables.map { ($0, "x") })
        #expect(try SettingsFixture(environment: environment).resolve().warnings == [])
    }

    @Test("variables of Kubernetes and container links are ignored, with one note")
    func injected() throws {
        let environment = [
            "MYNAH_PORT": "tcp://10.0.0.1:2197", "MYNAH_SERVICE_HOST": "10.0.0.1", "MYNAH_SERVICE_PORT": "2197",
            "MYNAH_SERVICE_PORT_CONTROL": "8197", "MYNAH_PORT_2197_TCP": "tcp://10.0.0.1:2197",
            "MYNAH_PORT_2197_TCP_PROTO": "tcp", "MYNAH_PORT_2197_TCP_PORT": "2197",
            "MYNAH_PORT_2197_TCP_ADDR": "10.0.0.1", "MYNAH_CONTROL_PORT": "tcp://10.0.0.2:8197",
            "MYNAH_NAME": "/web/mynah", "MYNAH_ENV_PATH": "/bin",
        ]
        let resolved = try SettingsFixture(environment: environment).resolve()
        #expect(resolved.settings.server.ports == [.init(port: 2197)])
        #expect(resolved.settings.control.port == 8197)
        #expect(resolved.warnings == [])
        #expect(resolved.notes.count == 1)
        for name in environment.keys { #expect(resolved.notes[0].contains(name)) }
    }

    @Test("an image's defaults come after all settings of the user")
    func defaults() throws {
        let path = "/usr/share/mynah/defaults.yaml"
        var fixture = SettingsFixture(
            environment: ["MYNAH_DEFAULTS": path, "MYNAH_PORT": "tcp://10.0.0.1:2197"],
            files: [path: "port: [2197, 443]\nretain: 5\n"])
        #expect(try fixture.settings().server.ports.map(\.port) == [2197, 443])
        fixture.files["./mynah.yaml"] = "port: 1"
        #expect(try fixture.settings().server.ports.map(\.port) == [1])
        #expect(try fixture.settings().server.retain == 5)
        fixture.environment["MYNAH_PORT"] = "2"
        #expect(try fixture.settings().server.ports.map(\.port) == [2])
        #expect(try fixture.settings(["--port", "3"]).server.ports.map(\.port) == [3])
        fixture.files[path] = nil
        expectFailure(.configuration, "MYNAH_DEFAULTS: there is no file \(path)") { [fixture] in
            _ = try fixture.settings()
        }
    }

    @Test("a secret is read from a file, without the line break at its end")
    func secretFile() throws {
        let fixture = SettingsFixture(
            environment: ["MYNAH_CONTROL_TOKEN_FILE": "/run/secrets/token"], files: ["/run/secrets/token": "s3cret\n"])
        #expect(try fixture.settings().control.token == "s3cret")
        #expect(try fixture.settings(["--control-token", "flag"]).control.token == "flag")
    }

    @Test("a missing file for a secret is named")
    func secretFileMissing() {
        expectFailure(.configuration, "MYNAH_CONTROL_TOKEN_FILE: there is no file /nowhere") {
            _ = try SettingsFixture(environment: ["MYNAH_CONTROL_TOKEN_FILE": "/nowhere"]).resolve()
        }
    }

    @Test("a secret given twice is refused")
    func secretTwice() {
        expectFailure(
            .configuration, "MYNAH_CONTROL_TOKEN and MYNAH_CONTROL_TOKEN_FILE are both set: expected one of them"
        ) {
            _ = try SettingsFixture(environment: ["MYNAH_CONTROL_TOKEN": "a", "MYNAH_CONTROL_TOKEN_FILE": "/f"])
                .resolve()
        }
    }
}
