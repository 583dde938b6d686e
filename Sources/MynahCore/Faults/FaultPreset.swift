package import APNsRules

/// A fault in words of the command line (`410`, `goaway --after 1000`, `slow --delay 5s`) and as the JSON of a rule, to
/// which the caller adds `match`.
package struct FaultPreset: Sendable {
    package struct Option: Sendable {
        /// The name, without hyphens.
        package let name: String
        /// A placeholder for the value, for help; empty for an option without a value.
        package let value: String
        package let help: String
        /// The member that the option sets: of the action, or for a common option of the rule.
        let member: String
        /// The member of the action that excludes this one, and is cleared.
        let clears: String?

        fileprivate init(
            _ name: String, _ value: String, help: String, sets member: String? = nil, clears: String? = nil
        ) {
            self.name = name
            self.value = value
            self.help = help
            self.member = member ?? name
            self.clears = clears
        }
    }

    /// The names of the options that set a member, of all presets.
    package static func optionNames(setting member: String) -> [String] {
        (all.flatMap(\.options) + commonOptions).filter { $0.member == member }.map(\.name)
    }

    package let name: String
    package let help: String
    /// The options of the preset's action; all presets also have ``commonOptions``.
    package let options: [Option]
    let rule: JSONValue

    private init(_ name: String, _ help: String, by action: JSONValue, options: [Option] = []) {
        self.name = name
        self.help = help
        self.options = options
        let event = FaultPreset.type(of: action)?.events.first ?? .request
        let match: JSONValue? = event == .request ? nil : ["event": .string(event.rawValue)]
        rule = .object(.given(("match", match), ("action", action)))
    }

    /// The preset of an action without members.
    private init(_ name: String, _ type: FaultActionType, options: [Option] = []) {
        self.init(name, type.words, by: ["type": .string(type.rawValue)], options: options)
    }

    static func type(of action: JSONValue?) -> FaultActionType? {
        action?["type"]?.string.flatMap(FaultActionType.init)
    }

    /// Reads a rule from words: a preset's name, a status or a reason, then options, whose values are not checked yet.
    package static func parse(_ words: [String]) throws(InputError) -> JSONValue {
        guard let first = words.first else {
            throw InputError(at: "preset", "no preset, status or reason is given", allowed: names)
        }
        guard let preset = named(first) else { throw .unknown("preset", first, at: first, among: names) }
        return try parse(words.dropFirst(), into: preset.rule, preset.options, after: first)
    }

    /// Reads a change of a rule from words, as ``parse(_:)`` does, except that the preset may be missing.
    package static func parseChanges(_ words: [String]) throws(InputError) -> JSONValue {
        guard words.first?.hasPrefix("-") == true else { return words.isEmpty ? [:] : try parse(words) }
        return try parse(words[...], into: [:], [], after: "a rule")
    }

    private static func parse(
        _ words: ArraySlice<String>, into rule: JSONValue, _ own: [Option], after first: String
    ) throws(InputError) -> JSONValue {
        var rule = rule
        var rest = words
        let known = (own + commonOptions).map { "--" + $0.name }
        let type = type(of: rule["action"])
        var given: [Option] = []
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts[0].hasPrefix("--"), parts[0] != "--" else {
                throw InputError(
                    at: word, "unknown option \"\(word)\"", hint: ": expected one, as in \(first) --times 3",
                    allowed: known)
            }
            let ofAction = own.first { "--" + $0.name == parts[0] }
            guard let option = ofAction ?? commonOptions.first(where: { "--" + $0.name == parts[0] }) else {
                throw .unknown("option of \(first)", parts[0], at: word, among: known)
            }
            let other = given.first { $0.clears == option.member || option.clears == $0.member }
            if let other, other.name != option.name {
                throw InputError(
                    at: word, "--\(other.name) and --\(option.name) exclude each other: expected one of them")
            }
            given.append(option)
            let (parent, schema): (ArraySlice<String>, Schema?) =
                ofAction == nil ? ([], FaultDraft.schema) : (["action"], type?.schema)
            let form = schema?[option.member]?.form ?? .anyText
            var path = parent + [option.member]
            var text: String? = parts.count > 1 ? parts[1] : nil
            if case .bool = form {
                guard text == nil else { throw InputError(at: word, "\(parts[0]) takes no value: expected it alone") }
                text = "true"
            } else {
                text = text ?? rest.popFirst()
            }
            guard var text else { throw InputError(at: word, "\(parts[0]) has no value: expected \(option.value)") }
            if case .map = form {
                let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard halves.count == 2 else {
                    throw InputError(at: word, "\"\(text)\" is not valid: expected \(option.value)")
                }
                path.append(halves[0].lowercased())
                text = String(halves[1])
                // Not a number: all values of headers are texts.
                rule = rule.setting(.string(text), at: path)
                continue
            }
            rule = rule.setting(try option.json(text, form), at: path)
            if let cleared = option.clears { rule = rule.setting(.null, at: parent + [cleared]) }
        }
        return rule
    }

    /// The preset of a word: a name of the table, a status, or a reason.
    static func named(_ word: String) -> FaultPreset? {
        all.first { $0.name == word }
            ?? Reason(anySpelling: word).map { reason in
                let action: JSONValue = ["type": "respond", "reason": .string(word)]
                return FaultPreset(word, "answers \(reason.status) \(word)", by: action, options: answerOptions)
            }
    }

    /// The words that stand for a preset: reasons as spelled on the wire and in Apple's documents.
    package static let names =
        all.map(\.name) + Reason.allCases.map(\.rawValue)
        + Reason.allCases.filter { $0.documentedText != $0.rawValue }.map(\.documentedText)
}

extension FaultPreset.Option {
    fileprivate func json(_ text: String, _ form: Form) throws(InputError) -> JSONValue {
        let number = try? JSONValue(parsing: text)
        switch (form, number) {
        case (.bool, _): return true
        case (.integer, .number?), (.fraction, .number?), (.either(_, .integer), .number?): return number ?? .null
        case (.integer, _), (.fraction, _):
            throw InputError(at: "--" + name, "\"\(text)\" is not valid: expected a number")
        default: return .string(text)
        }
    }
}

// MARK: - The table

extension FaultPreset {
    private static let delay = Option("delay", "DURATION", help: "hold the answer back this long")
    private static let deliver = Option("deliver", "", help: "the device still gets the push")
    private static let code = Option("code", "CODE", help: "the HTTP/2 error code, a name or a number")
    private static let afterPushes = Option(
        "after", "N", help: "at every N-th push of each connection, once it is answered", sets: "afterPushes")
    private static let answerOptions = [
        delay, deliver, Option("reason", "REASON", help: "answer this reason"),
        Option("timestamp", "MS", help: "since when the token is inactive, in milliseconds since 1970"),
        Option("body", "TEXT", help: "answer this body", clears: "reason"),
        Option(
            "answer-header", "NAME=VALUE", help: "set a header of the answer, as retry-after=5; repeatable",
            sets: "answerHeaders"),
    ]
    private static let goAwayOptions = [
        code, afterPushes, Option("reason", "REASON", help: "the reason of its JSON"),
        Option("debug", "TEXT", help: "raw debug data", clears: "reason"),
        Option(
            "last-stream-id", "processed|lower|N", help: "the last stream it reports as processed", sets: "lastStreamId"
        ),
        Option("two-step", "", help: "announce the end first", sets: "twoStep"),
        Option("frames", "N", help: "send it N times"),
        Option("close", "afterStreams|now|never", help: "what happens to the connection"),
    ]
    private static let closeOptions = [
        afterPushes, Option("after-bytes", "N", help: "when N further bytes have been sent", sets: "afterBytes"),
        Option("after-idle", "DURATION", help: "when nothing has arrived for this long", sets: "afterIdle"),
    ]

    package static let commonOptions: [Option] = [
        Option("times", "N", help: "at most N times"), Option("skip", "N", help: "let the first N requests through"),
        Option("every", "N", help: "every N-th request only"),
        Option("probability", "P", help: "each request with probability P, above 0 and at most 1"),
        Option("rule-priority", "N", help: "higher rules are asked first", sets: "rulePriority"),
        Option("scope", "NAME", help: "pushes of this scope only"),
        Option("id", "ID", help: "the rule's id"), Option("name", "TEXT", help: "what the rule is for"),
        Option("from", "TIME", help: "from this time of the clock", sets: "activeFrom"),
        Option("until", "TIME", help: "until this time of the clock", sets: "activeUntil"),
    ]

    /// The table, in the order of a help page; statuses first.
    package static let all: [FaultPreset] = statuses + answers + streams + connections + handshakes

    static let statuses = [
        Reason.badDeviceToken, .invalidProviderToken, .badPath, .methodNotAllowed, .unregistered, .payloadTooLarge,
        .tooManyRequests, .internalServerError, .serviceUnavailable,
    ].map { reason in
        FaultPreset(
            "\(reason.status)", "answers \(reason.status) \(reason.rawValue)",
            by: ["type": "respond", "status": .whole(reason.status), "reason": .string(reason.rawValue)],
            options: answerOptions)
    }

    static let answers = [
        FaultPreset("stall", .stall, options: [deliver]),
        FaultPreset("slow", "answers late, by default 2 s", by: ["type": "pass", "delay": "2s"], options: [delay]),
        FaultPreset("lose", .lose, options: [delay]),
        FaultPreset(
            "late", "answers 200 at once and delivers a minute later", by: ["type": "deliverLate", "by": "1m"],
            options: [Option("by", "DURATION", help: "how much later")]),
        FaultPreset(
            "duplicate", "delivers twice", by: ["type": "duplicate", "times": 2],
            options: [Option("copies", "N", help: "deliver N times", sets: "times")]),
    ]

    static let streams = [
        FaultPreset(
            "reset", "RST_STREAM in place of an answer", by: ["type": "resetStream", "code": "INTERNAL_ERROR"],
            options: [code, delay, deliver]),
        FaultPreset(
            "refuse-stream", "RST_STREAM REFUSED_STREAM, which asks for a retry",
            by: ["type": "resetStream", "code": "REFUSED_STREAM"], options: [delay]),
        FaultPreset("truncate", .truncate, options: [deliver]),
        FaultPreset("malformed", .malformedFrame, options: [deliver]),
        FaultPreset("oversized", .oversizedFrame, options: [deliver]),
    ]

    static let connections = [
        FaultPreset(
            "goaway", "GOAWAY with Shutdown, then the end", by: ["type": "goaway", "reason": "Shutdown"],
            options: goAwayOptions),
        FaultPreset("close", "a TCP reset", by: ["type": "close", "how": "rst"], options: closeOptions),
        FaultPreset(
            "hang-up", "the end of TCP, without GOAWAY", by: ["type": "close", "how": "fin"], options: closeOptions),
        FaultPreset(
            "half-open", "keeps reading, but stops answering", by: ["type": "close", "how": "halfOpen"],
            options: closeOptions),
        FaultPreset(
            "streams", "a stream limit of 1", by: ["type": "settings", "maxConcurrentStreams": 1],
            options: [Option("limit", "N", help: "the limit", sets: "maxConcurrentStreams")]),
        FaultPreset("no-window", .withholdWindow),
        FaultPreset("no-ping", .ignorePing),
        FaultPreset(
            "throttle", "sends at most 1,000 bytes a second", by: ["type": "throttle", "bytesPerSecond": 1000],
            options: [
                Option("rate", "BYTES", help: "bytes a second", sets: "bytesPerSecond"),
                Option("chunk", "BYTES", help: "bytes at a time"),
            ]),
        FaultPreset("refuse", .refuse),
    ]

    static let handshakes = [
        FaultPreset(
            "tls-alert", "ends the handshake with an alert", by: ["type": "tls", "alert": "handshake_failure"],
            options: [
                Option("alert", "NAME", help: "the alert, as in certificate_expired"),
                Option(
                    "when", "duringHandshake|afterHandshake",
                    help: "before or after the client considers itself connected"),
            ]),
        FaultPreset("tls-expired", "a certificate out of date", by: ["type": "tls", "certificate": "expired"]),
        FaultPreset(
            "tls-wrong-host", "a certificate for other names", by: ["type": "tls", "certificate": "wrongHost"]),
        FaultPreset(
            "tls-untrusted", "a certificate of an unknown CA", by: ["type": "tls", "certificate": "untrusted"]),
        FaultPreset("tls-stall", "a handshake that never ends", by: ["type": "tls", "stall": true]),
        FaultPreset(
            "tls-slow", "a handshake that takes 5 s", by: ["type": "tls", "slow": "5s"],
            options: [Option("delay", "DURATION", help: "how long", sets: "slow")]),
    ]
}
