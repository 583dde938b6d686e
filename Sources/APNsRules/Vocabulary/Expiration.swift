/// `apns-expiration`: until when APNs keeps a push for a device it cannot reach (`ProviderAPI#Storage-and-throttling`).
public enum Expiration: Hashable, Sendable {
    /// No header: APNs' own policy, up to ``Limits/storageMax``.
    case storagePolicy
    /// `0`: one attempt, nothing stored.
    case once
    /// Unix seconds; a past date is treated as `once`.
    case until(Instant)

    /// Reads the header's value, Unix seconds in decimal digits; `nil` for any other text.
    ///
    /// A date beyond 64 bits of milliseconds is clamped, because clients send `Int64.max` for "never".
    public init?(_ text: Span<UInt8>) {
        guard !text.isEmpty else { return nil }
        var seconds: Int64 = 0
        for index in 0..<text.count {
            guard (0x30...0x39).contains(text[index]) else { return nil }
            let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 10)
            let (sum, carry) = scaled.addingReportingOverflow(Int64(text[index] - 0x30))
            seconds = overflow || carry ? .max : sum
        }
        self = seconds == 0 ? .once : .until(Instant(seconds: seconds))
    }
}
