/// Durations as users write them: `250ms`, `5s`, `1h30m` (`Documents`).
package enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    package static let examples = ["250ms", "5s", "1h30m"]

    /// Reads whole numbers with the units `d`, `h`, `m`, `s`, `ms`, in this order and each at most once; `nil` for any
    /// other text, such as a bare number, and for more than 64 bits of milliseconds.
    package static func parse(_ text: some StringProtocol) -> Duration? {
        var rest = Array(text.utf8)[...]
        guard !rest.isEmpty else { return nil }
        var total: Int64 = 0
        var unitsLeft = units[...]
        while !rest.isEmpty {
            let digits = rest.prefix(while: \.isASCIIDigit)
            rest = rest.dropFirst(digits.count)
            let letters = rest.prefix(while: \.isASCIILowercase)
            rest = rest.dropFirst(letters.count)
            let unitName = String(decoding: letters, as: UTF8.self)
            guard let value = Int64(String(decoding: digits, as: UTF8.self)),
                let index = unitsLeft.firstIndex(where: { $0.name == unitName })
            else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: units[index].milliseconds)
            let (sum, carry) = total.addingReportingOverflow(product)
            guard !overflow, !carry else { return nil }
            total = sum
            unitsLeft = unitsLeft[(index + 1)...]
        }
        return .milliseconds(total)
    }

    /// A duration in the same form, cut to milliseconds; negative ones with a minus sign.
    package static func text(_ duration: Duration) -> String {
        let milliseconds = duration.components.seconds.multipliedReportingOverflow(by: 1000)
        guard !milliseconds.overflow else { return "\(duration)" }
        var rest = abs(milliseconds.partialValue + duration.components.attoseconds / 1_000_000_000_000_000)
        guard rest > 0 else { return "0s" }
        var text = duration < .zero ? "-" : ""
        for unit in units where rest >= unit.milliseconds {
            text += "\(rest / unit.milliseconds)\(unit.name)"
            rest %= unit.milliseconds
        }
        return text
    }
}

extension JSONValue {
    package static func duration(_ duration: Duration) -> JSONValue { .string(DurationText.text(duration)) }
}
