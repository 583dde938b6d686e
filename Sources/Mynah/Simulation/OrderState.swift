internal import APNsRules
internal import MynahCore

/// What an order of changes has besides the simulation to which they are applied.
struct OrderState: Sendable {
    private static let version: UInt8 = 1

    /// The time of the last batch, by the system's clock.
    var lastTime = Instant(milliseconds: 0)
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    var pending = PendingPushes()
}

extension OrderState {
    /// Calls `body` with its bytes, in pieces.
    func forEachPiece<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        var head = ByteWriter()
        head.write(OrderState.version, lastTime)
        head.write(fixed: digest)
        pending.writeHead(to: &head)
        try body(head.bytes)
        try pending.forEachPiece(body)
    }

    /// Reads the pieces, for a simulation whose last number is `lastSequence`.
    init(
        pieces: [ByteReader], settings: RuleSettings, seed: UInt64, lastSequence: UInt64
    ) throws(CodingProblem) {
        guard var head = pieces.first else { throw CodingProblem("it has no pieces") }
        _ = try head.version(newest: OrderState.version)
        lastTime = try head.read()
        digest = try head.fixed()
        pending = try PendingPushes(
            head: &head, pieces: pieces.dropFirst(), settings: settings, seed: seed, lastSequence: lastSequence)
        try head.end()
    }
}
