internal import APNsRules

/// The newest push of each token and body, to find the push that a later one repeats.
struct RepeatIndex: Sendable {
    private var newest: [UInt64: UInt64] = [:]

    /// How many keys are remembered.
    var count: Int { newest.count }

    /// The key of a push's token and body; `nil` without a token.
    ///
    /// Different pushes hardly ever share one, but the caller compares them.
    static func key(of entry: borrowing Entry) -> UInt64? {
        guard let token = entry.token else { return nil }
        let prime: UInt64 = 0x100_0000_01b3
        let bytes = entry.bytes.span
        var position = Int(entry.headerByteCount)
        // FNV-1a in two chains, so that one multiplication does not wait for the other.
        var even = token.spread ^ UInt64(entry.bodyByteCount)
        var odd: UInt64 = 0xcbf2_9ce4_8422_2325
        while position + 1 < bytes.count {
            even = (even ^ UInt64(bytes[position])) &* prime
            odd = (odd ^ UInt64(bytes[position + 1])) &* prime
            position += 2
        }
        if position < bytes.count { even = (even ^ UInt64(bytes[position])) &* prime }
        return even ^ odd &* 0x9e37_79b9_7f4a_7c15
    }

    /// Makes a push the newest with its key; the number of the one before, or `nil`.
    mutating func note(_ key: UInt64, _ sequence: UInt64) -> UInt64? { newest.updateValue(sequence, forKey: key) }

    /// Forgets pushes below a number.
    mutating func forget(before sequence: UInt64) { newest = newest.filter { $0.value >= sequence } }
}
