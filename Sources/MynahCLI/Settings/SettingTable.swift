import APNsRules
import Logging
import Mynah
import MynahControl

/// Every setting of `mynah serve` (`ControlAPI#Command-line`), in the order of its help.
enum SettingTable {
    /// The settings under the headings of the help, without `--config`, which names a file with settings.
    static let sections: [(heading: String, settings: [Setting])] = [
        ("Where it listens", listening), ("Certificates and keys", trust), ("What it simulates", service),
        ("Where APNs leaves a choice", choices), ("What it remembers", journal), ("Its cluster", cluster),
        ("The control API", control),
        ("The process", process),
    ].map { heading, settings in (heading, settings.map { $0.described(by: $1) }) }

    static let all = sections.flatMap(\.settings)
    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    static func named(_ name: String) -> Setting? { byName[name] }

    // Each setting with its help of one or two sentences.
    private static let listening: KeyValuePairs<Setting, String> = [
        .one(
            "host", \.server.host, as: .text("a name or an address to bind, like localhost or 0.0.0.0"), value: "HOST",
            default: "localhost"):
            "The name or address to bind; localhost is 127.0.0.1 and ::1.",
        .many("port", \.server.ports, as: .portBinding, value: "PORT[:ENVIRONMENT]", default: "2197"):
            "APNs over TLS, repeatable. 2197:sandbox belongs to an environment; 0 is a free port.",
        .manyOrOff("channels-port", \.server.channelsPorts, as: .portBinding, value: "PORT[:ENVIRONMENT]"):
            "Management of broadcast channels over TLS, repeatable. Without it: 2196:production and 2195:sandbox beside port "
            + "2197, else off.",
        .orOff("web-push-port", \.server.webPushPort, as: .port, value: "PORT"):
            "Web pushes to browsers over TLS, by HTTP/2 or HTTP/1.1; 0 is a free port.",
        .orOff("cleartext-port", \.server.cleartextPort, as: .port, value: "PORT"):
            "APNs without TLS: HTTP/2 with prior knowledge, and HTTP/1.1.",
        .orOff("proxy-port", \.server.proxyPort, as: .port, value: "PORT"):
            "A CONNECT proxy that leads Apple's names here; it tunnels other targets if bound to loopback, else refuses them.",
    ]

    private static let trust: KeyValuePairs<Setting, String> = [
        .optional("state-dir", \.server.stateDirectory, as: .text("a folder"), value: "DIR", default: "./certs"):
            "The state folder: CA, certificates and keys. Made with mode 0700; if not writable, they are in memory, "
            + "with a warning.",
        .many("tls-name", \.server.tlsNames, as: .text("a host name or an address"), value: "NAME"):
            "A further name in the server's certificate, repeatable.",
        .optional("export-dir", \.server.exportDirectory, as: .text("a folder"), value: "DIR"):
            "A folder for other containers. It gets ca.pem, ca-bundle.pem, the key and ready.json, mode 0644.",
        .optional("export-host", \.exportHost, as: .text("a host name or an address"), value: "NAME"):
            "The host in the URL of that ready.json, and a name in the certificate. Without it: that of --host, or the "
            + "machine's name.",
        .one("auth", \.server.authentication, as: .choice, value: "strict|structural", default: "strict"):
            "strict: provider tokens need a valid signature of a known key, certificates a known CA. structural: any well-formed ES256 token passes, and any certificate that is valid now.",
        .many("auth-key", \.server.authKeyFiles, as: .text("the path of an AuthKey_<KEYID>.p8"), value: "FILE"):
            "Your own AuthKey_<KEYID>.p8, repeatable. Without one, a development key is generated.",
        .many(
            "provider-ca", \.server.providerCAFiles, as: .text("the path of a CA's certificate in PEM"), value: "FILE"):
            "A further CA of provider certificates, repeatable.",
        .optional("team-id", \.server.teamID, as: .teamID, value: "TEAM"):
            "The team of the keys. Without one, it is random.",
        .many("team-topics", \.server.rules.teamTopics, as: .topic, value: "TOPIC"):
            "A topic of the team's apps, repeatable, with its suffixed topics; others are TopicDisallowed. Without one, any "
            + "topic passes.",
        .many("broadcast-apps", \.server.rules.broadcastApps, as: .bundleID, value: "BUNDLE_ID"):
            "An app with the broadcast capability, repeatable; others are BroadcastFeatureNotEnabled. Without one, every "
            + "app has it.",
    ]

    private static let service: KeyValuePairs<Setting, String> = [
        .one("environment", \.server.environment, as: .choice, value: "sandbox|production", default: "sandbox"):
            "The environment of connections whose port and server name belong to none, and of devices and channels that name none.",
        .one("devices", \.server.devices, as: .choice, value: "open|strict", default: "open"):
            "open: a well-formed unknown token becomes a device. strict: it is BadDeviceToken.",
        .optional("fixtures", \.fixtures, as: .text("the path of a file or a folder"), value: "FILE|FOLDER"):
            "Initial devices, clock, keys and faults, YAML or JSON, as the API's objects. A folder's files are read in name order.",
        .one("watch", \.watchesFixtures, as: .boolean, value: "", default: "off"):
            "With --fixtures. Read them again when a file changes; a part that has changed, devices, channels or faults, "
            + "is made anew.",
        .one("magic-tokens", \.server.hasMagicTokens, as: .boolean, value: "on|off", default: "on"):
            "Whether the device tokens and channels of `mynah help magic-tokens` cause the answers listed there.",
        .many("scenario", \.scenarios, as: .text("a file or a shipped scenario's name"), value: "FILE|NAME"):
            "A scenario that starts with the server, repeatable; mynah scenario list --shipped lists the shipped ones.",
        .one("seed", \.server.seed, as: .seed, value: "NUMBER"):
            "Seed of every random choice. Without one, it is random and printed.",
    ]

    private static let choices: KeyValuePairs<Setting, String> = [
        .one("payload-check", \.server.rules.payloadCheck, as: .choice, value: "lenient|strict", default: "lenient"):
            "strict: a body that is not a JSON object is PayloadEmpty.",
        .one("push-type-check", \.server.rules.pushTypeCheck, as: .choice, value: "lenient|strict", default: "lenient"):
            "strict: contradictions of type, topic, payload and priority that APNs was not seen to refuse are refused as well.",
        .one("error-content-type", \.server.rules.sendsErrorContentType, as: .boolean, value: "on|off", default: "off"):
            "Whether refusals carry content-type: application/json, as Apple documents and no capture shows.",
        .one("documented-reasons", \.server.rules.usesDocumentedReasons, as: .boolean, value: "", default: "off"):
            "Spell reasons as in Apple's documentation, where the service differs.",
        .one(
            "stream-limits", \.server.streamLimits, as: .streamLimits, value: "BEFORE,TRUSTED",
            default: "\(Limits.streamsBeforeTrust),\(Limits.streamsMax)"):
            "Concurrent streams before and after a connection's first accepted push.",
        .one("idle-timeout", \.server.idleTimeout, as: .positiveDuration, value: "DURATION", default: "1h"):
            "How long a connection may be idle, by the clock, before it gets GOAWAY IdleTimeout.",
        .one("request-timeout", \.server.requestTimeout, as: .positiveDuration, value: "DURATION", default: "1m"):
            "How long a request may take from its first byte to its last; then RST_STREAM CANCEL, or 408.",
        .orOff("max-errors", \.server.maxErrors, as: .positiveCount, value: "COUNT"):
            "Refused requests (4xx but 410) after which a connection gets GOAWAY with the last reason.",
        .orOff("reconnect-limit", \.server.reconnectLimit, as: .reconnectLimit, value: "COUNT/TIME"):
            "The most connections of one address within a time, like 60/minute or 5/10s; further ones are reset.",
        .orOff("request-limit", \.server.requestLimit, as: .requestLimit, value: "COUNT/TIME"):
            "The most pushes to one device token within a time, like 5/second; further ones are TooManyRequests.",
        .one("token-length", \.server.rules.tokenByteCounts, as: .tokenLength, value: "MIN-MAX", default: "32-100"):
            "The fewest and the most bytes of a device token.",
        .optional("issued-token-length", \.server.issuedTokenByteCount, as: .issuedTokenLength, value: "COUNT"):
            "The bytes of issued device tokens. Without it: 32, or the nearest that --token-length allows.",
        .one(
            "unregister-delay", \.server.unregisterDelay, as: .durationRange, value: "DURATION[-DURATION]",
            default: "0s"):
            "How long after an app's removal its token becomes 410; for a range, a time drawn from the seed.",
        .orOff("background-budget", \.server.backgroundBudget, as: .positiveCount, value: "COUNT"):
            "The most background pushes to an app within an hour, 3 on Apple's devices; of further ones the newest waits.",
        .orOff("activity-budget", \.server.activityBudget, as: .positiveCount, value: "COUNT"):
            "The most priority-10 pushes to an app's Live Activities within an hour; of further updates the newest waits.",
        .orOff("deferral-max", \.server.deferralMax, as: .positiveDuration, value: "DURATION"):
            "The longest that low power delays a push with priority 5; off: until power allows.",
        .one("token-updates", \.server.rules.tokenUpdates, as: .choice, value: "connection|key", default: "connection"):
            "Whether changes of the provider token count per connection, or for all connections of a key.",
    ]

    private static let journal: KeyValuePairs<Setting, String> = [
        .one("retain", \.server.retain, as: .retained, value: "COUNT", default: "100000"):
            "Pushes that the journal keeps, at most 1000000000; 0 keeps counters only.",
        .one("retain-bytes", \.server.retainBytes, as: .bytes, value: "SIZE", default: "256MB"):
            "Bytes that the journal keeps.",
        .optional("data", \.server.dataDirectory, as: .text("a folder"), value: "DIR"):
            "A folder that keeps the run: a start goes on where the last process ended, also by kill -9. Without it, the run "
            + "ends with the process.",
        .one("sync", \.server.sync, as: .choice, value: "full|normal", default: "full"):
            "With --data. full: what was answered survives a power cut. normal: it survives the end of the process, and costs less.",
        .one("keep", \.server.keep, as: .choice, value: "journal|all", default: "journal"):
            "With --data. journal: the folder reaches back to the oldest push of the journal. all: to the start.",
        .many("leave-out", \.server.leftOut, as: .change, value: "CHANGE"):
            "With --data. A change of the run that a start can't apply, like 41/0, as its error names it; repeatable. The run "
            + "goes on without it for good.",
    ]

    /// Settings, and those that mean nothing without them.
    static let companions = [
        ("data", ["sync", "keep", "leave-out"]),
        ("fixtures", ["watch"]),
        (
            "cluster",
            ["cluster-name", "cluster-server", "cluster-replicas", "cluster-ca", "cluster-credentials"]
        ),
    ]

    private static let cluster: KeyValuePairs<Setting, String> = [
        .many("cluster", \.server.cluster.engines, as: .engine, value: "URL"):
            "A node of NATS JetStream, repeatable, like nats://host:4222 or tls://user:password@host:4222. Servers with the "
            + "same ones are one APNs.",
        .one("cluster-name", \.server.cluster.name, as: .clusterName, value: "NAME", default: "mynah"):
            "With --cluster. Which cluster, if the engine has several.",
        .optional("cluster-server", \.server.cluster.server, as: .clusterName, value: "NAME"):
            "With --cluster. The name of this server, which no other one may have. Without it: the machine's name and the "
            + "number of the process.",
        .one("cluster-replicas", \.server.cluster.replicas, as: .replicas, value: "COUNT", default: "1"):
            "With --cluster. On how many nodes the engine keeps a cluster that begins.",
        .optional(
            "cluster-ca", \.server.cluster.caFile, as: .text("the path of a CA's certificate in PEM"), value: "FILE"):
            "With --cluster. The CA of the engine's certificate; the connection then has TLS.",
        .optional(
            "cluster-credentials", \.server.cluster.credentialsFile, as: .text("the path of a .creds file"),
            value: "FILE"):
            "With --cluster. The .creds file of the engine's user.",
    ]

    private static let control: KeyValuePairs<Setting, String> = [
        .one("control-port", \.control.port, as: .port, value: "PORT", default: "8197"):
            "Control API and probes; 0 is a free port.",
        .optional(
            "control-host", \.controlHost, as: .text("a name or an address to bind, like localhost"), value: "HOST"):
            "The name or address that the control API binds. Without it: that of --host.",
        .optional("control-token", \.control.token, as: .text("a bearer token"), value: "TOKEN", isSecret: true):
            "The bearer token of control calls; required from other machines unless --insecure-control.",
        .one("insecure-control", \.control.insecureControl, as: .boolean, value: "", default: "off"):
            "Allow control calls from other machines without a token.",
        .many("allowed-host", \.control.allowedHosts, as: .text("a host name"), value: "NAME"):
            "A further name with which the control API may be called, repeatable.",
        .many("cors-origin", \.control.corsOrigins, as: .origin, value: "ORIGIN"):
            "An origin whose pages may call the control API, repeatable.",
    ]

    private static let process: KeyValuePairs<Setting, String> = [
        .optional("ready-file", \.readyFile, as: .text("the path of a file"), value: "FILE"):
            "The file for ports, URL and files of this server as JSON, written when it is ready. No variable: MYNAH_READY_FILE "
            + "is for commands.",
        .one("shutdown-grace", \.server.shutdownGrace, as: .duration, value: "DURATION", default: "2s"):
            "How long open streams may still take after GOAWAY.",
        .one("log-level", \.logLevel, as: .choice, value: "LEVEL", default: "info"):
            "trace, debug, info, notice, warning, error or critical.",
        .one("log-format", \.logFormat, as: .choice, value: "text|json", default: "text"):
            "The format of log lines and of the ready line.",
        .one("quiet", \.isQuiet, as: .boolean, value: "", default: "off"):
            "Don't print addresses and commands to paste when it is ready, only the line that says so.",
        .one("log-pushes", \.logsPushes, as: .boolean, value: "on|off", default: "on"):
            "Whether the log says, at most once a second and at level info, how many pushes came and to which topics.",
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
