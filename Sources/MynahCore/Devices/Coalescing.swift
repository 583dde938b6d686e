internal import APNsRules

/// What happens to a waiting push when another one for the same app takes its place
/// (`ProviderAPI#Storage-and-throttling`).
struct Coalescing: Sendable {
    /// The older push.
    let replaced: WaitingPush
    let outcome: Outcome
    let detail: String

    // The newer push replaces the older one whether or not they share a collapse id, which only decides the outcome.
    init(_ one: WaitingPush, _ other: WaitingPush) {
        let (older, newer) = one.sequence < other.sequence ? (one, other) : (other, one)
        replaced = older
        if let id = older.push.collapseID, let newID = newer.push.collapseID,
            older.push.bytes[id] == newer.push.bytes[newID]
        {
            outcome = .coalesced
            detail = "push \(newer.sequence) with the same collapse id took its place"
        } else {
            outcome = .discarded
            detail = "push \(newer.sequence) to the app took its place"
        }
    }
}
