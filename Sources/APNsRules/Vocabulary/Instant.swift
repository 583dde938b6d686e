/// A moment, in whole milliseconds since 1970-01-01T00:00:00Z, like the `timestamp` of a 410 (`ProviderAPI#Responses`).
///
/// No rule reads a clock: every decision takes an `Instant` as an argument.
public struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since the Unix epoch; negative before it.
    public let milliseconds: Int64

    /// A moment given in milliseconds since the Unix epoch.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// A moment given in whole seconds since the Unix epoch, clamped to the range of milliseconds.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        self.milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whether the left moment comes first.
    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment `duration` later, clamped at the ends of the range.
    public func advanced(by duration: Duration) -> Instant {
        let (sum, overflow) = milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
        return Instant(milliseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// How long after `earlier` this moment is; negative when it is before, clamped at the ends.
    public func since(_ earlier: Instant) -> Duration {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        return .milliseconds(overflow ? (self < earlier ? Int64.min : .max) : difference)
    }
}

extension Duration {
    /// This duration in whole milliseconds, cut towards zero and clamped to 64 bits.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return product &+ attoseconds / 1_000_000_000_000_000
    }
}

extension Instant {
    /// This moment as RFC 3339 in UTC with milliseconds, `2026-11-21T09:30:00.123Z`.
    public var rfc3339: String {
        let days = Instant.floorDivide(milliseconds, by: 86_400_000)
        // Not by multiplying back, which would overflow at the ends of the range.
        let rest = milliseconds % 86_400_000
        let inDay = rest < 0 ? rest + 86_400_000 : rest
        let (year, month, day) = Instant.civil(fromDays: days)
        let hour = inDay / 3_600_000
        let minute = inDay / 60_000 % 60
        let second = inDay / 1000 % 60
        return Instant.padded(year, 4) + "-" + Instant.padded(month, 2) + "-" + Instant.padded(day, 2)
            + "T" + Instant.padded(hour, 2) + ":" + Instant.padded(minute, 2) + ":" + Instant.padded(second, 2)
            + "." + Instant.padded(inDay % 1000, 3) + "Z"
    }

    /// The last moment that RFC 3339 can write, at the end of the year 9999.
    package static let lastOfRFC3339 = Instant(milliseconds: 253_402_300_799_999)

    // The years that RFC 3339 can write.
    private static let years =
        days(year: 0, month: 1, day: 1) * 86_400_000..<days(year: 10_000, month: 1, day: 1) * 86_400_000

    /// Reads RFC 3339: a date, `T`, a time with or without a fraction, cut to milliseconds, and `Z` or a numeric
    /// offset; `nil` for any other text, for impossible dates, and for a moment that isn't in the years 0000 to 9999
    /// in UTC.
    public init?(rfc3339 text: some StringProtocol) {
        var rest = Array(text.utf8)[...]
        guard let year = Instant.digits(4, &rest), rest.consume(0x2D),
            let month = Instant.digits(2, &rest), rest.consume(0x2D),
            let day = Instant.digits(2, &rest), rest.consume(0x54) || rest.consume(0x74),
            let hour = Instant.digits(2, &rest), rest.consume(0x3A),
            let minute = Instant.digits(2, &rest), rest.consume(0x3A),
            let second = Instant.digits(2, &rest)
        else { return nil }
        guard (1...12).contains(month), day >= 1, day <= Instant.daysIn(month: month, year: year),
            hour < 24, minute < 60, second < 61
        else { return nil }
        var fraction: Int64 = 0
        if rest.consume(0x2E) {
            var scale: Int64 = 100
            var count = 0
            while let digit = Instant.digits(1, &rest) {
                fraction += digit * scale
                scale /= 10
                count += 1
            }
            guard count > 0 else { return nil }
        }
        var offset: Int64 = 0
        if !(rest.consume(0x5A) || rest.consume(0x7A)) {
            guard let sign = rest.popFirst(), sign == 0x2B || sign == 0x2D,
                let hours = Instant.digits(2, &rest), rest.consume(0x3A),
                let minutes = Instant.digits(2, &rest), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * 60_000 * (sign == 0x2D ? -1 : 1)
        }
        guard rest.isEmpty else { return nil }
        let seconds = Instant.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
        let milliseconds = seconds * 1000 + fraction - offset
        guard Instant.years.contains(milliseconds) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    private static func digits(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int64? {
        guard rest.count >= count else { return nil }
        var value: Int64 = 0
        for byte in rest.prefix(count) {
            guard byte.isASCIIDigit else { return nil }
            value = value * 10 + Int64(byte - 0x30)
        }
        rest = rest.dropFirst(count)
        return value
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    private static func floorDivide(_ value: Int64, by divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }

    private static func daysIn(month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Days since 1970-01-01 in the Gregorian calendar, in eras of 400 years from March, so that a leap day comes last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivide(shifted, by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
