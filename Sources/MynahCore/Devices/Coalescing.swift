internal import APNsRules

/// What happens to a waiting push when another one for the same app takes its place
/// (`ProviderAPI#Storage-and-throttling`, `DeviceBehaviour#From-APNs-to-the-device`).
struct Coalescing: Sendable {
    /// The older push.
    let replaced: WaitingPush
    let outcome: Outcome
    let detail: String

    // The newer push replaces the older one whether or not they share a collapse id, which only decides the outcome.
    init(_ one: WaitingPush, _ other: WaitingPush) {
        let (older, newer) = one.sequence < other.sequence ? (one, other) : (other, one)
        replaced = older
        if older.push.hasCollapseID(of: newer.push) {
            outcome = .coalesced
            let shared = older.push.isWebPush ? "Topic" : "collapse id"
            detail = "push \(newer.sequence) with the same \(shared) took its place"
        } else {
            outcome = .discarded
            let reason = newer.place == .deferred ? ": at most \(StoredPushes.deferredCountMax) wait" : ""
            detail = "push \(newer.sequence) to the app took its place\(reason)"
        }
    }
}
