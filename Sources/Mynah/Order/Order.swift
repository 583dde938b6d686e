internal import APNsRules
internal import Logging
internal import MynahCore
internal import MynahStore
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The one order of all changes of a server that keeps its run, or that shares its log: changes gather while the batch
/// before them is on its way; a batch is applied and answered once the log has it.
///
/// What is applied has been read back from the bytes of the batch, so that whoever reads the log does the same. All of it
/// happens on one thread, which does nothing else.
final class Order: Sendable {
    /// Why a change is not made.
    struct Unavailable: Sendable {
        let problem: String
        /// Whether the change is too large for the log, and not that the log fails.
        fileprivate(set) var isTooLarge = false
        var refusal: Refusal { Refusal(.serviceUnavailable, problem) }
        var inputError: InputError { InputError(isTooLarge ? .tooLarge : .unavailable, problem) }
    }

    /// The bytes of changes that wait from which on connections are read no further.
    private static let busyBytes = 32 << 20
    /// The most bytes of changes that wait; further ones are refused, and so are new connections.
    ///
    /// Changes that can't be refused are taken beyond this bound: they come from open connections, of which there may be
    /// many.
    private static let waitingBytesMax = 64 << 20

    private let queue: Mutex<OrderQueue>
    // The queue's byte count, which loops read without its lock.
    private let waitingBytes = Atomic(0)
    // The requests of each loop that wait; emptied at the end, as they refer to the order.
    private let loops = Mutex<[NIOLoopBound<OrderedRequests>]>([])
    private let thread: MultiThreadedEventLoopGroup
    let loop: any EventLoop
    let log: NIOLoopBoundBox<any OrderLog>
    let progress: NIOLoopBoundBox<Progress>
    let logger: Logger
    /// Whether other processes add to the log as well (``OrderSharing``).
    let isShared: Bool

    /// The state of the order's thread.
    struct Progress {
        /// The batch that was appended, until the log says whether it has the batch.
        var inFlight: OrderQueue.Taken?
        var isAway = false
        /// Whether the run was given up.
        var isLost = false
    }

    init(
        _ log: NIOLoopBoundBox<any OrderLog>, batchBytesMax: Int, on thread: MultiThreadedEventLoopGroup,
        isShared: Bool = false, logger: Logger
    ) {
        self.log = log
        self.thread = thread
        self.isShared = isShared
        self.logger = logger
        queue = Mutex(OrderQueue(batchBytesMax: batchBytesMax))
        loop = log.eventLoop
        progress = .makeBoxSendingValue(Progress(), eventLoop: loop)
    }

    /// Begins to follow the log; returns once what it has so far is applied.
    func begin() async throws { try await loop.flatSubmit { self.log.value.follow(self) }.get() }

    // MARK: Taking in

    /// Takes a loop's requests in from now on; returns the loop's number.
    func add(_ requests: NIOLoopBound<OrderedRequests>) -> Int {
        loops.withLock { loops in
            loops.append(requests)
            return loops.count - 1
        }
    }

    /// Takes in that a withheld request has been given up.
    func abandon(_ ticket: PendingPush.Ticket) { record(.abandon(ticket)) }

    /// Takes in something that has happened, which is carried out once the log can be written.
    func record(_ event: some Command) { record(Order.change(event)) }

    /// Takes in what the log has to say.
    func record(_ change: OrderedChange) { _ = submit(change, for: .nobody(change)) }

    /// Takes in something that has happened, and calls `report` once it is carried out, with the answer or, after a
    /// failure, `nil`; possibly never when the server stops.
    func record<C: Command>(_ event: C, _ report: @escaping @Sendable (C.Answer?) -> Void) {
        let change = Order.change(event)
        let call = CommandCall<C> { report((try? $0.get()).flatMap { try? $0.get() }) }
        if let refusal = submit(change, for: .event(change, call)) { call.refuse(refusal) }
    }

    private static func change<C: Command>(_ event: C) -> OrderedChange {
        do throws(InputError) {
            return try OrderedChange(event)
        } catch {
            preconditionFailure("a command of \(C.self) can't be written: \(error)")
        }
    }

    /// Has a command carried out; returns its answer or its failure.
    /// - Throws: ``InputError`` if it can't be written.
    func perform<C: Command>(_ command: C) async throws(InputError) -> Result<C.Answer, C.Failure> {
        let change = try OrderedChange(command)
        let called = await withCheckedContinuation { continuation in
            let call = CommandCall<C> { continuation.resume(returning: $0) }
            if let refusal = submit(change, for: .call(call)) { call.refuse(refusal) }
        }
        return try called.get()
    }

    /// Waits until all that was taken in before is applied and what is due by now is done; returns the time up to which,
    /// which is an earlier one while the log fails; `nil` after the end.
    func waitUntilApplied() async -> DeviceTime? { await waitUntilApplied(isLast: false) }

    /// Waits until all is applied that a shared log had before.
    /// - Throws: ``InputError`` while that can't be known.
    func catchUpWithLog() async throws(InputError) {
        guard isShared else { return }
        try checkAvailable()
        guard await waitUntilApplied(isLast: false, catchesUp: true) != nil else { return }
        try checkAvailable()
    }

    private func checkAvailable() throws(InputError) {
        if let refusal = queue.withLock({ $0.refusal }) { throw refusal.inputError }
    }

    private func waitUntilApplied(isLast: Bool, catchesUp: Bool = false) async -> DeviceTime? {
        await withCheckedContinuation { continuation in
            let isScheduled = queue.withLock { queue -> Bool? in
                guard !queue.isEnded else { return nil }
                if isLast { queue.end() }
                queue.readers.append(OrderQueue.Reader(catchesUp: catchesUp) { continuation.resume(returning: $0) })
                return queue.schedule()
            }
            switch isScheduled {
            case false?: loop.execute { self.flush() }
            case true?: break
            case nil: continuation.resume(returning: nil)
            }
        }
    }

    /// Whether so much waits to be written that connections should send nothing more.
    var isBusy: Bool { waitingBytes.load(ordering: .relaxed) >= Order.busyBytes }

    /// Whether so much waits to be written that no connection should be opened.
    var isFull: Bool { waitingBytes.load(ordering: .relaxed) >= Order.waitingBytesMax }

    /// Why changes can't be made at present, or the server is otherwise not ready; `nil` if it is.
    var problem: String? { queue.withLock { $0.refusal?.problem ?? $0.warning } }

    /// Says whose the log is, to another process that wants it.
    func setOwner(_ owner: String) async throws { try await ask { try $0.setOwner(owner) } }

    /// The note of the first start of the run that had one, which this start's becomes if there was none before.
    func firstNote(_ key: String, _ note: String) async throws -> String {
        try await ask { try $0.firstNote(key, note) }
    }

    /// The answers since the start.
    func answers() async throws -> AnswerCounts { try await ask { $0.applier.answers } }

    // A loop that has shut down drops what it is given, and whoever waits for it would wait forever.
    private func ask<Answer: Sendable>(_ question: @escaping @Sendable (any OrderLog) throws -> Answer) async throws
        -> Answer
    {
        try await queue.withLock { queue throws(InputError) in
            if queue.isEnded, let refusal = queue.refusal { throw refusal.inputError }
            return loop.submit { try question(self.log.value) }
        }.get()
    }

    /// Takes a change in; returns why it can't be taken, if it can't: one that is patient only at the end.
    func submit(_ change: OrderedChange, for asker: OrderQueue.Asker) -> Unavailable? {
        let (refusal, isScheduled): (Unavailable?, Bool) = queue.withLock { queue in
            if let refusal = queue.refusal, !asker.isPatient || queue.isEnded { return (refusal, true) }
            guard asker.isPatient || queue.byteCount + change.byteCount <= Order.waitingBytesMax else {
                return (Unavailable(problem: "more changes wait for the disk than fit in memory"), true)
            }
            queue.add(change, for: asker)
            waitingBytes.store(queue.byteCount, ordering: .relaxed)
            return (nil, queue.schedule())
        }
        if !isScheduled { loop.execute { self.flush() } }
        return refusal
    }

    // MARK: On the order's thread

    private func flush() {
        var (writer, taken) = queue.withLock { queue in
            defer { waitingBytes.store(queue.byteCount, ordering: .relaxed) }
            return queue.removeFirstBatch()
        }
        let log = log.value
        guard !progress.value.isLost else {
            refuse(taken, Order.lost)
            let goesOn = queue.withLock { queue in
                queue.reuse(writer)
                queue.isScheduled = !queue.isEmpty
                return queue.isScheduled
            }
            if goesOn { loop.execute { self.flush() } }
            return
        }
        let batch = log.applier.batch(of: &writer, look: taken.look, at: log.now)
        queue.withLock { $0.reuse(writer) }
        guard let batch else { return finish(taken, []) }
        progress.value.inFlight = taken
        log.append(batch)
    }

    private static let lost = Unavailable(problem: "the server has to be started again")

    /// Applies a batch that the log has, and answers it if it is the one that was appended last.
    func logHas(_ batch: LoggedBatch) {
        guard !progress.value.isLost else { return }
        let log = log.value
        let applied: OrderApplier.Applied
        do throws(CodingProblem) {
            applied = try log.applier.applyBatch(batch, for: progress.value.inFlight?.askers ?? [])
        } catch {
            return log.fail(toRead: batch, error)
        }
        guard log.carryOut(applied, of: batch) else { return }
        if applied.isAwaited, let taken = progress.value.inFlight {
            progress.value.inFlight = nil
            if let outcomes = applied.outcomes {
                finish(taken, outcomes)
            } else {
                // What has happened goes into a later batch.
                queue.withLock { $0.putBack(taken) }
                refuse(taken, Unavailable(problem: log.words.ignored))
                finish(OrderQueue.Taken(), [])
            }
        }
        log.recordApplied(batch)
    }

    /// Answers the changes of a batch, and begins the next one.
    private func finish(_ taken: OrderQueue.Taken, _ outcomes: [ChangeOutcome]) {
        var requests = RequestOutcomes(loops.withLock { $0 })
        for (asker, outcome) in zip(taken.askers, outcomes) {
            switch outcome {
            case .command(let command): command.answer()
            case .numbers(let numbers): log.value.add(numbers)
            default: if let place = asker.place { requests.add(outcome, of: place) }
            }
        }
        requests.send()
        report(to: taken.readers)
        let warning = log.value.warning
        let goesOn = queue.withLock { queue in
            queue.warning = warning
            queue.isScheduled = !queue.isEmpty
            return queue.isScheduled
        }
        if goesOn { loop.execute { self.flush() } }
    }

    /// Refuses changes, and gives readers the state as it is.
    private func refuse(_ taken: OrderQueue.Taken, _ refusal: Unavailable) {
        var requests = RequestOutcomes(loops.withLock { $0 })
        for asker in taken.askers {
            switch asker {
            case .push(let place): requests.add(.refused(refusal), of: place)
            case .call(let call): call.refuse(refusal)
            case .nobody, .event, .release: break
            }
        }
        requests.send()
        report(to: taken.readers)
    }

    private func report(to readers: [OrderQueue.Reader]) {
        let time = log.value.applier.time
        for reader in readers { reader.report(time) }
    }

    // MARK: A log that fails

    private func unavailable(_ problem: LogProblem) -> Unavailable {
        Unavailable(problem: "\(log.value.words.refused): \(problem)")
    }

    /// Refuses the batch that was appended last, which is certainly not in the log.
    func logRefused(because problem: LogProblem) {
        guard !progress.value.isLost, let taken = progress.value.inFlight else { return }
        progress.value.inFlight = nil
        if problem.code == .tooLarge, taken.askers.count == 1 {
            refuse(taken, Unavailable(problem: problem.problem, isTooLarge: true))
        } else {
            queue.withLock { $0.putBack(taken) }
            refuse(taken, unavailable(problem))
        }
        if !progress.value.isAway { finish(OrderQueue.Taken(), []) }
    }

    /// Refuses changes because nothing can be added to the log at present; called again at each attempt.
    ///
    /// Whether the log has the last batch is unknown.
    func logFails(because problem: LogProblem) { if !progress.value.isLost { refuseUntilBack(because: problem) } }

    /// Takes changes again, which the log can be given.
    func logIsBack() {
        guard !progress.value.isLost else { return }
        progress.value.isAway = false
        queue.withLock { $0.accept() }
        logger.notice("\(log.value.words.back)")
        if progress.value.inFlight == nil { finish(OrderQueue.Taken(), []) }
    }

    private func refuseUntilBack(because problem: LogProblem) {
        if !progress.value.isAway { logger.error("\(log.value.words.away): \(problem)") }
        progress.value.isAway = true
        let refusal = unavailable(problem)
        let rest = queue.withLock { queue in
            queue.refuse(refusal)
            defer { waitingBytes.store(queue.byteCount, ordering: .relaxed) }
            return queue.removeRefused()
        }
        refuse(rest, refusal)
    }

    /// Refuses all changes for good, and gives readers the state as it is.
    func refuseAll(because problem: LogProblem) {
        progress.value.isLost = true
        refuseUntilBack(because: problem)
        if let taken = progress.value.inFlight {
            progress.value.inFlight = nil
            refuse(taken, unavailable(problem))
        }
        queue.withLock { $0.isScheduled = false }
    }

    // MARK: End

    /// Applies the changes that wait, refuses later ones, and ends the log.
    func end() async throws {
        guard await waitUntilApplied(isLast: true) != nil else { return }
        var teardown = Teardown()
        await teardown.run {
            try await self.loop.flatSubmit {
                if let taken = self.progress.value.inFlight {
                    self.progress.value.inFlight = nil
                    self.refuse(taken, Unavailable(problem: "the server is stopping, and its changes can't be kept"))
                }
                return self.log.value.end()
            }.get()
        }
        await teardown.run { try await self.thread.shutdownGracefully() }
        loops.withLock { $0 = [] }
        try teardown.finish()
    }
}
