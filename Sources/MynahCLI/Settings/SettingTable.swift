import APNsRules
import Logging
import Mynah
import MynahControl

/// Every setting of `mynah serve` (`ControlAPI#Command-line`), in the order of its help.
enum SettingTable {
    /// The settings under the headings of the help, without `--config`, which names a file with settings.
    static let sections: [(heading: String, settings: [Setting])] = [
        ("Where it listens", listening), ("Certificates and keys", trust), ("What it simulates", service),
        ("Where APNs leaves a choice", choices), ("What it remembers", journal), ("The control API", control),
        ("The process", process),
    ].map { heading, settings in (heading, settings.map { $0.described(by: $1) }) }

    static let all = sections.flatMap(\.settings)
    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    static func named(_ name: String) -> Setting? { byName[name] }

    // Each setting with its help, one or two sentences.
    private static let listening: KeyValuePairs<Setting, String> = [
        .one(
            "host", \.server.host, .text("a name or an address to bind, like localhost or 0.0.0.0"), "HOST",
            default: "localhost"):
            "The name or address to bind; localhost is 127.0.0.1 and ::1.",
        .many("port", \.server.ports, .portBinding, "PORT[:ENVIRONMENT]", default: "2197"):
            "APNs over TLS, repeatable. 2197:sandbox belongs to an environment; 0 is a free port.",
        .orOff("cleartext-port", \.server.cleartextPort, .port, "PORT"):
            "The same without TLS: HTTP/2 prior knowledge and HTTP/1.1.",
        .orOff("proxy-port", \.server.proxyPort, .port, "PORT"):
            "A CONNECT proxy: Apple's names lead here; if it is bound to loopback, other targets are tunnelled, else refused.",
    ]

    private static let trust: KeyValuePairs<Setting, String> = [
        .optional("state-dir", \.server.stateDirectory, .text("a folder"), "DIR", default: "./certs"):
            "CA, certificates and keys; made with mode 0700. If not writable, they are in memory, with a warning.",
        .many("tls-name", \.server.tlsNames, .text("a host name or an address"), "NAME"):
            "A further name in the server's certificate, repeatable.",
        .optional("export-dir", \.server.exportDirectory, .text("a folder"), "DIR"):
            "A folder for other containers: gets ca.pem, ca-bundle.pem, the key and ready.json, mode 0644.",
        .optional("export-host", \.exportHost, .text("a host name or an address"), "NAME"):
            "The host in the URL of that ready.json, and a name in the certificate. Without it: that of --host, or the "
            + "machine's name.",
        .one("auth", \.server.authentication, .choice, "strict|structural", default: "strict"):
            "strict: provider tokens need a valid signature of a known key. structural: any well-formed ES256 token passes.",
        .many("auth-key", \.server.authKeyFiles, .text("the path of an AuthKey_<KEYID>.p8"), "FILE"):
            "Your own AuthKey_<KEYID>.p8, repeatable. Without one, a development key is generated.",
        .many("provider-ca", \.server.providerCAFiles, .text("the path of a CA's certificate in PEM"), "FILE"):
            "A further CA of provider certificates, repeatable.",
        .optional("team-id", \.server.teamID, .teamID, "TEAM"):
            "The team of the keys. Without one, it is random.",
    ]

    private static let service: KeyValuePairs<Setting, String> = [
        .one("environment", \.server.environment, .choice, "sandbox|production", default: "sandbox"):
            "The environment of connections whose port and server name belong to none.",
        .one("devices", \.server.devices, .choice, "open|strict", default: "open"):
            "open: a well-formed unknown token becomes a device. strict: it is BadDeviceToken.",
        .optional("fixtures", \.fixtures, .text("the path of a file or a folder"), "FILE|FOLDER"):
            "Initial devices, clock, keys and faults, YAML or JSON, as the API's objects. A folder's files are read by name.",
        .one("magic-tokens", \.server.hasMagicTokens, .boolean, "on|off", default: "on"):
            "Whether the device tokens of GET /v1/magic-tokens cause the answers listed there.",
        .many("scenario", \.scenarios, .text("a file or a shipped scenario's name"), "FILE|NAME"):
            "A scenario that starts with the server, repeatable; mynah scenario list --shipped lists the shipped ones.",
        .one("seed", \.server.seed, .seed, "NUMBER"):
            "Seed of every random choice. Without one, it is random and printed.",
    ]

    private static let choices: KeyValuePairs<Setting, String> = [
        .one("payload-check", \.server.rules.payloadCheck, .choice, "lenient|strict", default: "lenient"):
            "strict: a body that is not a JSON object is PayloadEmpty.",
        .one("push-type-check", \.server.rules.pushTypeCheck, .choice, "lenient|strict", default: "lenient"):
            "strict: contradictions of type, payload, priority and topic are InvalidPushType or BadPriority.",
        .one("error-content-type", \.server.rules.sendsErrorContentType, .boolean, "on|off", default: "on"):
            "Whether refusals carry content-type: application/json.",
        .one("documented-reasons", \.server.rules.usesDocumentedReasons, .boolean, "", default: "off"):
            "Spell reasons as in Apple's documentation, where the service differs.",
        .one(
            "stream-limits", \.server.streamLimits, .streamLimits, "BEFORE,TRUSTED",
            default: "\(Limits.streamsBeforeTrust),\(Limits.streamsMax)"):
            "Concurrent streams before and after a connection's first accepted push.",
        .one("idle-timeout", \.server.idleTimeout, .positiveDuration, "DURATION", default: "1h"):
            "How long a connection may be idle, by the clock, before it gets GOAWAY IdleTimeout.",
        .one("request-timeout", \.server.requestTimeout, .positiveDuration, "DURATION", default: "1m"):
            "How long a request may take from its first byte to its last; then RST_STREAM CANCEL, or 408.",
        .orOff("max-errors", \.server.maxErrors, .positiveCount, "COUNT"):
            "Refused requests (4xx but 410) after which a connection gets GOAWAY with the last reason.",
        .orOff("reconnect-limit", \.server.reconnectLimit, .reconnectLimit, "COUNT/TIME"):
            "The most connections of one address within a time, like 60/minute or 5/10s; further ones are reset.",
        .one("token-length", \.server.rules.tokenByteCounts, .tokenLength, "MIN-MAX", default: "32-100"):
            "The fewest and the most bytes of a device token.",
        .optional("issued-token-length", \.server.issuedTokenByteCount, .issuedTokenLength, "COUNT"):
            "The bytes of issued device tokens. Without it: 32, or the nearest that --token-length allows.",
        .one("unregister-delay", \.server.unregisterDelay, .durationRange, "DURATION[-DURATION]", default: "0s"):
            "How long after an app's removal its token becomes 410; for a range, a time drawn from the seed.",
        .orOff("background-budget", \.server.backgroundBudget, .positiveCount, "COUNT"):
            "The most background pushes to an app within an hour, 3 on Apple's devices; the newest further one waits.",
        .orOff("deferral-max", \.server.deferralMax, .positiveDuration, "DURATION"):
            "The longest that low power delays a push with priority 5; off: until power allows.",
        .one("token-updates", \.server.rules.tokenUpdates, .choice, "connection|key", default: "connection"):
            "Whether changes of the provider token count per connection, or for all connections of a key.",
    ]

    private static let journal: KeyValuePairs<Setting, String> = [
        .one("retain", \.server.retain, .count, "COUNT", default: "100000"):
            "Pushes that the journal keeps; 0 keeps counters only.",
        .one("retain-bytes", \.server.retainBytes, .bytes, "SIZE", default: "256MB"):
            "Bytes that the journal keeps.",
    ]

    private static let control: KeyValuePairs<Setting, String> = [
        .one("control-port", \.control.port, .port, "PORT", default: "8197"):
            "Control API and probes; 0 is a free port.",
        .optional("control-host", \.controlHost, .text("a name or an address to bind, like localhost"), "HOST"):
            "The name or address that the control API binds. Without it: that of --host.",
        .optional("control-token", \.control.token, .text("a bearer token"), "TOKEN", isSecret: true):
            "The bearer token of control calls; required from other machines unless --insecure-control.",
        .one("insecure-control", \.control.insecureControl, .boolean, "", default: "off"):
            "Allow control calls from other machines without a token.",
        .many("allowed-host", \.control.allowedHosts, .text("a host name"), "NAME"):
            "A further name with which the control API may be called, repeatable.",
        .many("cors-origin", \.control.corsOrigins, .origin, "ORIGIN"):
            "An origin whose pages may call the control API, repeatable.",
    ]

    private static let process: KeyValuePairs<Setting, String> = [
        .optional("ready-file", \.readyFile, .text("the path of a file"), "FILE"):
            "The file for ports, URL and files of this server as JSON, written when it is ready.",
        .one("shutdown-grace", \.server.shutdownGrace, .duration, "DURATION", default: "2s"):
            "How long open streams may still take after GOAWAY.",
        .one("log-level", \.logLevel, .choice, "LEVEL", default: "info"):
            "trace, debug, info, notice, warning, error or critical.",
        .one("log-format", \.logFormat, .choice, "text|json", default: "text"):
            "The form of log lines, and of the ready line.",
    ]
}

/// The help of the settings, from the table.
enum SettingsHelp {
    /// Every setting under its heading, with its default.
    static var text: String {
        var lines = SettingTable.sections.flatMap { heading, settings in
            [heading.uppercased()] + settings.flatMap(entry) + [""]
        }
        // Below the last heading.
        lines.removeLast()
        lines += entry(
            "--config FILE",
            "YAML with the names of the flags (default: \(SettingsResolver.defaultFile) if it exists).")
        lines += [
            "",
            """
            Each flag has a variable: --control-port is MYNAH_CONTROL_PORT. Lists have
            commas, booleans are 1 true yes 0 false no. MYNAH_CONTROL_TOKEN_FILE names a
            file with the token. A flag overrides its variable, a variable the file, and
            the file the default. MYNAH_DEFAULTS names a file with other defaults, as an
            image has.
            """,
        ]
        return lines.joined(separator: "\n")
    }

    private static func entry(_ setting: Setting) -> [String] {
        let standard = setting.shape == .toggle ? nil : setting.defaultText
        let heading = setting.placeholder.isEmpty ? setting.flag : setting.flag + " " + setting.placeholder
        return entry(heading, setting.help + (standard.map { " (default: \($0))" } ?? ""))
    }

    // ArgumentParser breaks lines of more than 79 columns again.
    private static func entry(_ heading: String, _ help: String) -> [String] {
        ["  " + heading] + TextTable.wrapped(help.split(separator: " "), indent: 6, width: 79)
    }
}
