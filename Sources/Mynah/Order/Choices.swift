internal import APNsRules
internal import MynahCore

/// The seed and the settings that decide what changes lead to, as a snapshot has them: a start applies the changes of a
/// log by those with which they were made, and goes on with its own.
struct Choices {
    private static let version: UInt8 = 1

    let seed: UInt64
    private(set) var settings: Settings

    /// The choices of a run that begins.
    init(_ settings: Settings) {
        self.init(seed: settings.seed ?? .random(in: 0...UInt64(Int64.max)), settings: settings)
    }

    init(seed: UInt64, settings: Settings) { (self.seed, self.settings) = (seed, settings) }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(Choices.version, seed)
        writer.write(
            settings.devices.rawValue, settings.unregisterDelay.lowerBound, settings.unregisterDelay.upperBound,
            settings.backgroundBudget, settings.activityBudget, settings.deferralMax, settings.issuedTokenByteCount,
            settings.hasMagicTokens, settings.retain, settings.retainBytes, settings.requestLimit?.count,
            settings.requestLimit?.period)
        let rules = settings.rules
        writer.write(
            rules.payloadCheck.rawValue, rules.pushTypeCheck.rawValue, rules.sendsErrorContentType,
            rules.usesDocumentedReasons, rules.tokenByteCounts.lowerBound, rules.tokenByteCounts.upperBound,
            rules.tokenUpdates.rawValue, rules.teamTopics, rules.broadcastApps)
        return writer.bytes
    }

    /// Reads what was written; all other settings are those of `settings`.
    init(_ bytes: [UInt8], over settings: Settings) throws(CodingProblem) {
        var reader = ByteReader(bytes)
        _ = try reader.version(newest: Choices.version)
        self.init(seed: try reader.read(), settings: settings)
        self.settings.devices = try Settings.DevicePolicy(from: &reader)
        self.settings.unregisterDelay = try Choices.range(&reader)
        self.settings.backgroundBudget = try Int?(from: &reader)
        self.settings.activityBudget = try Int?(from: &reader)
        self.settings.deferralMax = try Duration?(from: &reader)
        self.settings.issuedTokenByteCount = try Int?(from: &reader)
        self.settings.hasMagicTokens = try reader.read()
        self.settings.retain = try reader.read()
        self.settings.retainBytes = try reader.read()
        let (count, period) = (try Int?(from: &reader), try Duration?(from: &reader))
        self.settings.requestLimit = count.flatMap { count in
            period.map { Settings.RateLimit(count: count, period: $0) }
        }
        self.settings.rules.payloadCheck = try RuleSettings.Strictness(from: &reader)
        self.settings.rules.pushTypeCheck = try RuleSettings.Strictness(from: &reader)
        self.settings.rules.sendsErrorContentType = try reader.read()
        self.settings.rules.usesDocumentedReasons = try reader.read()
        self.settings.rules.tokenByteCounts = try Choices.range(&reader)
        self.settings.rules.tokenUpdates = try RuleSettings.TokenUpdateScope(from: &reader)
        self.settings.rules.teamTopics = try reader.read()
        self.settings.rules.broadcastApps = try reader.read()
        try reader.end()
    }

    /// The flags whose values are others than in `other`.
    func differences(from other: Choices) -> [String] {
        zip(flags, other.flags).filter { $0.0.value != $0.1.value }.map(\.0.flag)
    }

    private var flags: [(flag: String, value: String)] {
        let rules = settings.rules
        let limit = settings.requestLimit.map { "\($0.count)/\($0.period)" }
        return [
            ("--seed", "\(seed)"), ("--devices", settings.devices.rawValue),
            ("--unregister-delay", "\(settings.unregisterDelay)"),
            ("--background-budget", "\(settings.backgroundBudget ?? 0)"),
            ("--activity-budget", "\(settings.activityBudget ?? 0)"),
            ("--deferral-max", "\(settings.deferralMax ?? .zero)"),
            ("--issued-token-length", "\(settings.issuedTokenByteCount ?? 0)"),
            ("--magic-tokens", "\(settings.hasMagicTokens)"), ("--retain", "\(settings.retain)"),
            ("--retain-bytes", "\(settings.retainBytes)"), ("--request-limit", limit ?? ""),
            ("--payload-check", rules.payloadCheck.rawValue), ("--push-type-check", rules.pushTypeCheck.rawValue),
            ("--error-content-type", "\(rules.sendsErrorContentType)"),
            ("--documented-reasons", "\(rules.usesDocumentedReasons)"),
            ("--token-length", "\(rules.tokenByteCounts)"), ("--token-updates", rules.tokenUpdates.rawValue),
            ("--team-topics", "\(rules.teamTopics)"),
            ("--broadcast-apps", "\(rules.broadcastApps)"),
        ]
    }

    private static func range<Bound: ByteCodable & Comparable>(
        _ reader: inout ByteReader
    ) throws(CodingProblem) -> ClosedRange<Bound> {
        let (lower, upper) = (try Bound(from: &reader), try Bound(from: &reader))
        guard lower <= upper else { throw reader.problem("the range \(lower) to \(upper) is empty") }
        return lower...upper
    }
}
