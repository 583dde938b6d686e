extension Duration {
    /// Reads a duration as `Documents` writes them: `250ms`, `5s`, `1h30m`.
    ///
    /// Numbers with a unit (`ms`, `s`, `m`, `h`, `d`), the largest first, each once; `nil` for anything else, a bare
    /// number included.
    package init?(units text: String) {
        var rest = Array(text.utf8)[...]
        var total: Int64 = 0
        var smallest = Int64.max
        while !rest.isEmpty {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            let letters = rest.prefix { !(0x30...0x39).contains($0) }
            rest = rest.dropFirst(letters.count)
            guard let number = Int64(String(decoding: digits, as: UTF8.self)),
                let unit = Duration.milliseconds(in: String(decoding: letters, as: UTF8.self)), unit < smallest
            else { return nil }
            smallest = unit
            let (product, overflow) = number.multipliedReportingOverflow(by: unit)
            let (sum, carry) = total.addingReportingOverflow(product)
            guard !overflow, !carry else { return nil }
            total = sum
        }
        guard smallest != .max else { return nil }
        self = .milliseconds(total)
    }

    private static func milliseconds(in unit: String) -> Int64? {
        switch unit {
        case "ms": 1
        case "s": 1000
        case "m": 60_000
        case "h": 3_600_000
        case "d": 86_400_000
        default: nil
        }
    }
}
