internal import MynahCore

/// Whose a batch of a shared log is.
enum BatchOwner {
    /// The batch that this process appended last.
    case awaited
    /// An earlier one of this process.
    case earlier
    case another
}

/// What a log that several processes share adds to an order: which batches have an effect, and what a batch does besides
/// its changes.
///
/// ``OrderApplier`` asks it as it makes and applies batches; an order with a log of its own has none. Belongs to the
/// order's thread.
protocol OrderSharing: AnyObject {
    /// How many changes of keys and clocks there have been: a push that was judged before one is judged again.
    var revision: UInt64 { get }
    /// What snapshots have of it; `nil` if there is nothing yet.
    var state: (any LogState)? { get }

    /// The source of the next batch.
    ///
    /// - Parameter position: That of the last batch that was applied.
    func makeSource(after position: UInt64) -> BatchSource
    func owner(of source: BatchSource) -> BatchOwner

    /// Begins a batch; returns whether its changes are applied.
    ///
    /// - Parameter digest: Of the answers before it, where it was written.
    /// - Throws: ``CodingProblem`` if what is in the order leads to another state here than there.
    func begin(_ source: BatchSource?, digest: UInt64, in order: OrderApplier) throws(CodingProblem) -> Bool
    /// Passes over what is no batch of Mynah's.
    func beginForeign()
    /// Ends a batch, after which all answers have a digest.
    func end(at position: UInt64, digest: UInt64)

    // Between the beginning of a batch and its end.
    func addWithheld(_ ticket: PendingPush.Ticket)
    func removeWithheld(_ ticket: PendingPush.Ticket)
    func recordEffects(of command: any Command)
    func applyLogChange(_ change: LogChange, in order: OrderApplier) throws(CodingProblem) -> ChangeOutcome

    /// Compares no later batch with the digests so far, which another simulation had.
    func forgetDigests()
}
