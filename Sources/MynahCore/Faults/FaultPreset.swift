package import APNsRules

/// A fault by a word and a few options, as the command line takes it: `410`, `goaway --after 1000`, `slow --delay 5s`.
///
/// Makes the JSON of a rule; what the rule is about (`match`) the caller adds.
package struct FaultPreset: Sendable {
    package struct Option: Sendable {
        /// The name, without hyphens.
        package let name: String
        /// A placeholder for the value, for help; empty for an option without a value.
        package let value: String
        package let help: String
        /// The member that it sets, of the action or of the rule itself.
        fileprivate let member: String
        fileprivate let isOfAction: Bool
        /// The member of the action that excludes this one, and is emptied.
        fileprivate let clears: String?

        fileprivate init(
            _ name: String, _ value: String, _ help: String, action: String? = nil, rule: String = "",
            clears: String? = nil
        ) {
            (self.name, self.value, self.help, self.clears) = (name, value, help, clears)
            (member, isOfAction) = (action ?? rule, action != nil)
        }
    }

    package let name: String
    package let help: String
    /// The options of its own; ``commonOptions`` are for all.
    package let options: [Option]
    private let rule: JSONValue

    private init(
        _ name: String, _ help: String, _ options: [Option] = [], event: FaultEvent? = nil, _ action: JSONValue
    ) {
        (self.name, self.help, self.options) = (name, help, options)
        rule = .object(.given(("match", event.map { ["event": .string($0.rawValue)] }), ("action", action)))
    }

    // MARK: - Reading

    /// The rule of words: a preset's name, a status or a reason, then options.
    ///
    /// - Throws: ``InputError`` whose field is the word; values are checked when the rule is read.
    package static func parse(_ words: [String]) throws(InputError) -> JSONValue {
        guard let first = words.first else {
            throw InputError(at: "preset", "no preset, status or reason is given", allowed: names)
        }
        guard let preset = named(first) else { throw .unknown("preset", first, at: first, among: names) }
        return try parse(words.dropFirst(), into: preset.rule, preset.options + commonOptions, after: first)
    }

    /// What words change of a rule: as ``parse(_:)``, and the preset may be missing.
    package static func parseChanges(_ words: [String]) throws(InputError) -> JSONValue {
        guard words.first?.hasPrefix("-") == true else { return words.isEmpty ? [:] : try parse(words) }
        return try parse(words[...], into: [:], commonOptions, after: "a rule")
    }

    private static func parse(
        _ words: ArraySlice<String>, into rule: JSONValue, _ options: [Option], after first: String
    ) throws(InputError) -> JSONValue {
        var rule = rule
        var rest = words
        let known = options.map { "--" + $0.name }
        let type = rule["action"]?["type"]?.string.flatMap(FaultActionType.init)
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts[0].hasPrefix("--"), parts[0] != "--" else {
                throw InputError(
                    at: word, "unknown option \"\(word)\"", hint: ": expected one, as in \(first) --times 3",
                    allowed: known)
            }
            guard let option = options.first(where: { "--" + $0.name == parts[0] }) else {
                throw .unknown("option of \(first)", parts[0], at: word, among: known)
            }
            let schema = option.isOfAction ? type?.schema : FaultDraft.schema
            let form = schema?[option.member]?.form ?? .anyText
            var text: String? = parts.count > 1 ? parts[1] : nil
            if case .bool = form { text = "true" } else { text = text ?? rest.popFirst() }
            guard let text else { throw InputError(at: word, "\(parts[0]) has no value: expected \(option.value)") }
            rule = rule.setting(try option.json(text, form), at: option.path(to: option.member))
            if let cleared = option.clears { rule = rule.setting(.null, at: option.path(to: cleared)) }
        }
        return rule
    }

    /// The preset of a word: a name of the table, a status, or a reason.
    private static func named(_ word: String) -> FaultPreset? {
        all.first { $0.name == word }
            ?? Reason(rawValue: word).map { reason in
                let action: JSONValue = ["type": "respond", "reason": .string(word)]
                return FaultPreset(word, "answers \(reason.status) \(word)", answerOptions, action)
            }
    }

    package static let names = all.map(\.name) + Reason.allCases.map(\.rawValue)
}

extension FaultPreset.Option {
    fileprivate func path(to member: String) -> ArraySlice<String> { isOfAction ? ["action", member] : [member] }

    fileprivate func json(_ text: String, _ form: Form) throws(InputError) -> JSONValue {
        let number = try? JSONValue(parsing: text)
        switch (form, number) {
        case (.bool, _): return true
        case (.integer, .number?), (.fraction, .number?), (.either(_, .integer), .number?): return number ?? .null
        case (.integer, _), (.fraction, _):
            throw InputError(at: "--" + name, "\(text) is no number: expected \(value)")
        default: return .string(text)
        }
    }
}

// MARK: - The table

extension FaultPreset {
    private static let delay = Option("delay", "DURATION", "hold the answer back so long", action: "delay")
    private static let deliver = Option("deliver", "", "the device gets the push all the same", action: "deliver")
    private static let code = Option("code", "CODE", "the HTTP/2 error code, a name or a number", action: "code")
    private static let afterPushes = Option(
        "after", "N", "at every N-th push of each connection, once it is answered", action: "afterPushes")
    private static let answerOptions = [
        delay, deliver, Option("reason", "REASON", "answer this reason", action: "reason"),
        Option("timestamp", "MS", "when the token was given up, in milliseconds since 1970", action: "timestamp"),
        Option("body", "TEXT", "answer this body", action: "body", clears: "reason"),
    ]
    private static let goAwayOptions = [
        code, afterPushes, Option("reason", "REASON", "the reason of its JSON", action: "reason"),
        Option("debug", "TEXT", "raw debug data", action: "debug", clears: "reason"),
        Option(
            "last-stream-id", "processed|lower|N", "the last stream that it calls processed", action: "lastStreamId"),
        Option("two-step", "", "announce the end first", action: "twoStep"),
        Option("frames", "N", "send it N times", action: "frames"),
        Option("close", "afterStreams|now|never", "what becomes of the connection", action: "close"),
    ]
    private static let closeOptions = [
        afterPushes, Option("after-bytes", "N", "when N further bytes have been sent", action: "afterBytes"),
        Option("after-idle", "DURATION", "when nothing has come for so long", action: "afterIdle"),
    ]

    package static let commonOptions: [Option] = [
        Option("times", "N", "at most N times", rule: "times"),
        Option("skip", "N", "let the first N requests through", rule: "skip"),
        Option("every", "N", "every N-th request only", rule: "every"),
        Option("probability", "P", "each request with probability P, above 0 and at most 1", rule: "probability"),
        Option("priority", "N", "higher rules are asked first", rule: "priority"),
        Option("scope", "NAME", "pushes of this scope only", rule: "scope"),
        Option("id", "ID", "the rule's id", rule: "id"),
        Option("name", "TEXT", "what the rule is for", rule: "name"),
        Option("from", "TIME", "from this time of the clock", rule: "activeFrom"),
        Option("until", "TIME", "until this time of the clock", rule: "activeUntil"),
    ]

    /// The table, in the order of a help page; statuses first.
    package static let all: [FaultPreset] = statuses + answers + streams + connections + handshakes

    private static let statuses = [
        Reason.badDeviceToken, .invalidProviderToken, .badPath, .methodNotAllowed, .unregistered, .payloadTooLarge,
        .tooManyRequests, .internalServerError, .serviceUnavailable,
    ].map { reason in
        FaultPreset(
            "\(reason.status)", "answers \(reason.status) \(reason.rawValue)", answerOptions,
            ["type": "respond", "status": .whole(reason.status), "reason": .string(reason.rawValue)])
    }

    private static let answers = [
        FaultPreset("stall", "never answers", [deliver], ["type": "stall"]),
        FaultPreset("slow", "answers late, by 2 s unless told", [delay], ["type": "pass", "delay": "2s"]),
        FaultPreset("lose", "answers 200 and delivers nothing", [delay], ["type": "lose"]),
        FaultPreset(
            "late", "answers 200 at once and delivers a minute later",
            [Option("by", "DURATION", "how much later", action: "by")], ["type": "deliverLate", "by": "1m"]),
        FaultPreset(
            "duplicate", "delivers twice", [Option("copies", "N", "deliver N times", action: "times")],
            ["type": "duplicate", "times": 2]),
    ]

    private static let streams = [
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

    private static let connections = [
        FaultPreset(
            "goaway", "GOAWAY with Shutdown, then the end", goAwayOptions, ["type": "goaway", "reason": "Shutdown"]),
        FaultPreset("close", "a TCP reset", closeOptions, ["type": "close", "how": "rst"]),
        FaultPreset("hang-up", "the end of TCP, without GOAWAY", closeOptions, ["type": "close", "how": "fin"]),
        FaultPreset(
            "half-open", "takes everything and answers nothing any more", closeOptions,
            ["type": "close", "how": "halfOpen"]),
        FaultPreset(
            "streams", "a stream limit of 1", [Option("limit", "N", "the limit", action: "maxConcurrentStreams")],
            ["type": "settings", "maxConcurrentStreams": 1]),
        FaultPreset("no-window", "sends no WINDOW_UPDATE any more", [], ["type": "withholdWindow"]),
        FaultPreset("no-ping", "answers no PING any more", [], ["type": "ignorePing"]),
        FaultPreset(
            "throttle", "sends at most 1,000 bytes a second",
            [
                Option("rate", "BYTES", "bytes a second", action: "bytesPerSecond"),
                Option("chunk", "BYTES", "bytes at a time", action: "chunk"),
            ], ["type": "throttle", "bytesPerSecond": 1000]),
        FaultPreset("refuse", "refuses connections while the rule is there", event: .accept, ["type": "refuse"]),
    ]

    private static let handshakes = [
        handshake(
            "tls-alert", "ends the handshake with an alert", "alert", "handshake_failure",
            [
                Option("alert", "NAME", "the alert, as in certificate_expired", action: "alert"),
                Option(
                    "when", "duringHandshake|afterHandshake", "before or after the client believes itself connected",
                    action: "when"),
            ]),
        handshake("tls-expired", "a certificate out of date", "certificate", "expired"),
        handshake("tls-wrong-host", "a certificate for other names", "certificate", "wrongHost"),
        handshake("tls-untrusted", "a certificate of an unknown CA", "certificate", "untrusted"),
        handshake("tls-stall", "a handshake that never ends", "stall", true),
        handshake(
            "tls-slow", "a handshake that takes 5 s", "slow", "5s",
            [Option("delay", "DURATION", "how long", action: "slow")]),
    ]

    private static func handshake(
        _ name: String, _ help: String, _ member: String, _ value: JSONValue, _ options: [Option] = []
    ) -> FaultPreset {
        FaultPreset(name, help, options, event: .handshake, .object(.given(("type", "tls"), (member, value))))
    }
}
