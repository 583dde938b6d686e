import APNsRules
import Logging
import Mynah
import MynahControl
import Testing

@testable import MynahCLI

@Suite("Settings by flag, environment, file and default, in that order")
struct SettingsResolverTests {
    @Test("a flag overrides its variable, a variable the file, the file the default")
    func precedence() throws {
        var fixture = SettingsFixture()
        #expect(try fixture.settings().control.port == 8197)
        fixture.files["./mynah.yaml"] = "control-port: 1003"
        #expect(try fixture.settings().control.port == 1003)
        fixture.environment["MYNAH_CONTROL_PORT"] = "1002"
        #expect(try fixture.settings().control.port == 1002)
        #expect(try fixture.settings(["--control-port", "1001"]).control.port == 1001)
    }

    @Test("a list replaces the whole list of a source with less precedence")
    func listsReplace() throws {
        let fixture = SettingsFixture(
            environment: ["MYNAH_TLS_NAME": "b.test, c.test"], files: ["./mynah.yaml": "tls-name: [d.test]"])
        #expect(try fixture.settings().server.tlsNames == ["b.test", "c.test"])
        #expect(try fixture.settings(["--tls-name", "a.test"]).server.tlsNames == ["a.test"])
    }

    @Test("every default in the help is the default of the settings", arguments: SettingTable.all)
    func defaultsAgree(_ setting: Setting) throws {
        guard let text = setting.defaultText else { return }
        var settings = ServeSettings()
        #expect(setting.assign(setting.values(in: text), &settings) == nil)
        #expect(String(reflecting: settings) == String(reflecting: ServeSettings()), "\(setting.name)")
    }

    @Test("a setting without a default in the help is absent by default")
    func absentDefaults() {
        let settings = ServeSettings()
        #expect(settings.server.seed == nil)
        #expect(settings.server.exportDirectory == nil)
        #expect(settings.server.teamID == nil)
        #expect(settings.controlHost == nil)
        #expect(settings.control.token == nil)
        #expect(settings.readyFile == nil)
        #expect(settings.server.tlsNames + settings.server.authKeyFiles == [])
        #expect(settings.control.allowedHosts + settings.control.corsOrigins == [])
    }

    @Test("names are unique and fit flags, variables and YAML keys", arguments: SettingTable.all)
    func namesFit(_ setting: Setting) {
        #expect(SettingTable.all.filter { $0.name == setting.name }.count == 1)
        #expect(setting.name.allSatisfy { ($0.isLowercase && $0.isASCII) || $0 == "-" })
        #expect(setting.help.hasSuffix("."))
    }

    @Test("exactly the flags of this version exist")
    func flagsOfThisVersion() {
        let names = Set(SettingTable.all.map(\.name))
        #expect(
            names == [
                "host", "port", "channels-port", "broadcast-apps", "web-push-port", "cleartext-port", "proxy-port",
                "control-port",
                "control-host", "control-token",
                "insecure-control", "allowed-host", "cors-origin", "state-dir", "tls-name", "export-dir",
                "export-host", "environment",
                "auth", "auth-key",
                "team-id", "devices", "fixtures", "watch", "quiet", "magic-tokens", "scenario", "retain",
                "retain-bytes", "data",
                "sync", "keep", "leave-out", "cluster", "cluster-name", "cluster-server", "cluster-replicas",
                "cluster-ca",
                "cluster-credentials", "seed",
                "ready-file",
                "payload-check",
                "push-type-check", "error-content-type", "documented-reasons", "stream-limits", "idle-timeout",
                "request-timeout",
                "token-length", "token-updates", "shutdown-grace", "log-level", "max-errors", "reconnect-limit",
                "team-topics", "request-limit",
                "provider-ca", "issued-token-length", "unregister-delay", "background-budget", "activity-budget",
                "deferral-max", "log-format", "log-pushes",
            ])
    }

    @Test("every flag sets its setting")
    func everyFlag() throws {
        let settings = try SettingsFixture().settings([
            "--host", "127.0.0.1", "--port", "2197:sandbox", "--port=0:production,443", "--cleartext-port", "8080",
            "--control-port", "0", "--control-host", "::1", "--control-token", "secret", "--insecure-control",
            "--allowed-host", "mynah.example", "--cors-origin", "http://localhost:3000", "--state-dir", "/s",
            "--tls-name", "push.test", "--export-dir", "/e", "--environment", "production", "--auth", "structural",
            "--auth-key", "AuthKey_ABC123DEFG.p8", "--team-id", "TEAM123456", "--devices", "strict", "--retain", "0",
            "--retain-bytes", "1GiB", "--seed", "18446744073709551615", "--ready-file", "r.json",
            "--payload-check", "strict", "--push-type-check", "strict", "--error-content-type", "on",
            "--documented-reasons", "--stream-limits", "2,500", "--idle-timeout", "1h30m", "--request-timeout", "5s",
            "--token-length", "14-64",
            "--token-updates", "key", "--max-errors", "7", "--reconnect-limit", "60/minute",
            "--provider-ca", "one.pem,two.pem", "--issued-token-length", "64", "--unregister-delay", "1h-3d",
            "--background-budget", "3", "--activity-budget", "4", "--deferral-max", "15m", "--request-limit",
            "5/second",
            "--team-topics", "com.example.app,com.example.other", "--team-topics=a.b",
            "--shutdown-grace", "250ms", "--log-level", "debug", "--log-format", "json", "--log-pushes", "off",
        ])
        let server = settings.server
        #expect(server.host == "127.0.0.1")
        #expect(
            server.ports == [
                .init(port: 2197, environment: .sandbox), .init(port: 0, environment: .production), .init(port: 443),
            ])
        #expect(server.cleartextPort == 8080)
        #expect(server.stateDirectory == "/s")
        #expect(server.exportDirectory == "/e")
        #expect(server.tlsNames == ["push.test"])
        #expect(server.environment == .production)
        #expect(server.authentication == .structural)
        #expect(server.authKeyFiles == ["AuthKey_ABC123DEFG.p8"])
        #expect(server.teamID == "TEAM123456")
        #expect(server.issuedTokenByteCount == 64)
        #expect(server.unregisterDelay == .seconds(3600) ... .seconds(3 * 86_400))
        #expect(server.backgroundBudget == 3)
        #expect(server.activityBudget == 4)
        #expect(server.deferralMax == .seconds(900))
        #expect(server.devices == .strict)
        #expect(server.retain == 0)
        #expect(server.retainBytes == 1 << 30)
        #expect(server.seed == .max)
        #expect(server.rules.payloadCheck == .strict)
        #expect(server.rules.pushTypeCheck == .strict)
        #expect(server.rules.sendsErrorContentType)
        #expect(server.rules.usesDocumentedReasons)
        #expect(server.streamLimits == .init(beforeTrust: 2, trusted: 500))
        #expect(server.idleTimeout == .seconds(5400))
        #expect(server.requestTimeout == .seconds(5))
        #expect(server.maxErrors == 7)
        #expect(server.reconnectLimit == .init(count: 60, period: .seconds(60)))
        #expect(server.requestLimit == .init(count: 5, period: .seconds(1)))
        #expect(server.rules.teamTopics == ["com.example.app", "com.example.other", "a.b"])
        #expect(server.providerCAFiles == ["one.pem", "two.pem"])
        #expect(server.rules.tokenByteCounts == 14...64)
        #expect(server.rules.tokenUpdates == .key)
        #expect(server.shutdownGrace == .milliseconds(250))
        var control = ControlSettings()
        control.port = 0
        control.token = "secret"
        control.insecureControl = true
        control.allowedHosts = ["mynah.example"]
        control.corsOrigins = ["http://localhost:3000"]
        #expect(settings.control == control)
        #expect(settings.controlHost == "::1")
        control.host = "::1"
        #expect(settings.controlSettings == control)
        #expect(settings.readyFile == "r.json")
        #expect(settings.logLevel == .debug)
        #expect(!settings.logsPushes)
        #expect(settings.logFormat == .json)
    }

    @Test("the last of several flags with one value counts, and a toggle takes a value after =")
    func repeatedFlags() throws {
        #expect(try SettingsFixture().settings(["--seed", "1", "--seed", "2"]).server.seed == 2)
        #expect(try !SettingsFixture().settings(["--insecure-control=no"]).control.insecureControl)
    }

    @Test("an unknown flag gets a hint at the nearest one")
    func unknownFlag() {
        expectFailure(.usage, "unknown option --prot: did you mean \"--port\"?") {
            _ = try SettingsFixture().resolve(["--prot", "1"])
        }
        expectFailure(.usage, "unknown option --xyzzy") { _ = try SettingsFixture().resolve(["--xyzzy"]) }
        expectFailure(.usage, "unknown option -port: did you mean \"--port\"?") {
            _ = try SettingsFixture().resolve(["-port", "1"])
        }
    }

    @Test("flags of later versions are unknown", arguments: ["intercept"])
    func laterFlags(_ name: String) {
        let failure = #expect(throws: CommandFailure.self) { try SettingsFixture().resolve(["--\(name)", "1"]) }
        #expect(failure?.status == .usage)
        #expect(failure?.message.hasPrefix("unknown option --\(name)") == true)
    }

    @Test("an argument without dashes is refused")
    func strayArgument() {
        expectFailure(.usage, "unexpected argument \"2197\": settings begin with --, as in --port 2197") {
            _ = try SettingsFixture().resolve(["2197"])
        }
        expectFailure(.usage, "unexpected argument \"npm\": serve takes flags only") {
            _ = try SettingsFixture().resolve(["--", "npm"])
        }
    }

    @Test("a flag without a value is refused with the expected value")
    func missingValue() {
        expectFailure(.usage, "--auth has no value: expected strict or structural") {
            _ = try SettingsFixture().resolve(["--auth", "--seed", "1"])
        }
        expectFailure(.usage, "--config has no value: expected the path of a file") {
            _ = try SettingsFixture().resolve(["--config"])
        }
    }

    @Test("two listeners on one port are refused")
    func portTwice() {
        expectFailure(
            .configuration,
            "port 2197 is given twice: expected different ports for --port, --channels-port, --web-push-port, "
                + "--cleartext-port, --proxy-port and --control-port (0 is a free port)"
        ) { _ = try SettingsFixture().resolve(["--cleartext-port", "2197"]) }
        #expect(throws: CommandFailure.self) { try SettingsFixture().resolve(["--proxy-port", "8197"]) }
        #expect(throws: CommandFailure.self) { try SettingsFixture().resolve(["--channels-port", "2197:sandbox"]) }
        #expect(throws: Never.self) { try SettingsFixture().resolve(["--port", "0,0", "--control-port", "0"]) }
    }

    @Test("a setting that means nothing without another one needs it")
    func companions() throws {
        var fixture = SettingsFixture()
        for (needed, names) in SettingTable.companions {
            for name in names {
                let setting = try #require(SettingTable.all.first { $0.name == name })
                let value = setting.defaultText ?? (name == "leave-out" ? "41/0" : "x")
                let given = ["--\(name)"] + (setting.shape == .toggle ? [] : [value])
                expectFailure(.usage, "--\(name) is given without --\(needed): expected both, or neither") {
                    _ = try fixture.resolve(given)
                }
                let other = needed == "cluster" ? "nats://127.0.0.1:4222" : "run"
                #expect(throws: Never.self) { _ = try fixture.resolve(given + ["--\(needed)", other]) }
            }
        }
        fixture.environment["MYNAH_CLUSTER_SERVER"] = "one"
        expectFailure(
            .configuration, "MYNAH_CLUSTER_SERVER is given without --cluster: expected both, or neither"
        ) { _ = try fixture.resolve([]) }
    }

    @Test("a control API that other machines can reach needs a token or --insecure-control")
    func controlOffLoopback() throws {
        expectFailure(
            .configuration,
            "the control API on 0.0.0.0 can be reached from other machines: set --control-token, or --insecure-control "
                + "on a trusted network, or --control-host localhost"
        ) { _ = try SettingsFixture().resolve(["--host", "0.0.0.0"]) }
        for further in [["--control-token", "t"], ["--insecure-control"], ["--control-host", "127.0.0.2"]] {
            #expect(try SettingsFixture().settings(["--host", "0.0.0.0"] + further).server.host == "0.0.0.0")
        }
    }

    @Test("the help has every flag, variable rule and default")
    func help() {
        for setting in SettingTable.all { #expect(SettingsHelp.text.contains("  \(setting.flag)")) }
        #expect(SettingsHelp.text.contains("(default: 100000)"))
        #expect(SettingsHelp.text.split(separator: "\n").allSatisfy { $0.count <= 110 })
    }
}
