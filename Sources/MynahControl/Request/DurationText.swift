/// Durations as `models.md` writes them: `250ms`, `5s`, `1h30m`; a bare number is an error.
enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// Reads numbers with a unit each, the largest unit first; `nil` for anything else.
    static func parse(_ text: String) -> Duration? {
        var rest = Substring(text)
        var total: Int64 = 0
        var unitsLeft = units[...]
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let letters = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(letters.count)
            guard let number = Int64(digits), let position = unitsLeft.firstIndex(where: { $0.name == letters }) else {
                return nil
            }
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: unitsLeft[position].milliseconds)
            let (sum, isSumTooLarge) = total.addingReportingOverflow(product)
            guard !isTooLarge, !isSumTooLarge else { return nil }
            total = sum
            unitsLeft = unitsLeft[(position + 1)...]
        }
        return .milliseconds(total)
    }
}
