internal import NIOCore

/// The calls by which the order's thread tells a server of its cluster; a struct, because a closure in generic storage is
/// wrapped at each access.
struct ClusterHooks: Sendable {
    /// Gives the loops the clocks, and the changes of keys and clocks by which connections judge from now on.
    let publish: @Sendable (_ revision: UInt64) -> Void
    /// Changes the list of the connections of the other servers.
    let change: @Sendable ([ClusterMembers.ConnectionChange]) -> Void
    /// Ends the connections that this server has.
    let end: @Sendable (EndConnections) -> Void
    /// Ends all connections.
    let endAll: @Sendable () -> Void
    /// Forgets the connections that have closed and the handshakes that have failed.
    let forgetEnded: @Sendable () -> Void
    /// Called when this server has given up the cluster's run.
    let giveUp: @Sendable () -> Void
}

/// A server's place in its cluster, as its connections and calls use it.
struct ClusterPlace: Sendable {
    /// The server's name.
    let server: String
    private let numbers: NumberBlocks
    private let log: NIOLoopBound<ClusterLog>
    private let order: Order

    init(_ order: Order, _ log: NIOLoopBound<ClusterLog>, server: String) {
        self.server = server
        self.log = log
        self.order = order
        numbers = NumberBlocks { order.record(ClusterChange.takeNumbers.ordered) }
    }

    /// The number of the next connection or live client; `nil` while the cluster gives none.
    func nextNumber() -> UInt64? { numbers.next() }

    /// Tells the cluster what a connection of this server has proved.
    func record(_ credential: NoteCredential) { order.record(credential) }

    /// Begins to tell the server of its cluster, and to write that it is alive.
    func attach(_ hooks: ClusterHooks) async throws {
        try await log.eventLoop.submit { [log, numbers] in log.value.attach(hooks, numbers) }.get()
    }
}
