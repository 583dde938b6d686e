internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore
internal import NIOPosix

/// What one event loop holds for all of its connections: the wire's shared buffers and a copy of everything
/// that control calls replace, so that the push path takes no lock to read it.
///
/// Not `Sendable`: it belongs to its loop.
final class LoopState {
    /// What is done when its time has come; a struct, because a closure in generic storage is wrapped at each access.
    struct Work {
        fileprivate let run: () -> Void
    }

    /// Names scheduled work until it is done or cancelled.
    typealias Ticket = DueQueue<Work>.Ticket

    let wire: WireLoop
    /// The fault rules in force.
    let faults: LoopFaults
    /// The clocks in force; replaced on every loop before a control call answers.
    private(set) var clocks: ClockSet
    /// Counts the changes of keys and authorities: what a connection remembers of a credential is good for one count.
    var trustGeneration: UInt64 = 0
    /// What its connections have answered.
    var answers = AnswerCounts()
    private let eventLoop: any EventLoop
    // What is to happen at a time of the clock, and the one task on the wall's that looks at it.
    private var due = DueQueue<Work>()
    private var look: (at: Instant, task: Scheduled<Void>)?
    // The next step of the scenarios, as this loop has it on its list.
    private var scenarioStep: Ticket?

    init(wire: WireLoop, clocks: ClockSet, faults: LoopFaults, eventLoop: any EventLoop) {
        self.wire = wire
        self.clocks = clocks
        self.faults = faults
        self.eventLoop = eventLoop
    }

    /// What the server's clock says.
    var now: Instant { clocks.now(wall: WallClock.now()) }
}

// MARK: - Time

extension LoopState {
    /// Lets `work` be done on this loop as soon as the clock has come to a moment.
    func schedule(at moment: Instant, _ work: @escaping () -> Void) -> Ticket {
        let ticket = due.push(Work(run: work), at: moment)
        lookAgain()
        return ticket
    }

    /// Takes back what was scheduled and is not done yet.
    func cancel(_ ticket: Ticket) {
        // The task stays: it finds nothing due, and looks again when something will be.
        due.remove(ticket)
    }

    /// When the earliest of what is scheduled is to be done.
    var earliestDue: Instant? { due.earliest }

    /// Changes the clocks, and does all that falls due by the server's.
    func setClocks(_ clocks: ClockSet) {
        self.clocks = clocks
        look?.task.cancel()
        look = nil
        doDue()
    }

    /// Sees to it that the next step of the scenarios is done when the clock has come to it.
    ///
    /// Every loop does so, and the first one that sees it fall due does it for all.
    func watchScenarios() {
        if let scenarioStep { cancel(scenarioStep) }
        scenarioStep = nil
        guard let moment = faults.nextScenarioMoment else { return }
        scenarioStep = schedule(at: moment) { [weak self] in
            guard let self else { return }
            scenarioStep = nil
            faults.advanceScenarios(at: now)
            watchScenarios()
        }
    }

    private func doDue() {
        while let work = due.popDue(at: now) { work.run() }
        lookAgain()
    }

    /// Sees to it that somebody looks when the earliest falls due; nobody has to while the clock stands.
    private func lookAgain() {
        guard clocks.server.mode != .frozen, let earliest = due.earliest else { return }
        if let look {
            guard earliest < look.at else { return }
            look.task.cancel()
        }
        let delay = max(earliest.since(now), .zero)
        let task = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { [weak self] in
            guard let self else { return }
            self.look = nil
            self.doDue()
        }
        look = (earliest, task)
    }
}

/// The states of all loops of a server.
final class LoopStates: Sendable {
    private let boxes: [NIOLoopBoundBox<LoopState>]

    /// One state for each loop of the group.
    ///
    /// - Throws: ``OpenSSLError`` when the identity can't be used.
    init(
        _ group: MultiThreadedEventLoopGroup, identity: TLSIdentity, substitutes: SubstituteIdentities,
        clocks: ClockSet, faults: FaultStore, seed: UInt64
    ) async throws {
        var boxes: [NIOLoopBoundBox<LoopState>] = []
        for loop in group.makeIterator() {
            let box = try await loop.submit {
                NIOLoopBoundBox(
                    LoopState(
                        wire: try WireLoop(identity, substitute: substitutes.identity), clocks: clocks,
                        faults: LoopFaults(faults, seed: seed),
                        eventLoop: loop), eventLoop: loop)
            }.get()
            boxes.append(box)
        }
        self.boxes = boxes
    }

    /// The state of the loop that this is called on.
    func current(_ loop: any EventLoop) -> LoopState {
        guard let box = boxes.first(where: { $0.eventLoop === loop }) else {
            preconditionFailure("a connection runs on a loop that is none of the server's")
        }
        return box.value
    }

    /// What every loop answers.
    func ask<Answer: Sendable>(_ question: @escaping @Sendable (LoopState) -> Answer) async throws -> [Answer] {
        var answers: [Answer] = []
        for box in boxes {
            answers.append(try await box.eventLoop.submit { question(box.value) }.get())
        }
        return answers
    }

    /// Changes every loop's state; returns when all have it.
    func update(_ change: @escaping @Sendable (LoopState) -> Void) async throws {
        for box in boxes {
            try await box.eventLoop.submit { change(box.value) }.get()
        }
    }
}
