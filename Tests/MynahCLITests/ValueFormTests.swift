import APNsRules
import Mynah
import MynahCore
import Testing

@testable import MynahCLI

@Suite("Values of settings")
struct ValueFormTests {
    @Test(
        "an invalid value is refused with the flag and the expected value",
        arguments: [
            (
                "--port", "70000",
                "a port from 0 to 65535 (0 is a free one), alone or with an environment, like 2197:sandbox"
            ),
            (
                "--port", "2197:staging",
                "a port from 0 to 65535 (0 is a free one), alone or with an environment, like 2197:sandbox"
            ),
            ("--control-port", "+1", "a port from 0 to 65535 (0 is a free one)"),
            ("--cleartext-port", "http", "a port from 0 to 65535 (0 is a free one), or off"),
            ("--retain", "many", "a whole number from 0 to 1000000000"),
            ("--retain", "1000000001", "a whole number from 0 to 1000000000"),
            ("--retain-bytes", "1XB", "a size in bytes, like 256MB, 1GiB or 1000000"),
            ("--seed", "-1", "a whole number from 0 to 18446744073709551615"),
            ("--auth", "off", "strict or structural"),
            ("--devices", "closed", "open or strict"),
            ("--environment", "staging", "sandbox or production"),
            ("--team-id", "team", "10 capital letters and digits, like TEAM123456"),
            (
                "--broadcast-apps", "com.example.app.voip",
                "a bundle id of letters, digits, hyphens and periods, like com.example.app, without the suffix of a push "
                    + "type"
            ),
            ("--payload-check", "on", "lenient or strict"),
            ("--error-content-type", "maybe", "one of 1, true, yes, on, 0, false, no, off"),
            (
                "--stream-limits", "1",
                "two numbers from 1 to 1000: before and after the first accepted push, like 1,1000"
            ),
            (
                "--stream-limits", "0,1000",
                "two numbers from 1 to 1000: before and after the first accepted push, like 1,1000"
            ),
            ("--idle-timeout", "60", "a duration above zero with a unit, like 250ms, 5s or 1h30m"),
            ("--idle-timeout", "0s", "a duration above zero with a unit, like 250ms, 5s or 1h30m"),
            ("--request-timeout", "0s", "a duration above zero with a unit, like 250ms, 5s or 1h30m"),
            ("--shutdown-grace", "soon", "a duration with a unit, like 250ms, 5s or 1h30m"),
            (
                "--token-length", "64-32",
                "the fewest and the most bytes, from 1 to 100, the most at least 8, like 32-100"
            ),
            (
                "--token-length", "32-101",
                "the fewest and the most bytes, from 1 to 100, the most at least 8, like 32-100"
            ),
            ("--token-length", "4-7", "the fewest and the most bytes, from 1 to 100, the most at least 8, like 32-100"),
            ("--issued-token-length", "101", "a whole number from 16 to 100"),
            ("--issued-token-length", "15", "a whole number from 16 to 100"),
            (
                "--unregister-delay", "3d-1h",
                "a duration with a unit, like 5s, or the shortest and the longest, like 1h-3d"
            ),
            (
                "--unregister-delay", "5",
                "a duration with a unit, like 5s, or the shortest and the longest, like 1h-3d"
            ),
            ("--background-budget", "0", "a whole number, 1 or more, or off"),
            ("--deferral-max", "0s", "a duration above zero with a unit, like 250ms, 5s or 1h30m, or off"),
            ("--token-updates", "team", "connection or key"),
            ("--log-level", "loud", "one of trace, debug, info, notice, warning, error, critical"),
            ("--log-format", "xml", "text or json"),
            ("--cors-origin", "localhost:3000", "an origin like http://localhost:3000, without a path"),
            ("--cors-origin", "http://localhost/page", "an origin like http://localhost:3000, without a path"),
            ("--host", "", "a name or an address to bind, like localhost or 0.0.0.0"),
        ])
    func wrongValue(flag: String, value: String, expected: String) {
        expectFailure(.usage, "\(flag): invalid value \"\(value)\": expected \(expected)") {
            _ = try SettingsFixture().resolve(["\(flag)=\(value)"])
        }
    }

    @Test(
        "sizes in powers of ten and of two",
        arguments: [
            ("0", 0), ("65536", 65_536), ("12B", 12), ("5k", 5000), ("5kB", 5000), ("5KiB", 5120),
            ("256MB", 256_000_000),
            ("1MiB", 1_048_576), ("2G", 2_000_000_000), ("1GiB", 1_073_741_824), ("1gib", 1_073_741_824),
        ])
    func sizes(text: String, bytes: Int) throws {
        #expect(try SettingsFixture().settings(["--retain-bytes", text]).server.retainBytes == bytes)
    }

    @Test("a size that overflows is refused", arguments: ["9223372036854775807k", "99999999999999999999"])
    func hugeSize(_ text: String) {
        #expect(ValueForm<Int>.bytes.read(text) == nil)
    }

    @Test(
        "durations are numbers with units, the largest first",
        arguments: [
            ("250ms", Duration.milliseconds(250)), ("5s", .seconds(5)), ("1h30m", .seconds(5400)),
            ("2d", .seconds(172_800)), ("1m0s500ms", .milliseconds(60_500)), ("0s", .zero),
        ])
    func durations(text: String, duration: Duration) {
        #expect(DurationText.parse(text) == duration)
    }

    @Test(
        "an invalid duration is refused",
        arguments: [
            "", "5", "s", "5 s", "-5s", "1.5s", "30m1h", "1s1s", "5S", "5sec", "99999999999999999999s",
            "9223372036854775807d",
        ])
    func noDurations(_ text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(
        "a reconnect limit is a count and a time",
        arguments: [
            ("60/minute", 60, Duration.seconds(60)), ("5/10s", 5, .seconds(10)), ("1/second", 1, .seconds(1)),
            ("1000/hour", 1000, .seconds(3600)), ("2/1h30m", 2, .seconds(5400)),
        ])
    func reconnectLimits(text: String, count: Int, period: Duration) throws {
        let limit = try SettingsFixture().settings(["--reconnect-limit", text]).server.reconnectLimit
        #expect(limit == .init(count: count, period: period))
    }

    @Test(
        "an invalid reconnect limit or error count is refused",
        arguments: ["", "5", "0/minute", "-1/minute", "5/", "/minute", "5/0s", "5/day", "5/minute/2", "5 / minute"])
    func noReconnectLimits(_ text: String) {
        #expect(ValueForm<Settings.RateLimit>.reconnectLimit.orOff().read(text) == nil)
        if text != "5" { #expect(ValueForm<Int>.positiveCount.orOff().read(text) == nil) }
    }

    @Test("off is accepted for settings that are off by default")
    func off() throws {
        let fixture = SettingsFixture(environment: ["MYNAH_CLEARTEXT_PORT": "8080"])
        #expect(try fixture.settings().server.cleartextPort == 8080)
        #expect(try fixture.settings(["--cleartext-port", "off"]).server.cleartextPort == nil)
        let limits = SettingsFixture(environment: ["MYNAH_MAX_ERRORS": "3", "MYNAH_RECONNECT_LIMIT": "3/minute"])
        #expect(try limits.settings(["--max-errors", "off"]).server.maxErrors == nil)
        #expect(try limits.settings(["--reconnect-limit", "off"]).server.reconnectLimit == nil)
    }

    @Test(
        "a hint is given for a slip, not for a guess",
        arguments: [
            ("prot", "port"), ("controlport", "control-port"), ("contol-port", "control-port"), ("retian", "retain"),
            ("log", "log-level"), ("export", "export-dir"), ("xyzzy", nil), ("q", nil), ("", nil),
        ])
    func nearest(name: String, expected: String?) {
        let hint = expected.map { ": did you mean \"\($0)\"?" } ?? ""
        #expect(Spelling.hint(name, SettingTable.all.map(\.name)) == hint)
    }
}
