internal import APNsRules
internal import MynahCore

/// What an order of changes has besides the simulation to which they are applied.
struct OrderState: Sendable {
    private static let version: UInt8 = 1
    /// With the servers of a cluster.
    private static let versionOfCluster: UInt8 = 2

    /// The time of the last batch, by the system's clock.
    var lastTime = Instant(milliseconds: 0)
    var digest = FNV1a.basis
    var pending = PendingPushes()
    var members = ClusterMembers()
}

extension OrderState {
    /// Calls `body` with its bytes, in pieces.
    func forEachPiece<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        var head = ByteWriter()
        head.write(members.isEmpty ? OrderState.version : OrderState.versionOfCluster, lastTime)
        head.write(fixed: digest)
        pending.writeHead(to: &head)
        if !members.isEmpty { head.write(members) }
        try body(head.bytes)
        try pending.forEachPiece(body)
    }

    /// Reads the pieces, for a simulation whose last number is `lastSequence`.
    init(
        pieces: [ByteReader], settings: RuleSettings, seed: UInt64, lastSequence: UInt64
    ) throws(CodingProblem) {
        guard var head = pieces.first else { throw CodingProblem("it has no pieces") }
        let version = try head.version(newest: OrderState.versionOfCluster)
        lastTime = try head.read()
        digest = try head.fixed()
        pending = try PendingPushes(
            head: &head, pieces: pieces.dropFirst(), settings: settings, seed: seed, lastSequence: lastSequence)
        if version == OrderState.versionOfCluster { members = try head.read() }
        try head.end()
    }
}
