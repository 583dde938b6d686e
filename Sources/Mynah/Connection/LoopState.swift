internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// What one event loop holds for its connections: the wire's buffers and a copy of what control calls replace, so that
/// the push path takes no lock to read it.
final class LoopState {
    /// Scheduled work; a struct, because a closure in generic storage is wrapped at each access.
    struct Work { fileprivate let run: () -> Void }
    typealias Ticket = DueQueue<Work>.Ticket

    let wire: WireLoop
    let applier: PushApplier
    /// Where requests are submitted, if the server keeps a log; else ``applier`` applies them.
    let ordered: OrderedRequests?
    /// Counts the changes of keys and authorities; a connection's verdict on a credential is valid for one count.
    var trustGeneration: UInt64 = 0
    /// Counts the changes of keys and clocks in a shared order (``OrderSharing/revision``).
    private(set) var revision: UInt64 = 0
    private let eventLoop: any EventLoop
    // The work by times of the server's clock, and the real-time task that checks it.
    private var due = DueQueue<Work>()
    private var look: (at: Instant, task: Scheduled<Void>)?

    init(wire: WireLoop, applier: PushApplier, order: Order? = nil, eventLoop: any EventLoop) {
        self.wire = wire
        self.applier = applier
        self.eventLoop = eventLoop
        ordered = order.map { OrderedRequests($0, on: eventLoop) }
    }

    var order: Order? { ordered?.order }

    var clocks: ClockSet { applier.clocks }
    var faults: LoopFaults { applier.faults }
    var now: Instant { clocks.now(wall: WallClock.now()) }

    /// Finds the rule that acts on a connection that has sent no request; `watch` gets each action that waits for
    /// silence.
    func claim(_ facts: inout FaultFacts, watch: (FaultAction, FaultTally) -> Void) -> FaultFiring? {
        order?.record(
            CountConnection(event: facts.event, connection: facts.connection, environment: facts.environment))
        return faults.claim(&facts, isAhead: order != nil, watch: watch)
    }

    /// Counts an action that has waited for silence, and calls `act` if it may take place.
    func fire(_ tally: FaultTally, _ act: @escaping @Sendable () -> Void) {
        guard let order else { return tally.fire() ? act() : () }
        order.record(CountIdleClose(rule: tally.ruleID, age: tally.age)) { fires in if fires == true { act() } }
    }

    func schedule(at moment: Instant, _ work: @escaping () -> Void) -> Ticket {
        let ticket = due.push(Work(run: work), at: moment)
        scheduleDueWork()
        return ticket
    }

    // The task stays; it finds nothing due and looks again later.
    func cancel(_ ticket: Ticket) { due.remove(ticket) }
    var earliestDue: Instant? { due.earliest }

    func setClocks(_ clocks: ClockSet) {
        applier.clocks = clocks
        look?.task.cancel()
        look = nil
        performDueWork()
    }

    /// Judges by the keys and clocks after a change in a shared order.
    func adopt(_ clocks: ClockSet, revision: UInt64) {
        trustGeneration += 1
        self.revision = revision
        setClocks(clocks)
    }

    private func performDueWork() {
        while let work = due.popDue(at: now) { work.run() }
        scheduleDueWork()
    }

    /// Schedules the task that looks at the earliest work, unless the clock is frozen.
    private func scheduleDueWork() {
        guard clocks.server.mode != .frozen, let earliest = due.earliest else { return }
        if let look {
            guard earliest < look.at else { return }
            look.task.cancel()
        }
        let delay = max(earliest.since(now), .zero)
        let task = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { [weak self] in
            self?.look = nil
            self?.performDueWork()
        }
        look = (earliest, task)
    }
}

final class LoopStates: Sendable {
    private let boxes: [NIOLoopBoundBox<LoopState>]
    private let isEnded = Mutex(false)

    init(
        _ group: MultiThreadedEventLoopGroup, identity: TLSIdentity, substitutes: SubstituteIdentities,
        clocks: ClockSet, simulation: Simulation, order: Order?
    ) async throws {
        var boxes: [NIOLoopBoundBox<LoopState>] = []
        for loop in group.makeIterator() {
            let box = try await loop.submit {
                let state = LoopState(
                    wire: try WireLoop(identity, substitute: substitutes.identity),
                    applier: PushApplier(simulation, clocks: clocks), order: order, eventLoop: loop)
                return NIOLoopBoundBox(state, eventLoop: loop)
            }.get()
            boxes.append(box)
        }
        self.boxes = boxes
    }

    func current(_ loop: any EventLoop) -> LoopState {
        guard let box = boxes.first(where: { $0.eventLoop === loop }) else {
            preconditionFailure("a connection runs on a loop of another group")
        }
        return box.value
    }

    /// Has a question answered on each loop.
    /// - Throws: ``InputError`` after the end: a loop that has shut down drops what it is given, and whoever waits for it
    ///   would wait forever.
    func ask<Answer: Sendable>(_ question: @escaping @Sendable (LoopState) -> Answer) async throws -> [Answer] {
        let answers = try isEnded.withLock { isEnded throws(InputError) in
            if isEnded { throw InputError(.unavailable, "the server is stopping") }
            return boxes.map { box in box.eventLoop.submit { question(box.value) } }
        }
        var results: [Answer] = []
        for answer in answers { results.append(try await answer.get()) }
        return results
    }

    /// Has each loop judge by the keys and clocks after a change; what the caller gives the loops later is judged by
    /// them.
    func adopt(_ clocks: ClockSet, revision: UInt64) {
        for box in boxes { box.eventLoop.execute { box.value.adopt(clocks, revision: revision) } }
    }

    /// Records that the loops are about to shut down.
    func end() { isEnded.withLock { $0 = true } }

    func update(_ change: @escaping @Sendable (LoopState) -> Void) async throws { _ = try await ask(change) }
}
