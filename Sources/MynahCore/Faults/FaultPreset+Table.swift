internal import APNsRules

extension FaultPreset {
    init(_ name: String, _ help: String, _ options: [Option] = [], event: FaultEvent? = nil, _ action: JSONValue) {
        self.name = name
        self.help = help
        self.options = options
        let match: [JSONMember] = event.map { [JSONMember("match", ["event": .string($0.rawValue)])] } ?? []
        self.rule = .object(match + [JSONMember("action", action)])
    }

    init(respond name: String, _ action: JSONValue, _ says: String) {
        self.init(name, "answers \(says)", FaultPreset.answerOptions, event: nil, action)
    }

    private static let delay = Option(
        name: "delay", value: "DURATION", help: "hold the answer back so long", pointer: "/action/delay", form: .text)
    private static let deliver = Option(
        name: "deliver", value: "", help: "the device gets the push all the same", pointer: "/action/deliver",
        form: .truth)
    private static let answerOptions = [
        delay, deliver,
        Option(
            name: "reason", value: "REASON", help: "answer this reason", pointer: "/action/reason", form: .text),
        Option(
            name: "timestamp", value: "MS", help: "when the token was given up, in milliseconds since 1970",
            pointer: "/action/timestamp", form: .number),
        Option(
            name: "body", value: "TEXT", help: "answer this body", pointer: "/action/body", form: .text,
            clears: "/action/reason"),
    ]
    private static let code = Option(
        name: "code", value: "CODE", help: "the HTTP/2 error code, a name or a number", pointer: "/action/code",
        form: .either)
    private static let afterPushes = Option(
        name: "after", value: "N", help: "at every N-th push of each connection, once it is answered",
        pointer: "/action/afterPushes", form: .number)
    private static let goAwayOptions = [
        code,
        afterPushes,
        Option(name: "reason", value: "REASON", help: "the reason of its JSON", pointer: "/action/reason", form: .text),
        Option(
            name: "debug", value: "TEXT", help: "raw debug data", pointer: "/action/debug", form: .text,
            clears: "/action/reason"),
        Option(
            name: "last-stream-id", value: "processed|lower|N", help: "the last stream that it calls processed",
            pointer: "/action/lastStreamId", form: .either),
        Option(
            name: "two-step", value: "", help: "announce the end first", pointer: "/action/twoStep", form: .truth),
        Option(name: "frames", value: "N", help: "send it N times", pointer: "/action/frames", form: .number),
        Option(
            name: "close", value: "afterStreams|now|never", help: "what becomes of the connection",
            pointer: "/action/close", form: .text),
    ]
    private static let closeOptions = [
        afterPushes,
        Option(
            name: "after-bytes", value: "N", help: "when N further bytes have been sent",
            pointer: "/action/afterBytes", form: .number),
        Option(
            name: "after-idle", value: "DURATION", help: "when nothing has come for so long",
            pointer: "/action/afterIdle", form: .text),
    ]

    /// The table, in the order of a help page; statuses first.
    package static let all: [FaultPreset] = statuses + answers + streams + connections + handshakes

    private static let statuses: [FaultPreset] = [
        FaultPreset(
            respond: "400", ["type": "respond", "status": 400, "reason": "BadDeviceToken"], "400 BadDeviceToken"),
        FaultPreset(
            respond: "403", ["type": "respond", "status": 403, "reason": "InvalidProviderToken"],
            "403 InvalidProviderToken"),
        FaultPreset(respond: "404", ["type": "respond", "status": 404, "reason": "BadPath"], "404 BadPath"),
        FaultPreset(
            respond: "405", ["type": "respond", "status": 405, "reason": "MethodNotAllowed"], "405 MethodNotAllowed"),
        FaultPreset(respond: "410", ["type": "respond", "status": 410, "reason": "Unregistered"], "410 Unregistered"),
        FaultPreset(
            respond: "413", ["type": "respond", "status": 413, "reason": "PayloadTooLarge"], "413 PayloadTooLarge"),
        FaultPreset(
            respond: "429", ["type": "respond", "status": 429, "reason": "TooManyRequests"], "429 TooManyRequests"),
        FaultPreset(
            respond: "500", ["type": "respond", "status": 500, "reason": "InternalServerError"],
            "500 InternalServerError"),
        FaultPreset(
            respond: "503", ["type": "respond", "status": 503, "reason": "ServiceUnavailable"], "503 ServiceUnavailable"
        ),
    ]

    private static let answers: [FaultPreset] = [
        FaultPreset("stall", "never answers", [deliver], ["type": "stall"]),
        FaultPreset("slow", "answers late, by 2 s unless told", [delay], ["type": "pass", "delay": "2s"]),
        FaultPreset("lose", "answers 200 and delivers nothing", [delay], ["type": "lose"]),
        FaultPreset(
            "late", "answers 200 at once and delivers a minute later",
            [Option(name: "by", value: "DURATION", help: "how much later", pointer: "/action/by", form: .text)],
            ["type": "deliverLate", "by": "1m"]),
        FaultPreset(
            "duplicate", "delivers twice",
            [Option(name: "copies", value: "N", help: "deliver N times", pointer: "/action/times", form: .number)],
            ["type": "duplicate", "times": 2]),
    ]

    private static let streams: [FaultPreset] = [
        FaultPreset(
            "reset", "RST_STREAM in place of an answer", [code, delay, deliver],
            ["type": "resetStream", "code": "INTERNAL_ERROR"]),
        FaultPreset(
            "refuse-stream", "RST_STREAM REFUSED_STREAM, which asks for another try", [delay],
            ["type": "resetStream", "code": "REFUSED_STREAM"]),
        FaultPreset("truncate", "half an answer", [deliver], ["type": "truncate"]),
        FaultPreset("malformed", "a frame that breaks HTTP/2", [deliver], ["type": "malformedFrame"]),
        FaultPreset("oversized", "a frame larger than the client allows", [deliver], ["type": "oversizedFrame"]),
    ]

    private static let connections: [FaultPreset] = [
        FaultPreset(
            "goaway", "GOAWAY with Shutdown, then the end", goAwayOptions, ["type": "goaway", "reason": "Shutdown"]),
        FaultPreset("close", "a TCP reset", closeOptions, ["type": "close", "how": "rst"]),
        FaultPreset("hang-up", "the end of TCP, without GOAWAY", closeOptions, ["type": "close", "how": "fin"]),
        FaultPreset(
            "half-open", "takes everything and answers nothing any more", closeOptions,
            ["type": "close", "how": "halfOpen"]),
        FaultPreset(
            "streams", "a stream limit of 1",
            [
                Option(
                    name: "limit", value: "N", help: "the limit", pointer: "/action/maxConcurrentStreams", form: .number
                )
            ], ["type": "settings", "maxConcurrentStreams": 1]),
        FaultPreset("no-window", "sends no WINDOW_UPDATE any more", [], ["type": "withholdWindow"]),
        FaultPreset("no-ping", "answers no PING any more", [], ["type": "ignorePing"]),
        FaultPreset(
            "throttle", "sends at most 1,000 bytes a second",
            [
                Option(
                    name: "rate", value: "BYTES", help: "bytes a second", pointer: "/action/bytesPerSecond",
                    form: .number),
                Option(
                    name: "chunk", value: "BYTES", help: "bytes at a time", pointer: "/action/chunk", form: .number),
            ], ["type": "throttle", "bytesPerSecond": 1000]),
        FaultPreset("refuse", "refuses connections while the rule is there", event: .accept, ["type": "refuse"]),
    ]

    private static let handshakes: [FaultPreset] = [
        FaultPreset(
            "tls-alert", "ends the handshake with an alert",
            [
                Option(
                    name: "alert", value: "NAME", help: "the alert, as in certificate_expired",
                    pointer: "/action/alert", form: .text),
                Option(
                    name: "when", value: "duringHandshake|afterHandshake",
                    help: "before or after the client believes "
                        + "itself connected", pointer: "/action/when", form: .text),
            ], event: .handshake, ["type": "tls", "alert": "handshake_failure"]),
        FaultPreset(
            "tls-expired", "a certificate out of date", event: .handshake, ["type": "tls", "certificate": "expired"]),
        FaultPreset(
            "tls-wrong-host", "a certificate for other names", event: .handshake,
            ["type": "tls", "certificate": "wrongHost"]),
        FaultPreset(
            "tls-untrusted", "a certificate of an unknown CA", event: .handshake,
            ["type": "tls", "certificate": "untrusted"]),
        FaultPreset("tls-stall", "a handshake that never ends", event: .handshake, ["type": "tls", "stall": true]),
        FaultPreset(
            "tls-slow", "a handshake that takes 5 s",
            [Option(name: "delay", value: "DURATION", help: "how long", pointer: "/action/slow", form: .text)],
            event: .handshake, ["type": "tls", "slow": "5s"]),
    ]
}
