internal import APNsRules
internal import MynahCore

/// What an order of changes has besides the simulation to which they are applied.
struct OrderState: Sendable {
    private static let version: UInt8 = 1
    /// With what the log has of its own.
    private static let versionWithLogState: UInt8 = 2

    /// The time of the last batch, by the system's clock.
    var lastTime = Instant(milliseconds: 0)
    var digest = FNV1a.basis
    var pending = PendingPushes()
    /// What the log has of its own; `nil` without any.
    var logState: (any LogState)?
}

/// What an order's log has of its own in a snapshot; only the log knows what it is.
protocol LogState: Sendable {
    var bytes: [UInt8] { get }
}

/// A log's own state that was read from a snapshot, as its bytes.
private struct UnreadLogState: LogState { let bytes: [UInt8] }

extension OrderState {
    /// Calls `body` with the state's bytes, in pieces.
    func forEachPiece<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        var head = ByteWriter()
        head.write(logState == nil ? OrderState.version : OrderState.versionWithLogState, lastTime)
        head.write(fixed: digest)
        pending.writeHead(to: &head)
        if let logState { head.write(raw: logState.bytes) }
        try body(head.bytes)
        try pending.forEachPiece(body)
    }

    /// Reads the pieces, for a simulation whose last number is `lastSequence`.
    init(
        pieces: [ByteReader], settings: RuleSettings, seed: UInt64, lastSequence: UInt64
    ) throws(CodingProblem) {
        guard var head = pieces.first else { throw CodingProblem("it has no pieces") }
        let version = try head.version(newest: OrderState.versionWithLogState)
        lastTime = try head.read()
        digest = try head.fixed()
        pending = try PendingPushes(
            head: &head, pieces: pieces.dropFirst(), settings: settings, seed: seed, lastSequence: lastSequence)
        if version == OrderState.versionWithLogState {
            logState = UnreadLogState(bytes: Array(try head.raw(head.remainingCount)))
        }
        try head.end()
    }
}
