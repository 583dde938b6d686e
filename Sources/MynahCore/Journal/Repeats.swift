internal import APNsRules

/// Finds the push that a later one repeats, by the same token and body within ``window``, when the journal is read, so
/// that an append pays nothing for it; each entry's body is hashed once, and again after a removal.
struct Repeats: Sendable {
    /// The longest time between a push and one that repeats it (`Documents#Pushes`, `repeats`).
    static let window: Duration = .seconds(30)

    // The newest push of each token and body, by their hash.
    private var newest: [UInt64: UInt64] = [:]
    // The `repeats` of entries up to this number are known.
    private var knownThrough: UInt64 = 0
    var count: Int { newest.count }

    /// Sets ``Entry/repeats`` of at most `countMax` entries, as ``Journal/findRepeats(countMax:)`` says.
    mutating func find(in ring: inout EntryRing, through watermark: UInt64, countMax: Int, retained: Int) -> Bool {
        if newest.count > 2 * retained + countMax {
            let first = ring.first
            newest = newest.filter { $0.value >= first }
        }
        for _ in 0..<countMax {
            guard let sequence = ring.nextRetained(from: knownThrough + 1), sequence <= watermark else {
                knownThrough = watermark
                return true
            }
            find(sequence, in: &ring)
            knownThrough = sequence
        }
        return false
    }

    private mutating func find(_ sequence: UInt64, in ring: inout EntryRing) {
        guard let (key, known) = ring.peek(sequence, { (Repeats.key(of: $0), $0.repeats) }) else { return }
        let earlier = key.flatMap { newest.updateValue(sequence, forKey: $0) }.flatMap { ring.entry($0) }
        var found: UInt64?
        if let earlier, let entry = ring.entry(sequence), Repeats.isRepeat(entry, of: earlier) {
            found = earlier.sequence
        }
        if found != known { ring.update(sequence) { $0.repeats = found } }
    }

    /// A hash of token and body, or `nil` without a token; different pushes with the same hash are compared.
    private static func key(of entry: borrowing Entry) -> UInt64? {
        guard let token = entry.token else { return nil }
        let bytes = entry.bytes.span
        var position = Int(entry.headerByteCount)
        // FNV-1a in two chains, so that one multiplication does not wait for the other.
        var evenHash = token.spread ^ UInt64(entry.bodyByteCount)
        var oddHash = FNV1a.basis
        while position + 1 < bytes.count {
            evenHash = FNV1a.adding(UInt64(bytes[position]), to: evenHash)
            oddHash = FNV1a.adding(UInt64(bytes[position + 1]), to: oddHash)
            position += 2
        }
        if position < bytes.count { evenHash = FNV1a.adding(UInt64(bytes[position]), to: evenHash) }
        return evenHash ^ oddHash &* 0x9e37_79b9_7f4a_7c15
    }

    private static func isRepeat(_ entry: borrowing Entry, of earlier: borrowing Entry) -> Bool {
        let time = entry.receivedAt.since(earlier.receivedAt)
        return abs(time.wholeMilliseconds) <= window.wholeMilliseconds && entry.token == earlier.token
            && entry.bodyByteCount == earlier.bodyByteCount && entry.body.elementsEqual(earlier.body)
    }
}
