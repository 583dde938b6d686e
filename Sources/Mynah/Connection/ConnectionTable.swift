internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore
internal import Synchronization

/// The open connections of a server, by number, as channels, through which commands travel to the loop.
final class ConnectionTable: Sendable {
    /// How long to wait for a connection's end beyond the grace period of its streams.
    private static let endSlack: Duration = .milliseconds(500)
    /// From this many open connections on, memory is given back when half of them have closed: about 15 MB.
    private static let peakMin = 500

    private struct State: Sendable {
        // The channels of all connections, from their acceptance on.
        var channels: [UInt64: any Channel] = [:]
        // The connections that can carry requests.
        var open: [UInt64: ConnectionView] = [:]
        // Connections that are only listed: no channel here is theirs.
        var listed: [UInt64: ConnectionView] = [:]
        // Counts the changes of both.
        var revision: UInt64 = 0
        // The most that were open at once since memory was given back.
        var peak = 0
    }

    private let state = Watched(State())
    private let numbers = Atomic<UInt64>(0)
    private let refused = Atomic<Int>(0)
    private let numbersBefore: UInt64
    private let sharing: (any ConnectionSharing)?
    private let record: @Sendable (NoteConnection) -> Void
    let failedHandshakes = FailedHandshakes()
    let closedConnections = ClosedConnections()
    let trustingClients = TrustingClients()

    /// - Parameters:
    ///   - lastNumber: The highest number of a connection of an earlier process.
    ///   - sharing: What a shared order adds, if the run has one.
    ///   - record: Records an event of a connection.
    init(
        lastNumber: UInt64 = 0, sharing: (any ConnectionSharing)? = nil,
        record: @escaping @Sendable (NoteConnection) -> Void
    ) {
        numbersBefore = lastNumber
        self.sharing = sharing
        self.record = record
    }

    /// The number of the next connection; `nil` while the order gives none.
    func takeNumber() -> UInt64? {
        let number = numbersBefore + numbers.add(1, ordering: .relaxed).newValue
        guard let sharing else { return number }
        return sharing.nextNumber()
    }
    var acceptedCount: UInt64 { numbers.load(ordering: .relaxed) }

    /// Adds a connection until its channel closes.
    func add(_ channel: any Channel, _ number: UInt64) {
        state.change { $0.channels[number] = channel }
        channel.closeFuture.whenComplete { [state] _ in state.change { $0.channels[number] = nil } }
    }

    func countRefused() { refused.add(1, ordering: .relaxed) }
    var refusedCount: Int { refused.load(ordering: .relaxed) }
    /// The number of connections, including those in their handshake.
    var count: Int { state.read { $0.channels.count } }

    /// Adds a connection that can carry requests.
    func opened(_ entry: ConnectionView) {
        var entry = entry
        entry.server = sharing?.server
        change { [entry] state in
            state.open[entry.id] = entry
            state.peak = max(state.peak, state.open.count)
        }
        record(NoteConnection(change: .opened, connection: entry.json))
    }

    func recordCredential(_ credential: ConnectionView.Credential, of number: UInt64) {
        change { $0.open[number]?.credential = credential }
        sharing?.record(NoteCredential(connection: number, credential: credential.json))
    }

    /// Changes the connections that are only listed; `nil` is for one that has ended.
    func list(_ changes: [(number: UInt64, connection: ConnectionView?)]) {
        change { for (number, connection) in changes { $0.listed[number] = connection } }
    }

    /// Whether a connection is only listed.
    func isOnlyListed(_ number: UInt64) -> Bool { state.read { $0.listed[number] != nil } }

    /// Whether a connection of the list is one of this table's own, which can be asked for its traffic.
    func isOwn(_ entry: ConnectionView) -> Bool { entry.server == sharing?.server }

    /// The connections that are only listed, in the order of their numbers.
    var onlyListed: [UInt64] { state.read { Array($0.listed.keys) }.sorted() }

    /// Waits until a connection is listed no more, at most as long as its end may take.
    func waitForEnd(ofListed number: UInt64, grace: Duration) async {
        let deadline = ContinuousClock.now + grace + ConnectionTable.endSlack
        _ = await finishes(before: deadline) { [state] in await state.wait { $0.listed[number] == nil } }
    }

    /// Removes a connection that has ended; `reason` is given if the server ended it because of an error.
    func closed(_ number: UInt64, _ traffic: ConnectionTraffic, at time: Instant, reason: String?) {
        let (removed, hasHalved) = change { state in
            let removed = state.open.removeValue(forKey: number)
            let hasHalved = state.peak >= ConnectionTable.peakMin && state.open.count <= state.peak / 2
            if hasHalved { state.peak = state.open.count }
            return (removed, hasHalved)
        }
        if hasHalved { FreedMemory.giveBack() }
        guard var entry = removed else { return }
        entry.traffic = traffic
        let closed = ClosedConnection(connection: entry, closedAt: time, reason: reason)
        closedConnections.add(closed)
        record(NoteConnection(change: .closed, connection: closed.json))
    }

    /// Forgets the connections that have closed and the handshakes that have failed.
    func forgetEnded() {
        failedHandshakes.reset()
        closedConnections.reset()
    }

    func failed(_ handshake: FailedHandshake) {
        record(NoteConnection(change: .failed, connection: failedHandshakes.count(handshake).json))
    }

    /// The connections that can carry requests, by number, and how often they have changed.
    func entries() -> (entries: [ConnectionView], revision: UInt64) {
        let (open, revision) = state.read { (Array($0.open.values) + $0.listed.values, $0.revision) }
        return (open.sorted { $0.id < $1.id }, revision)
    }

    private func change<Answer: Sendable>(_ body: (inout State) -> Answer) -> Answer {
        state.change { state in
            state.revision += 1
            return body(&state)
        }
    }

    /// Waits until the entries have changed since a revision, or the task is cancelled.
    func wait(since revision: UInt64) async { await state.wait { $0.revision != revision } }

    /// Returns the traffic of a connection; `nil` if it has closed.
    func traffic(of number: UInt64) async -> ConnectionTraffic? {
        guard let channel = state.read({ $0.channels[number] }) else { return nil }
        return await withCheckedContinuation { continuation in
            let answer = channel.eventLoop.makePromise(of: ConnectionTraffic?.self)
            let asked = channel.eventLoop.makePromise(of: Void.self)
            channel.triggerUserOutboundEvent(ConnectionCommand.inspect { answer.succeed($0) }, promise: asked)
            // A channel that has closed in the meantime has no handler for the command.
            asked.futureResult.whenFailure { _ in answer.succeed(nil) }
            answer.futureResult.whenSuccess { continuation.resume(returning: $0) }
        }
    }

    /// Resets all connections.
    func abortAll() {
        for channel in state.read({ Array($0.channels.values) }) {
            channel.triggerUserOutboundEvent(ConnectionCommand.abort, promise: nil)
        }
    }

    func openStreams() async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for number in state.read({ Array($0.open.keys) }) {
                group.addTask { await self.traffic(of: number)?.openStreams ?? 0 }
            }
            return await group.reduce(0, +)
        }
    }

    /// Ends a connection by GOAWAY or a reset, and returns when it has ended or its time is over; `false` if not open.
    func close(_ number: UInt64, reason: Reason, grace: Duration, abort: Bool) async -> Bool {
        guard let channel = state.read({ $0.open[number] == nil ? nil : $0.channels[number] }) else { return false }
        let deadline = ContinuousClock.now + grace + ConnectionTable.endSlack
        channel.triggerUserOutboundEvent(
            abort ? ConnectionCommand.abort : .shutDown(reason: reason, grace: grace), promise: nil)
        _ = await finishes(before: deadline) { [state] in await state.wait { $0.open[number] == nil } }
        return true
    }

    /// Sends GOAWAY on all open connections and returns when they are closed; returns how many there were.
    @discardableResult
    func shutDown(reason: Reason, grace: Duration) async -> Int {
        let open = state.read { Array($0.channels.values) }
        for channel in open {
            channel.triggerUserOutboundEvent(ConnectionCommand.shutDown(reason: reason, grace: grace), promise: nil)
        }
        for channel in open {
            // Fails only if the channel is closed already.
            try? await channel.closeFuture.get()
        }
        return open.count
    }
}
