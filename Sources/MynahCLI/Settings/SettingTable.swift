import APNsRules
import Logging
import Mynah

/// Every setting of `mynah serve` (`ControlAPI#Command-line`), in the order of its help.
enum SettingTable {
    /// Settings by topic; `--config` is not among them, because it says where to look for them.
    static let all: [Setting] = listening + trust + service + choices + journal + control + process

    /// The setting with this name.
    static func named(_ name: String) -> Setting? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    private static let listening: [Setting] = [
        .one(
            "host", \.server.host, .text("a name or an address to bind, like localhost or 0.0.0.0"),
            .listening, "HOST", default: "localhost",
            "What the listeners bind; localhost is 127.0.0.1 and ::1."),
        .many(
            "port", \.server.ports, .portBinding, .listening, "PORT[:ENVIRONMENT]", default: "2197",
            "APNs over TLS, repeatable. 2197:sandbox binds an environment; 0 is a free port."),
        .one(
            "cleartext-port", \.server.cleartextPort, .optionalPort, .listening, "PORT", default: "off",
            "The same without TLS: HTTP/2 prior knowledge and HTTP/1.1."),
        .one(
            "proxy-port", \.server.proxyPort, .optionalPort, .listening, "PORT", default: "off",
            "A CONNECT proxy: Apple's names lead here; other targets are tunnelled if it is bound to loopback, else refused."
        ),
    ]

    private static let trust: [Setting] = [
        .optional(
            "state-dir", \.server.stateDirectory, .text("a folder"), .trust, "DIR", default: "./certs",
            "CA, certificates and keys; made with mode 0700. Not writable: kept in memory, with a warning."),
        .many(
            "tls-name", \.server.tlsNames, .text("a host name or an address"), .trust, "NAME", default: nil,
            "A further name in the server's certificate, repeatable."),
        .optional(
            "export-dir", \.server.exportDirectory, .text("a folder"), .trust, "DIR", default: nil,
            "Where ca.pem, ca-bundle.pem, the key and ready.json are laid out for another container, mode 0644."),
        .optional(
            "export-host", \.exportHost, .text("a host name or an address"), .trust, "NAME", default: nil,
            "The host in the URL of that ready.json, also in the certificate; without it, what --host binds, or the "
                + "machine's name."),
        .one(
            "auth", \.server.authentication, .choice, .trust, "strict|structural", default: "strict",
            "strict: provider tokens need a good signature of a known key. structural: a well-formed ES256 token passes."
        ),
        .many(
            "auth-key", \.server.authKeyFiles, .text("the path of an AuthKey_<KEYID>.p8"), .trust, "FILE", default: nil,
            "Your own AuthKey_<KEYID>.p8, repeatable. Without one, a development key is made."),
        .many(
            "provider-ca", \.server.providerCAFiles, .text("the path of a CA's certificate in PEM"), .trust, "FILE",
            default: nil,
            "A further CA of provider certificates, repeatable."),
        .optional(
            "team-id", \.server.teamID, .teamID, .trust, "TEAM", default: nil,
            "The team of the keys. Without one, it is made."),
    ]

    private static let service: [Setting] = [
        .one(
            "environment", \.server.environment, .choice, .service, "sandbox|production", default: "sandbox",
            "The environment of connections whose port or server name does not tell it."),
        .one(
            "devices", \.server.devices, .choice, .service, "open|strict", default: "open",
            "open: a well-formed unknown token becomes a device. strict: it is BadDeviceToken."),
        .optional(
            "fixtures", \.fixtures, .text("the path of a file or a folder"), .service, "FILE|FOLDER",
            default: nil,
            "YAML or JSON: devices, clock, keys and faults to begin with, as the API's objects. A folder's files by name."
        ),
        .one(
            "magic-tokens", \.server.hasMagicTokens, .boolean, .service, "on|off", default: "on",
            "Whether the device tokens of GET /v1/magic-tokens provoke the answers listed there."),
        .many(
            "scenario", \.scenarios, .text("a file or a shipped scenario's name"), .service, "FILE|NAME",
            default: nil,
            "A scenario that begins with the server, repeatable; mynah scenario list --shipped names those shipped."
        ),
        .one(
            "seed", \.server.seed, .seed, .service, "NUMBER", default: nil,
            "Seed of every random choice. Without one, it is random and printed."),
    ]

    private static let choices: [Setting] = [
        .one(
            "payload-check", \.server.rules.payloadCheck, .choice, .choices, "lenient|strict", default: "lenient",
            "strict: a body that is no JSON object is PayloadEmpty."),
        .one(
            "push-type-check", \.server.rules.pushTypeCheck, .choice, .choices, "lenient|strict", default: "lenient",
            "strict: type, payload, priority and topic that disagree are InvalidPushType or BadPriority."),
        .one(
            "error-content-type", \.server.rules.sendsErrorContentType, .boolean, .choices, "on|off", default: "on",
            "Whether refusals carry content-type: application/json."),
        .one(
            "documented-reasons", \.server.rules.usesDocumentedReasons, .boolean, .choices, "", default: "off",
            "Spell reasons as in Apple's documents where the service spells them otherwise."),
        .one(
            "stream-limits", \.server.streamLimits, .streamLimits, .choices, "BEFORE,TRUSTED",
            default: "\(Limits.streamsBeforeTrust),\(Limits.streamsMax)",
            "Concurrent streams before and after a connection's first accepted push."),
        .one(
            "idle-timeout", \.server.idleTimeout, .positiveDuration, .choices, "DURATION", default: "1h",
            "A connection on which nothing comes for so long of the clock gets GOAWAY IdleTimeout."),
        .one(
            "request-timeout", \.server.requestTimeout, .positiveDuration, .choices, "DURATION", default: "1m",
            "How long a client may take over one request, first byte to last; then RST_STREAM CANCEL, or 408."),
        .one(
            "max-errors", \.server.maxErrors, .optionalCount, .choices, "COUNT", default: "off",
            "Refused requests (4xx but 410) after which a connection gets GOAWAY with the last reason."),
        .one(
            "reconnect-limit", \.server.reconnectLimit, .reconnectLimit, .choices, "COUNT/TIME", default: "off",
            "Connections of one address within a time, like 60/minute or 5/10s; further ones are reset."),
        .one(
            "token-length", \.server.rules.tokenByteCounts, .tokenLength, .choices, "MIN-MAX", default: "32-100",
            "The fewest and the most bytes of a device token."),
        .optional(
            "issued-token-length", \.server.issuedTokenByteCount, .issuedTokenLength, .choices, "COUNT", default: nil,
            "The bytes of the device tokens that are issued; without it 32, or the nearest that --token-length allows."
        ),
        .one(
            "unregister-delay", \.server.unregisterDelay, .durationRange, .choices, "DURATION[-DURATION]",
            default: "0s",
            "How long after an app's removal its token answers 410; of a range, a time drawn from the seed."),
        .one(
            "background-budget", \.server.backgroundBudget, .optionalCount, .choices, "COUNT", default: "off",
            "Background pushes that an app gets within an hour, 3 on Apple's devices; the newest further one waits."),
        .one(
            "deferral-max", \.server.deferralMax, .optionalDuration, .choices, "DURATION", default: "off",
            "How long power may hold back a push with priority 5; off: until power allows."),
        .one(
            "token-updates", \.server.rules.tokenUpdates, .choice, .choices, "connection|key", default: "connection",
            "Whether changes of provider token are counted per connection, or over all connections of a key."),
    ]

    private static let journal: [Setting] = [
        .one(
            "retain", \.server.retain, .count, .journal, "COUNT", default: "100000",
            "Pushes that the journal keeps; 0 keeps counters only."),
        .one(
            "retain-bytes", \.server.retainBytes, .bytes, .journal, "SIZE", default: "256MB",
            "Bytes that the journal keeps."),
    ]

    private static let control: [Setting] = [
        .one(
            "control-port", \.control.port, .port, .control, "PORT", default: "8197",
            "Control API and probes; 0 is a free port."),
        .optional(
            "control-host", \.control.host, .text("a name or an address to bind, like localhost"),
            .control, "HOST", default: nil,
            "What the control API binds; without it, what --host says."),
        .optional(
            "control-token", \.control.token, .text("a bearer token"), .control, "TOKEN", default: nil,
            isSecret: true,
            "Bearer token that control calls must carry; needed off loopback unless --insecure-control."),
        .one(
            "insecure-control", \.control.isInsecure, .boolean, .control, "", default: "off",
            "Let the control API be reached from other machines without a token."),
        .many(
            "allowed-host", \.control.allowedHosts, .text("a host name"), .control, "NAME", default: nil,
            "A further name under which the control API may be called, repeatable."),
        .many(
            "cors-origin", \.control.corsOrigins, .origin, .control, "ORIGIN", default: nil,
            "An origin whose pages may call the control API, repeatable."),
    ]

    private static let process: [Setting] = [
        .optional(
            "ready-file", \.readyFile, .text("the path of a file"), .process, "FILE", default: nil,
            "JSON with ports, URL and files of this server, written once it is ready."),
        .one(
            "shutdown-grace", \.server.shutdownGrace, .duration, .process, "DURATION", default: "2s",
            "How long open streams may take after GOAWAY."),
        .one(
            "log-level", \.logLevel, .choice, .process, "LEVEL", default: "info",
            "trace, debug, info, notice, warning, error or critical."),
        .one(
            "log-format", \.logFormat, .choice, .process, "text|json", default: "text",
            "The form of log lines, and of the ready line."),
    ]
}
