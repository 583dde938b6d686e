import APNsRules
import Mynah
import MynahCore
import MynahStore

/// How the text of a setting of `mynah serve` is read; the options of other commands are read in `Options.swift`
/// (``DurationArgument``).
struct ValueForm<Value>: Sendable {
    /// The description of valid texts, as the end of a sentence that begins with "expected".
    let expected: String
    let read: @Sendable (String) -> Value?

    /// The same form, with `off` for an absent value.
    func orOff() -> ValueForm<Value?> {
        ValueForm<Value?>(expected: expected + ", or off") { $0 == "off" ? .some(nil) : read($0).map(Optional.some) }
    }
}

/// Reads decimal digits without a sign, because `Int("+5")` is 5.
private func number<Number: FixedWidthInteger>(_ text: some StringProtocol) -> Number? {
    text.utf8.allSatisfy(\.isASCIIDigit) ? Number(text) : nil
}

private func number(_ text: some StringProtocol, in range: some RangeExpression<Int>) -> Int? {
    number(text).flatMap { range.contains($0) ? $0 : nil }
}

/// Two texts with one separator between them.
private func pair(_ text: String, _ separator: Character) -> (String, String)? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
}

extension ValueForm<String> {
    static func text(_ expected: String) -> ValueForm { ValueForm(expected: expected) { $0.isEmpty ? nil : $0 } }

    /// A team id: ten capital letters and digits (`ProviderAPI#Token-format`).
    static let teamID = ValueForm(expected: "\(Limits.identifierLength) capital letters and digits, like TEAM123456") {
        text in
        let isRight = text.utf8.allSatisfy { $0.isASCIIDigit || $0.isASCIIUppercase }
        return isRight && text.utf8.count == Limits.identifierLength ? text : nil
    }

    static let topic = ValueForm(expected: "a topic of letters, digits, hyphens and periods, like com.example.app") {
        text in Topic.isWellFormed(Array(text.utf8).span) ? text : nil
    }

    static let bundleID = ValueForm(
        expected: "a bundle id of letters, digits, hyphens and periods, like com.example.app, without the suffix of a "
            + "push type"
    ) { text in Topic.isBundleID(Array(text.utf8).span) ? text : nil }

    static let origin = ValueForm(expected: "an origin like http://localhost:3000, without a path") { text in
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
        let rest = text.dropFirst(scheme.count)
        return rest.isEmpty || rest.contains("/") ? nil : text
    }

    static let engine = ValueForm(
        expected: "a URL like nats://host:4222 or tls://host:4222, with a port from 1 to 65535 and no path"
    ) { EngineURL($0) == nil ? nil : $0 }

    static let clusterName = ValueForm(expected: "1 to 64 letters, digits, hyphens and underscores") { text in
        Form.isName(text, bytesMax: 64, punctuation: "-_") ? text : nil
    }
}

extension ValueForm<ReplayMark.Place> {
    static let change = ValueForm(expected: "the numbers of a batch and of a change in it, like 41/0") {
        ReplayMark.Place($0)
    }
}

extension ValueForm<Bool> {
    /// A boolean in any of the spellings of `ControlAPI`, and `on` and `off`.
    static let boolean = ValueForm(expected: "one of 1, true, yes, on, 0, false, no, off") { text in
        switch text.lowercased() {
        case "1", "true", "yes", "on": true
        case "0", "false", "no", "off": false
        default: nil
        }
    }
}

extension ValueForm<Int> {
    static let port = ValueForm(expected: "a port from 0 to 65535 (0 is a free one)") { number($0, in: 0...65_535) }
    static let replicas = ValueForm(expected: "1 or 3") { number($0, in: 1...3).flatMap { $0 == 2 ? nil : $0 } }
    static let count = ValueForm(expected: "a whole number, 0 or more") { number($0) }
    /// How many pushes a journal keeps.
    static let retained = ValueForm(expected: "a whole number from 0 to \(JournalBounds.entriesMaxMax)") {
        number($0, in: 0...JournalBounds.entriesMaxMax)
    }
    static let positiveCount = ValueForm(expected: "a whole number, 1 or more") { number($0, in: 1...) }

    /// The bytes of an issued device token: fewer could repeat; `ProviderAPI#Device-tokens` has the maximum.
    static let issuedTokenLength = ValueForm(expected: "a whole number from 16 to \(DeviceToken.byteCountMax)") {
        number($0, in: 16...DeviceToken.byteCountMax)
    }

    private static let byteUnits = [
        "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000, "gb": 1_000_000_000,
        "ki": 1 << 10, "kib": 1 << 10, "mi": 1 << 20, "mib": 1 << 20, "gi": 1 << 30, "gib": 1 << 30,
    ]

    /// A size in bytes; `k`, `M`, `G` are powers of 1000, with an `i` of 1024.
    static let bytes = ValueForm(expected: "a size in bytes, like 256MB, 1GiB or 1000000") { text in
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count: Int = number(digits), let unit = byteUnits[text.dropFirst(digits.count).lowercased()] else {
            return nil
        }
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow ? nil : product
    }
}

extension ValueForm<Settings.RateLimit> {
    private static let periods: [String: Duration] = [
        "second": .seconds(1), "minute": .seconds(60), "hour": .seconds(3600),
    ]

    static let reconnectLimit = rateLimit(expected: "connections and the time for them")
    static let requestLimit = rateLimit(expected: "pushes and the time for them")

    private static func rateLimit(expected: String) -> ValueForm {
        ValueForm(expected: expected + ", like 60/minute, 1000/hour or 5/10s", read: read)
    }

    private static func read(_ text: String) -> Settings.RateLimit? {
        guard let (first, second) = pair(text, "/"), let count = number(first, in: 1...),
            let period = periods[second] ?? DurationText.parse(second), period > .zero
        else { return nil }
        return Settings.RateLimit(count: count, period: period)
    }
}

extension ValueForm<UInt64?> {
    static let seed = ValueForm(expected: "a whole number from 0 to \(UInt64.max)") { text in
        number(text).map { (seed: UInt64) in .some(seed) }
    }
}

extension ValueForm<Settings.PortBinding> {
    static let portBinding = ValueForm(
        expected: "a port from 0 to 65535 (0 is a free one), alone or with an environment, like 2197:sandbox"
    ) { text in
        guard let (first, second) = pair(text, ":") else {
            return ValueForm<Int>.port.read(text).map { Settings.PortBinding(port: $0) }
        }
        guard let port = ValueForm<Int>.port.read(first), let environment = APNsEnvironment(rawValue: second) else {
            return nil
        }
        return Settings.PortBinding(port: port, environment: environment)
    }
}

extension ValueForm<Duration> {
    static let duration = ValueForm(expected: "a duration with a unit, like 250ms, 5s or 1h30m") {
        DurationText.parse($0)
    }

    static let positiveDuration = ValueForm(expected: "a duration above zero with a unit, like 250ms, 5s or 1h30m") {
        DurationText.parse($0).flatMap { $0 > .zero ? $0 : nil }
    }
}

extension ValueForm<ClosedRange<Duration>> {
    /// The longest delay: a hundred years, so that all resulting times are in range.
    private static let longest: Duration = .seconds(100 * 365 * 86_400)

    static let durationRange = ValueForm(
        expected: "a duration with a unit, like 5s, or the shortest and the longest, like 1h-3d"
    ) { text in
        let (first, last) = pair(text, "-") ?? (text, text)
        guard let shortest = DurationText.parse(first), let most = DurationText.parse(last), shortest <= most,
            most <= longest
        else { return nil }
        return shortest...most
    }
}

extension ValueForm<Settings.StreamLimits> {
    static let streamLimits = ValueForm(
        expected: "two numbers from 1 to \(Limits.streamsMax): before and after the first accepted push, like 1,1000"
    ) { text in
        guard let (first, second) = pair(text, ","), let before = number(first, in: 1...Limits.streamsMax),
            let trusted = number(second, in: 1...Limits.streamsMax)
        else { return nil }
        return Settings.StreamLimits(beforeTrust: before, trusted: trusted)
    }
}

extension ValueForm<ClosedRange<Int>> {
    static let tokenLength = ValueForm(
        expected: "the fewest and the most bytes, from 1 to \(DeviceToken.byteCountMax), the most at least "
            + "\(Settings.tokenBytesMaxLeast), like 32-100"
    ) { text in
        guard let (first, second) = pair(text, "-"), let fewest = number(first, in: 1...DeviceToken.byteCountMax),
            let most = number(second, in: max(fewest, Settings.tokenBytesMaxLeast)...DeviceToken.byteCountMax)
        else { return nil }
        return fewest...most
    }
}

extension ValueForm where Value: RawRepresentable<String> & CaseIterable & SendableMetatype {
    static var choice: ValueForm {
        let names = Value.allCases.map(\.rawValue)
        let expected = names.count == 2 ? names.joined(separator: " or ") : "one of " + names.joined(separator: ", ")
        return ValueForm(expected: expected) { Value(rawValue: $0) }
    }
}
