internal import NIOCore

/// A server's place in its cluster, as its connections and calls use it.
///
/// No server owns a device: each applies all batches (``ClusterOrder``), and the one that wrote a batch answers it.
struct ClusterPlace: ConnectionSharing {
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
