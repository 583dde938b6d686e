internal import APNsRules
internal import MynahCore

/// The seed and the settings that decide what changes lead to, as a snapshot has them: a start applies the changes of a
/// log by those with which they were made, and goes on with its own.
struct Choices {
    private static let version: UInt8 = 1

    /// The seeds that are drawn: whole numbers that every reader of JSON takes as they are (RFC 8259 §6).
    private static let seeds: ClosedRange<UInt64> = 0...(1 << 53 - 1)

    let seed: UInt64
    private(set) var settings: Settings

    /// The choices of a run that begins.
    init(_ settings: Settings) {
        self.init(seed: settings.seed ?? .random(in: Choices.seeds), settings: settings)
    }

    init(seed: UInt64, settings: Settings) {
        self.seed = seed
        self.settings = settings
    }

    // What is kept of the settings, apart from the limit of requests, which stands between the two.
    private static let policies = ByteProperties(
        of: { Settings() }, \.devices, \.unregisterDelay, \.backgroundBudget, \.activityBudget, \.deferralMax,
        \.issuedTokenByteCount, \.hasMagicTokens, \.retain, \.retainBytes)
    private static let rules = ByteProperties(
        of: RuleSettings.init, \.payloadCheck, \.pushTypeCheck, \.sendsErrorContentType, \.usesDocumentedReasons,
        \.tokenByteCounts, \.tokenUpdates, \.teamTopics, \.broadcastApps)

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(Choices.version, seed)
        Choices.policies.write(settings, to: &writer)
        writer.write(settings.requestLimit?.count, settings.requestLimit?.period)
        Choices.rules.write(settings.rules, to: &writer)
        return writer.bytes
    }

    /// Reads the choices that were written; all other settings are taken from `settings`.
    init(_ bytes: [UInt8], over settings: Settings) throws(CodingProblem) {
        var reader = ByteReader(bytes)
        _ = try reader.version(newest: Choices.version)
        self.init(seed: try reader.read(), settings: settings)
        try Choices.policies.read(from: &reader, into: &self.settings)
        let count = try Int?(from: &reader)
        let period = try Duration?(from: &reader)
        self.settings.requestLimit = count.flatMap { count in
            period.map { Settings.RateLimit(count: count, period: $0) }
        }
        try Choices.rules.read(from: &reader, into: &self.settings.rules)
        try reader.end()
    }

    /// The flags whose values differ from `other`, with both values; `whose` says whose values `other` has:
    /// `--devices strict (before: open)`.
    func differences(from other: Choices, whose: String) -> [String] {
        zip(flags, other.flags).filter { $0.0.value != $0.1.value }.map {
            Choices.difference($0.0.flag, $0.0.value, whose: whose, $0.1.value)
        }
    }

    /// A sentence about one difference.
    static func difference(_ what: String, _ own: String, whose: String, _ other: String) -> String {
        "\(what) \(own) (\(whose): \(other))"
    }

    // The values as the flags take them.
    private var flags: [(flag: String, value: String)] {
        func onOff(_ value: Bool) -> String { value ? "on" : "off" }
        func orOff(_ value: Int?) -> String { value.map { "\($0)" } ?? "off" }
        func list(_ values: [String]) -> String { values.isEmpty ? "none" : values.joined(separator: ",") }
        let rules = settings.rules
        let limit = settings.requestLimit.map { "\($0.count)/\(DurationText.text($0.period))" }
        let delay = settings.unregisterDelay
        let delays = [delay.lowerBound, delay.upperBound].map { DurationText.text($0) }
        let lengths = rules.tokenByteCounts
        return [
            ("--seed", "\(seed)"), ("--devices", settings.devices.rawValue),
            ("--unregister-delay", delays[0] == delays[1] ? delays[0] : delays.joined(separator: "-")),
            ("--background-budget", orOff(settings.backgroundBudget)),
            ("--activity-budget", orOff(settings.activityBudget)),
            ("--deferral-max", settings.deferralMax.map { DurationText.text($0) } ?? "off"),
            ("--issued-token-length", settings.issuedTokenByteCount.map { "\($0)" } ?? "none"),
            ("--magic-tokens", onOff(settings.hasMagicTokens)), ("--retain", "\(settings.retain)"),
            ("--retain-bytes", "\(settings.retainBytes)"), ("--request-limit", limit ?? "off"),
            ("--payload-check", rules.payloadCheck.rawValue), ("--push-type-check", rules.pushTypeCheck.rawValue),
            ("--error-content-type", onOff(rules.sendsErrorContentType)),
            ("--documented-reasons", onOff(rules.usesDocumentedReasons)),
            ("--token-length", "\(lengths.lowerBound)-\(lengths.upperBound)"),
            ("--token-updates", rules.tokenUpdates.rawValue),
            ("--team-topics", list(rules.teamTopics)), ("--broadcast-apps", list(rules.broadcastApps)),
        ]
    }
}

extension Settings.DevicePolicy: ByteCodable {}
extension RuleSettings.Strictness: ByteCodable {}
extension RuleSettings.TokenUpdateScope: ByteCodable {}
