internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore
internal import Synchronization

/// The open connections of a server, by number.
///
/// Holds channels, never handlers: commands travel to the loop through the channel. Tasks that wait for a change are
/// resumed outside the lock.
final class ConnectionTable: Sendable {
    /// How much longer than the grace of its streams a connection's end is waited for.
    private static let endSlack: Duration = .milliseconds(500)

    private struct State {
        // From accepting on.
        var channels: [UInt64: any Channel] = [:]
        // Those that can carry requests.
        var open: [UInt64: ConnectionView] = [:]
        // Counts the changes of `open`.
        var revision: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())
    private let numbers = Atomic<UInt64>(0)
    private let tickets = Atomic<UInt64>(0)
    private let refused = Atomic<Int>(0)
    private let events: EventLog?
    let failedHandshakes: FailedHandshakes

    init(events: EventLog? = nil) {
        self.events = events
        self.failedHandshakes = FailedHandshakes(events: events)
    }

    /// The next connection's number; they begin at 1.
    func takeNumber() -> UInt64 { numbers.add(1, ordering: .relaxed).newValue }

    var acceptedCount: UInt64 { numbers.load(ordering: .relaxed) }

    /// Adds a connection until its channel closes.
    func add(_ channel: any Channel, _ number: UInt64) {
        state.withLock { $0.channels[number] = channel }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.state.withLock { _ = $0.channels.removeValue(forKey: number) }
        }
    }

    /// Counts a connection that was refused as soon as it was accepted.
    func noteRefused() { refused.add(1, ordering: .relaxed) }

    var refusedCount: Int { refused.load(ordering: .relaxed) }

    /// The number of connections, including those in their handshake.
    var count: Int { state.withLock { $0.channels.count } }

    // MARK: Entries

    /// Adds a connection that can carry requests.
    func opened(_ entry: ConnectionView) {
        change { $0.open[entry.id] = entry }
        events?.note(.connection(entry.json, .opened))
    }

    /// Notes the credential that a connection has proved.
    func note(_ credential: ConnectionView.Credential, of number: UInt64) {
        change { $0.open[number]?.credential = credential }
    }

    /// Removes a connection that has ended; `reason` is given if the server ended it because of an error.
    func closed(_ number: UInt64, _ traffic: ConnectionTraffic, reason: String?) {
        guard let entry = change({ $0.open.removeValue(forKey: number) }) else { return }
        let members = (entry.with(traffic).json.object ?? []) + [JSONMember("reason", .text(reason))]
        events?.note(.connection(.object(members), .closed))
    }

    /// The connections that can carry requests, by number, and how often they have changed.
    func entries() -> (entries: [ConnectionView], revision: UInt64) {
        let (open, revision) = state.withLock { (Array($0.open.values), $0.revision) }
        return (open.sorted { $0.id < $1.id }, revision)
    }

    private func change<Answer: Sendable>(_ body: (inout State) -> Answer) -> Answer {
        let (answer, waiters) = state.withLock { state in
            let answer = body(&state)
            state.revision += 1
            defer { state.waiters.removeAll() }
            return (answer, Array(state.waiters.values))
        }
        for waiter in waiters { waiter.resume() }
        return answer
    }

    // MARK: Waiting

    /// Waits for a change since a revision, or until the task is cancelled.
    func wait(since revision: UInt64) async {
        let ticket = tickets.add(1, ordering: .relaxed).newValue
        await suspend { continuation in
            state.withLock { state in
                guard !Task.isCancelled, state.revision == revision else { return false }
                state.waiters[ticket] = continuation
                return true
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: ticket) }
        }
    }

    /// Waits for a change since a revision until a deadline, or until the task is cancelled.
    func wait(since revision: UInt64, until deadline: ContinuousClock.Instant) async {
        _ = await happens(before: deadline) { await self.wait(since: revision) }
    }

    // MARK: Commands

    /// Asks a connection for its traffic; `nil` if it has closed.
    func traffic(of number: UInt64) async -> ConnectionTraffic? {
        guard let channel = state.withLock({ $0.channels[number] }) else { return nil }
        return await withCheckedContinuation { continuation in
            let answer = channel.eventLoop.makePromise(of: ConnectionTraffic?.self)
            let asked = channel.eventLoop.makePromise(of: Void.self)
            channel.triggerUserOutboundEvent(ConnectionCommand.inspect { answer.succeed($0) }, promise: asked)
            // A channel that has closed meanwhile has no handler for the command.
            asked.futureResult.whenFailure { _ in answer.succeed(nil) }
            answer.futureResult.whenSuccess { continuation.resume(returning: $0) }
        }
    }

    /// Counts the open streams of all connections.
    func openStreams() async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for number in state.withLock({ Array($0.open.keys) }) {
                group.addTask { await self.traffic(of: number)?.openStreams ?? 0 }
            }
            return await group.reduce(0, +)
        }
    }

    /// Ends a connection by GOAWAY or by a reset, and returns when it has ended or its time is over; `false` if it is not
    /// open.
    func close(_ number: UInt64, reason: Reason, grace: Duration, abort: Bool) async -> Bool {
        guard let channel = state.withLock({ $0.open[number] == nil ? nil : $0.channels[number] }) else { return false }
        let deadline = ContinuousClock.now + grace + ConnectionTable.endSlack
        channel.triggerUserOutboundEvent(
            abort ? ConnectionCommand.abort : .shutDown(reason: reason, grace: grace), promise: nil)
        while ContinuousClock.now < deadline {
            let (isOpen, revision) = state.withLock { ($0.open[number] != nil, $0.revision) }
            if !isOpen || Task.isCancelled { break }
            await wait(since: revision, until: deadline)
        }
        return true
    }

    /// Sends GOAWAY on all open connections and returns when they are closed; returns how many there were.
    @discardableResult
    func shutDown(reason: Reason, grace: Duration) async -> Int {
        let open = state.withLock { Array($0.channels.values) }
        for channel in open {
            channel.triggerUserOutboundEvent(ConnectionCommand.shutDown(reason: reason, grace: grace), promise: nil)
        }
        for channel in open {
            // Fails only if it is closed already.
            try? await channel.closeFuture.get()
        }
        return open.count
    }
}
