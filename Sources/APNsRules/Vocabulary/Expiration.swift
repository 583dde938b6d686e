/// `apns-expiration`: until when APNs keeps a push for a device it cannot reach (`ProviderAPI#Storage-and-throttling`).
public enum Expiration: Hashable, Sendable {
    /// No header: APNs' own policy, up to ``Limits/storageMax``.
    case storagePolicy
    /// `0`: one attempt to deliver; the push is not stored.
    case once
    /// Unix seconds; a past date is treated as `once`.
    case until(Instant)

    /// Reads the header's value, Unix seconds in decimal digits; `nil` for any other text.
    ///
    /// A date beyond 64 bits of milliseconds is clamped, because clients send `Int64.max` for "never".
    public init?(_ text: Span<UInt8>) {
        guard !text.isEmpty else { return nil }
        // Ten times a larger number, and a digit, may be more than fits.
        let scalableMax = (Int64.max - 9) / 10
        var seconds: Int64 = 0
        for index in 0..<text.count {
            let digit = text[index] &- 0x30
            guard digit < 10 else { return nil }
            seconds = seconds > scalableMax ? .max : seconds &* 10 &+ Int64(digit)
        }
        self = seconds == 0 ? .once : .until(Instant(seconds: seconds))
    }
}
