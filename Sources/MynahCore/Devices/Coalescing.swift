/// What happens when a second push has to wait in a place that holds one: APNs stores a single push for each app
/// (`ProviderAPI#Storage-and-throttling`).
///
/// The newer push replaces the older one whether or not they share a collapse id; the collapse id only decides what
/// the replaced push is called. ``StoredPushes/add(_:counting:)`` does the replacing.
enum Coalescing {
    /// The replaced push with its outcome.
    static func replaced(_ one: WaitingPush, _ other: WaitingPush) -> (push: WaitingPush, Outcome, detail: String) {
        let (older, newer) = one.sequence < other.sequence ? (one, other) : (other, one)
        return haveSameCollapseID(older.push, newer.push)
            ? (older, .coalesced, "push \(newer.sequence) with the same collapse id took its place")
            : (older, .discarded, "push \(newer.sequence) to the app took its place")
    }

    private static func haveSameCollapseID(_ left: Push, _ right: Push) -> Bool {
        guard let first = left.collapseID, let second = right.collapseID else { return false }
        return left.bytes[first] == right.bytes[second]
    }
}
