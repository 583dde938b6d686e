import APNsRules
import Logging
import Mynah

/// Reads the value of a setting from text.
struct ValueForm<Value>: Sendable {
    /// The description of valid texts, as the end of a sentence that begins with "expected".
    let expected: String
    /// Returns the value, or `nil` if the text is invalid.
    let read: @Sendable (String) -> Value?
}

extension ValueForm where Value == String {
    /// Any text but the empty one.
    static func text(_ expected: String) -> ValueForm {
        ValueForm(expected: expected) { $0.isEmpty ? nil : $0 }
    }

    /// A team id: ten capital letters and digits (`ProviderAPI#Token-format`).
    static let teamID = ValueForm(expected: "\(Limits.identifierLength) capital letters and digits, like TEAM123456") {
        text in
        let isRight =
            text.utf8.count == Limits.identifierLength
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        return isRight ? text : nil
    }

    /// The value of a page's `Origin` header.
    static let origin = ValueForm(expected: "an origin like http://localhost:3000, without a path") { text in
        for scheme in ["http://", "https://"] where text.hasPrefix(scheme) {
            let rest = text.dropFirst(scheme.count)
            return rest.isEmpty || rest.contains("/") ? nil : text
        }
        return nil
    }
}

extension ValueForm where Value == Bool {
    /// A boolean in any of the spellings of `ControlAPI`, and `on` and `off`.
    static let boolean = ValueForm(expected: "one of 1, true, yes, on, 0, false, no, off") { text in
        switch text.lowercased() {
        case "1", "true", "yes", "on": true
        case "0", "false", "no", "off": false
        default: nil
        }
    }
}

extension ValueForm where Value == Int {
    /// A TCP port.
    static let port = ValueForm(expected: "a port from 0 to 65535; 0 is a free one") { text in
        ValueForm.digits(text).flatMap { $0 <= 65_535 ? $0 : nil }
    }

    /// A count that may be 0.
    static let count = ValueForm(expected: "a whole number, 0 or more") { ValueForm.digits($0) }

    /// A size in bytes, like `256MB`; `k`, `M`, `G` are powers of 1000, with an `i` of 1024.
    static let bytes = ValueForm(expected: "a size in bytes, like 256MB, 1GiB or 1000000") { text in
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = ValueForm.digits(String(digits)) else { return nil }
        let factor: Int
        switch text.dropFirst(digits.count).lowercased() {
        case "", "b": factor = 1
        case "k", "kb": factor = 1000
        case "m", "mb": factor = 1_000_000
        case "g", "gb": factor = 1_000_000_000
        case "ki", "kib": factor = 1 << 10
        case "mi", "mib": factor = 1 << 20
        case "gi", "gib": factor = 1 << 30
        default: return nil
        }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }

    /// Decimal digits only, because `Int("+5")` is 5.
    fileprivate static func digits(_ text: String) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}

extension ValueForm where Value == Int {
    // Fewer bytes could repeat; `ProviderAPI#Device-tokens` has the maximum.
    private static let issuedLengths = 16...DeviceToken.byteCountMax

    /// The bytes of an issued device token.
    static let issuedTokenLength = ValueForm(
        expected: "a whole number from \(issuedLengths.lowerBound) to \(issuedLengths.upperBound)"
    ) { text in
        ValueForm.digits(text).flatMap { issuedLengths.contains($0) ? $0 : nil }
    }
}

extension ValueForm where Value == Int? {
    /// A TCP port, or `off`.
    static let optionalPort = ValueForm(expected: "a port from 0 to 65535 (0 is a free one), or off") { text in
        text == "off" ? .some(nil) : ValueForm<Int>.port.read(text).map(Optional.some)
    }

    /// A count above 0, or `off`.
    static let optionalCount = ValueForm(expected: "a whole number, 1 or more, or off") { text in
        if text == "off" { return .some(nil) }
        return ValueForm<Int>.digits(text).flatMap { $0 > 0 ? .some($0) : nil }
    }
}

extension ValueForm where Value == Settings.ReconnectLimit? {
    private static let periods = ["second": 1, "minute": 60, "hour": 3600]

    /// A count and the time for it, `60/minute`, `5/10s`, or `off`.
    static let reconnectLimit = ValueForm(
        expected: "connections and the time for them, like 60/minute, 1000/hour or 5/10s, or off"
    ) { text in
        if text == "off" { return .some(nil) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let count = ValueForm<Int>.digits(parts[0]), count > 0 else { return nil }
        let period = periods[parts[1]].map { Duration.seconds($0) } ?? DurationText.parse(parts[1])
        guard let period, period > .zero else { return nil }
        return .some(Settings.ReconnectLimit(count: count, period: period))
    }
}

extension ValueForm where Value == UInt64? {
    /// A seed: any 64-bit number.
    static let seed = ValueForm(expected: "a whole number from 0 to \(UInt64.max)") { text in
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seed = UInt64(text) else { return nil }
        return .some(seed)
    }
}

extension ValueForm where Value == Settings.PortBinding {
    /// A port, bound to an environment or not.
    static let portBinding = ValueForm(
        expected: "a port from 0 to 65535 (0 is a free one), alone or with an environment, like 2197:sandbox"
    ) { text in
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let port = ValueForm<Int>.port.read(String(parts[0])) else { return nil }
        guard parts.count == 2 else { return Settings.PortBinding(port: port) }
        return APNsEnvironment(rawValue: String(parts[1])).map { Settings.PortBinding(port: port, environment: $0) }
    }
}

extension ValueForm where Value == Duration {
    /// A length of time.
    static let duration = ValueForm(expected: "a duration with a unit, like 250ms, 5s or 1h30m") { text in
        DurationText.parse(text)
    }

    /// A length of time that is not zero.
    static let positiveDuration = ValueForm(expected: "a duration above zero with a unit, like 250ms, 5s or 1h30m") {
        text in
        DurationText.parse(text).flatMap { $0 > .zero ? $0 : nil }
    }
}

extension ValueForm where Value == Duration? {
    /// A length of time that is not zero, or `off`.
    static let optionalDuration = ValueForm(
        expected: "a duration above zero with a unit, like 250ms, 5s or 1h30m, or off"
    ) { text in
        text == "off" ? .some(nil) : ValueForm<Duration>.positiveDuration.read(text).map(Optional.some)
    }
}

extension ValueForm where Value == ClosedRange<Duration> {
    /// The longest delay: a hundred years, so that all resulting times are in range.
    private static let longest: Duration = .seconds(100 * 365 * 86_400)

    /// A length of time, or the shortest and the longest, `1h-3d`.
    static let durationRange = ValueForm(
        expected: "a duration with a unit, like 5s, or the shortest and the longest, like 1h-3d"
    ) { text in
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { DurationText.parse($0) }
        guard bounds.count <= 2, let first = bounds.first, let shortest = first, let last = bounds.last,
            let most = last, shortest <= most, most <= longest
        else { return nil }
        return shortest...most
    }
}

extension ValueForm where Value == Settings.StreamLimits {
    /// Two stream limits, `1,1000`.
    static let streamLimits = ValueForm(
        expected: "two numbers from 1 to \(Limits.streamsMax): before and after the first accepted push, like 1,1000"
    ) { text in
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { ValueForm<Int>.digits(String($0)) }
        guard numbers.count == 2, let before = numbers[0], let trusted = numbers[1],
            (1...Limits.streamsMax).contains(before), (1...Limits.streamsMax).contains(trusted)
        else { return nil }
        return Settings.StreamLimits(beforeTrust: before, trusted: trusted)
    }
}

extension ValueForm where Value == ClosedRange<Int> {
    /// The fewest and the most bytes of a device token, `32-100`.
    static let tokenLength = ValueForm(
        expected: "the fewest and the most bytes, from 1 to \(DeviceToken.byteCountMax), like 32-100"
    ) { text in
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false)
            .map { ValueForm<Int>.digits(String($0)) }
        guard numbers.count == 2, let fewest = numbers[0], let most = numbers[1],
            fewest >= 1, fewest <= most, most <= DeviceToken.byteCountMax
        else { return nil }
        return fewest...most
    }
}

extension ValueForm where Value: RawRepresentable & CaseIterable & SendableMetatype, Value.RawValue == String {
    /// One of a few words.
    static var choice: ValueForm {
        let names = Value.allCases.map(\.rawValue)
        let expected = names.count == 2 ? names.joined(separator: " or ") : "one of " + names.joined(separator: ", ")
        return ValueForm(expected: expected) { Value(rawValue: $0) }
    }
}

extension ValueForm {
    /// The same form for a value that may be absent.
    func optional() -> ValueForm<Value?> {
        let read = read
        return ValueForm<Value?>(expected: expected) { read($0).map(Optional.some) }
    }
}
