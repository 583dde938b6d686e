internal import APNsRules
internal import Logging
internal import MynahCore
internal import MynahStore
internal import MynahTrust
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The path of a connection's requests, which learns on its loop what came of them in the order.
protocol OrderedPath: AnyObject {
    /// - Parameter taken: When the order took the push.
    func applied(_ push: IncomingPush, _ result: PushResult, _ closes: [IdleClose], taken: NIODeadline)
    /// Tells what came of a withheld request whose delay is over; `nil` if it was given up before.
    func released(_ released: (push: IncomingPush, result: FaultedPush)?, stream: Int32)
    func refused(_ push: IncomingPush, _ unavailable: Order.Unavailable)
    /// Sends the answers to what it was told of, which come many at a time.
    func sendAnswers()
}

/// The one order of all changes of a server that keeps its run: changes gather while the batch before them is written; a
/// batch is applied and answered once the log has it.
///
/// What is applied has been read back from the bytes of the batch, so that a start which reads the log does the same.
/// All of it happens on one thread, which does nothing else.
final class Order: Sendable {
    /// Why a change is not made.
    struct Unavailable: Sendable {
        fileprivate let problem: String
        var refusal: Refusal { Refusal(.serviceUnavailable, problem) }
        var inputError: InputError { InputError(.unavailable, problem) }
    }

    /// The most bytes of a batch, except for a single change that is larger.
    private static let batchBytesMax = 256 << 10
    /// The bytes of changes that wait from which on connections are read no further.
    private static let busyBytes = 32 << 20
    /// The most bytes of changes that wait; those beyond, which come from many connections at once, are refused.
    private static let waitingBytesMax = 64 << 20
    /// How long to wait before a log that fails is tried again.
    private static let recoveryPause = TimeAmount.milliseconds(250)

    /// A change and who waits for it; a class, because copies of a push cost more than to write it.
    fileprivate final class Waiting: Sendable {
        let change: OrderedChange
        let asker: Asker
        init(change: OrderedChange, asker: Asker) { (self.change, self.asker) = (change, asker) }
        var byteCount: Int { change.byteCount }
        /// Whether it stays in the queue while the log fails: nobody could be told of a refusal.
        var isPatient: Bool {
            switch asker {
            case .none, .release: true
            case .push, .call: false
            }
        }
    }

    fileprivate enum Asker: Sendable {
        case none
        case push(NIOLoopBound<any OrderedPath>, any EventLoop, at: NIODeadline)
        case release(NIOLoopBound<any OrderedPath>, stream: Int32, any EventLoop)
        case call(@Sendable (Called) -> Void)
    }

    /// What came of a command.
    fileprivate enum Called: Sendable {
        case done(Result<any Sendable, any Error>)
        case unavailable(Unavailable)
    }

    // A struct, because a closure in generic storage is wrapped at each access.
    private struct Reader: Sendable { let report: @Sendable (DeviceTime) -> Void }

    private struct Queue: Sendable {
        var waiting: [Waiting] = []
        var byteCount = 0
        var readers: [Reader] = []
        var isScheduled = false
        // Of all but patient changes; set while the log fails, and at the end.
        private(set) var refusal: Unavailable?
        // Whether nothing is taken in any more; what waits is still applied.
        private(set) var isEnded = false
        var isEmpty: Bool { waiting.isEmpty && readers.isEmpty }

        mutating func refuse(_ refusal: Unavailable) { if !isEnded { self.refusal = refusal } }
        mutating func accept() { if !isEnded { refusal = nil } }
        mutating func end() { (refusal, isEnded) = (Unavailable(problem: "the server is stopping"), true) }

        /// Notes that the queue is to be flushed; returns whether that was noted before.
        mutating func schedule() -> Bool {
            defer { isScheduled = true }
            return isScheduled
        }

        /// Takes the first changes, and the readers if those are all.
        mutating func take(bytesMax: Int) -> Taken {
            var (count, bytes) = (0, 0)
            for change in waiting {
                guard count == 0 || bytes + change.byteCount <= bytesMax else { break }
                bytes += change.byteCount
                count += 1
            }
            byteCount -= bytes
            guard count == waiting.count else {
                defer { waiting.removeFirst(count) }
                return Taken(waiting: Array(waiting[..<count]))
            }
            defer { (waiting, readers) = ([], []) }
            return Taken(waiting: waiting, readers: readers)
        }

        /// Takes all that is not patient.
        mutating func takeRefused() -> Taken {
            let refused = waiting.filter { !$0.isPatient }
            waiting.removeAll { !$0.isPatient }
            byteCount = waiting.reduce(0) { $0 + $1.byteCount }
            defer { readers = [] }
            return Taken(waiting: refused, readers: readers)
        }

        mutating func putBack(_ taken: Taken) {
            let patient = taken.waiting.filter(\.isPatient)
            waiting.insert(contentsOf: patient, at: 0)
            byteCount += patient.reduce(0) { $0 + $1.byteCount }
        }
    }

    private struct Taken: Sendable {
        let waiting: [Waiting]
        var readers: [Reader] = []
    }

    private let queue = Mutex(Queue())
    // Of the queue, so that loops take no lock to read it.
    private let waitingBytes = Atomic(0)
    private let thread: MultiThreadedEventLoopGroup
    private let loop: any EventLoop
    private let run: NIOLoopBoundBox<KeptRun>
    private let snapshotWriter: NIOLoopBoundBox<EventLoopFuture<Void>>
    private let stopped: NIOLoopBoundBox<Stopped?>
    private let logger: Logger

    private init(_ run: NIOLoopBoundBox<KeptRun>, on thread: MultiThreadedEventLoopGroup, logger: Logger) {
        (self.run, self.thread, self.logger) = (run, thread, logger)
        loop = run.eventLoop
        snapshotWriter = .makeBoxSendingValue(loop.makeSucceededVoidFuture(), eventLoop: loop)
        stopped = .makeEmptyBox(eventLoop: loop)
    }

    /// Opens the run of the settings' data folder, if there is one, and brings a simulation to the end of it.
    /// - Throws: ``LogProblem``.
    static func open(
        _ settings: Settings, keys: [SigningKey], logger: Logger, make: @escaping @Sendable (Choices) -> Simulation
    ) async throws -> (order: Order, simulation: Simulation, isNew: Bool)? {
        guard let folder = settings.dataDirectory else { return nil }
        let thread = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = thread.next()
        do {
            let opened = try await loop.submit {
                let log = try SQLiteLog(folder: folder, sync: settings.sync == .full ? .full : .normal)
                let opened = try KeptRun.open(log, settings, keys: keys, logger: logger, make: make)
                return (run: NIOLoopBoundBox(opened.run, eventLoop: loop), opened.simulation, opened.isNew)
            }.get()
            return (Order(opened.run, on: thread, logger: logger), opened.1, opened.2)
        } catch {
            var teardown = Teardown()
            await teardown.run { try await thread.shutdownGracefully() }
            throw error
        }
    }

    // MARK: Taking in

    /// Takes a push in, whose path is told what came of it; returns why it can't be taken, if it can't.
    func submit(_ push: IncomingPush, for path: some OrderedPath, on loop: any EventLoop) -> Unavailable? {
        submit(
            Waiting(
                change: .push(push),
                asker: .push(NIOLoopBound<any OrderedPath>(path, eventLoop: loop), loop, at: .now())))
    }

    /// Takes in that the delay of a withheld request is over.
    func release(_ ticket: PendingPush.Ticket, stream: Int32, for path: some OrderedPath, on loop: any EventLoop) {
        _ = submit(
            Waiting(
                change: .release(ticket),
                asker: .release(NIOLoopBound<any OrderedPath>(path, eventLoop: loop), stream: stream, loop)))
    }

    /// Takes in that a withheld request has been given up.
    func abandon(_ ticket: PendingPush.Ticket) { _ = submit(Waiting(change: .abandon(ticket), asker: .none)) }

    /// Takes a command in for which nobody waits.
    func note(_ command: some Command) { perform(command) { _ in } }

    /// Takes a command in, and calls `report` with its answer; with `nil` if it is refused.
    func perform<C: Command>(_ command: C, _ report: @escaping @Sendable (C.Answer?) -> Void) {
        let change: OrderedChange
        do throws(InputError) {
            change = try OrderedChange(command)
        } catch {
            preconditionFailure("a command of \(C.self) can't be written: \(error)")
        }
        submit(change) { called in
            guard case .done(.success(let answer)) = called else { return report(nil) }
            report(answer as? C.Answer)
        }
    }

    /// Has a command carried out; returns its answer or its failure.
    /// - Throws: ``InputError`` if it can't be written.
    func perform<C: Command>(_ command: C) async throws(InputError) -> Result<C.Answer, C.Failure> {
        let change = try OrderedChange(command)
        let called: Called = await withCheckedContinuation { continuation in
            submit(change) { continuation.resume(returning: $0) }
        }
        switch called {
        case .unavailable(let unavailable): throw unavailable.inputError
        case .done(.success(let answer as C.Answer)): return .success(answer)
        case .done(.failure(let failure as C.Failure)): return .failure(failure)
        case .done: preconditionFailure("a command of \(C.self) has another one's answer")
        }
    }

    /// Waits until all that was taken in before is applied and what is due by now is done; returns the time up to which,
    /// which is an earlier one while the log fails; `nil` after the end.
    func look() async -> DeviceTime? { await look(isLast: false) }

    private func look(isLast: Bool) async -> DeviceTime? {
        await withCheckedContinuation { continuation in
            let isScheduled = queue.withLock { queue -> Bool? in
                guard !queue.isEnded else { return nil }
                if isLast { queue.end() }
                queue.readers.append(Reader { continuation.resume(returning: $0) })
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

    /// Why changes can't be made at present; `nil` if they can.
    var problem: String? { queue.withLock { $0.refusal?.problem } }

    /// Says whose the data folder is, to another process that wants it.
    func setOwner(_ owner: String) async throws { try await ask { try $0.log.setOwner(owner) } }

    /// The answers since the start.
    func answers() async throws -> AnswerCounts { try await ask { $0.applier.answers } }

    // A loop that has shut down drops what it is given, and whoever waits for it would wait forever.
    private func ask<Answer: Sendable>(_ question: @escaping @Sendable (KeptRun) throws -> Answer) async throws
        -> Answer
    {
        try await queue.withLock { queue throws(InputError) in
            if queue.isEnded, let refusal = queue.refusal { throw refusal.inputError }
            return loop.submit { try question(self.run.value) }
        }.get()
    }

    private func submit(_ change: OrderedChange, _ report: @escaping @Sendable (Called) -> Void) {
        if let refusal = submit(Waiting(change: change, asker: .call(report))) { report(.unavailable(refusal)) }
    }

    private func submit(_ waiting: Waiting) -> Unavailable? {
        let (refusal, isScheduled): (Unavailable?, Bool) = queue.withLock { queue in
            if let refusal = queue.refusal, !waiting.isPatient || queue.isEnded { return (refusal, true) }
            guard queue.byteCount + waiting.byteCount <= Order.waitingBytesMax else {
                return (Unavailable(problem: "more changes wait for the disk than fit in memory"), true)
            }
            queue.byteCount += waiting.byteCount
            waitingBytes.store(queue.byteCount, ordering: .relaxed)
            queue.waiting.append(waiting)
            return (nil, queue.schedule())
        }
        if !isScheduled { loop.execute { self.flush() } }
        return refusal
    }

    // MARK: On the order's thread

    private func flush() {
        let taken = queue.withLock { queue in
            defer { waitingBytes.store(queue.byteCount, ordering: .relaxed) }
            return queue.take(bytesMax: Order.batchBytesMax)
        }
        let applier = run.value.applier
        let batch = applier.batch(
            of: taken.waiting.lazy.map { $0.change }, isLookWanted: !taken.readers.isEmpty, at: WallClock.now())
        if let batch {
            do {
                try applier.log(batch)
            } catch {
                return stop(at: batch, taken, because: error)
            }
        }
        finish(batch, taken)
    }

    private func finish(_ batch: OrderApplier.Batch?, _ taken: Taken) {
        let applier = run.value.applier
        let results = batch.map { applier.apply($0) } ?? []
        var replies = Replies()
        for (waiting, result) in zip(taken.waiting, results) { answer(waiting, result, &replies) }
        replies.send()
        let time = applier.time
        for reader in taken.readers { reader.report(time) }
        if let batch {
            run.value.noteBatch(byteCount: batch.bytes.count)
            keepSnapshots()
        }
        let goesOn = queue.withLock { queue in
            queue.isScheduled = !queue.isEmpty
            return queue.isScheduled
        }
        if goesOn { loop.execute { self.flush() } }
    }

    private func answer(_ waiting: Waiting, _ result: OrderApplier.Result, _ replies: inout Replies) {
        switch (waiting.asker, result) {
        case (.push(_, let loop, _), .push), (.release(_, _, let loop), .released):
            replies.add(waiting, .result(result), on: loop)
        case (.call(let report), .command(let result)): report(.done(result))
        case (.none, _): break
        default: preconditionFailure("a change has another one's result")
        }
    }

    /// Refuses changes, and gives readers the state as it is.
    private func refuse(_ taken: Taken, _ refusal: Unavailable) {
        var replies = Replies()
        for waiting in taken.waiting {
            switch waiting.asker {
            case .push(_, let loop, _): replies.add(waiting, .refused(refusal), on: loop)
            case .call(let report): report(.unavailable(refusal))
            case .none, .release: break
            }
        }
        replies.send()
        let time = run.value.applier.time
        for reader in taken.readers { reader.report(time) }
    }

    // MARK: A log that fails

    /// A batch of which nobody knows whether the log has it, or one that is applied once the log can be written again.
    private enum Stopped: Sendable {
        case unknown(OrderApplier.Batch, Taken)
        case kept(OrderApplier.Batch, Taken)
        case refused
    }

    private func stop(at batch: OrderApplier.Batch, _ taken: Taken, because problem: LogProblem) {
        guard problem.code != .tooLarge else {
            refuse(taken, Unavailable(problem: problem.problem))
            return finish(nil, Taken(waiting: []))
        }
        logger.error("pushes and changes are refused until the run can be kept again: \(problem)")
        recover(.unknown(batch, taken), after: problem)
    }

    /// Finds out whether the log has the batch that failed, and tries until the log tells and can be written; changes are
    /// refused meanwhile.
    private func recover(_ stopped: Stopped, after problem: LogProblem) {
        let refusal = Unavailable(problem: "the run can't be kept: \(problem)")
        let rest = queue.withLock { queue in
            queue.refuse(refusal)
            defer { waitingBytes.store(queue.byteCount, ordering: .relaxed) }
            return queue.takeRefused()
        }
        refuse(rest, refusal)
        var stopped = stopped
        do throws(LogProblem) {
            if case .unknown(let batch, let taken) = stopped {
                if try run.value.log.recover() {
                    stopped = .kept(batch, taken)
                } else {
                    stopped = .refused
                    queue.withLock { $0.putBack(taken) }
                    refuse(taken, refusal)
                }
            }
            try run.value.log.checkWritable()
        } catch {
            self.stopped.value = stopped
            loop.scheduleTask(in: Order.recoveryPause) {
                if let stopped = self.stopped.value { self.recover(stopped, after: error) }
            }
            return
        }
        self.stopped.value = nil
        queue.withLock { $0.accept() }
        logger.notice("the run is kept again")
        if case .kept(let batch, let taken) = stopped {
            finish(batch, taken)
        } else {
            finish(nil, Taken(waiting: []))
        }
    }

    // MARK: Snapshots

    /// Begins a snapshot if one is due, whose pieces another thread makes, and removes a part of what isn't kept.
    private func keepSnapshots() {
        do throws(LogProblem) {
            try run.value.trim()
            guard let snapshot = try run.value.beginSnapshotIfDue() else { return }
            snapshotWriter.value = NIOSingletons.posixBlockingThreadPool
                .runIfActive(eventLoop: loop) { [self] in
                    try snapshot.forEachPiece { piece throws(any Error) in
                        try loop.submit { try self.add(piece) }.wait()
                    }
                }
                .flatMapThrowing { try self.run.value.completeSnapshot() }
                .flatMapErrorThrowing { self.noteSnapshotFailed($0) }
        } catch {
            noteSnapshotFailed(error)
        }
    }

    private func add(_ piece: SnapshotPiece) throws {
        guard !queue.withLock({ $0.isEnded }) else { throw CancellationError() }
        try run.value.add(piece)
    }

    // Nothing is lost: a start reads more of the log.
    private func noteSnapshotFailed(_ error: any Error) {
        run.value.abandonSnapshot()
        guard !queue.withLock({ $0.isEnded }) else { return }
        logger.warning("no snapshot of the run was written, so that a start takes longer: \(error)")
    }

    // MARK: End

    /// Applies what waits, refuses what comes later, and closes the log with a snapshot.
    func end() async throws {
        guard await look(isLast: true) != nil else { return }
        var teardown = Teardown()
        await teardown.run {
            try await self.loop.flatSubmit { self.snapshotWriter.value }.get()
            try await self.loop.submit { try self.endRun() }.get()
        }
        await teardown.run { try await self.thread.shutdownGracefully() }
        try teardown.finish()
    }

    private func endRun() throws {
        switch stopped.value {
        case .unknown(_, let taken)?, .kept(_, let taken)?:
            refuse(taken, Unavailable(problem: "the server is stopping, and the run can't be kept"))
        case .refused?, nil: break
        }
        stopped.value = nil
        try run.value.end()
    }
}

/// Answers that go to several loops, by one task each.
private struct Replies {
    enum What: Sendable {
        case result(OrderApplier.Result)
        case refused(Order.Unavailable)
    }

    private struct Reply: Sendable {
        let waiting: Order.Waiting
        let what: What

        /// Tells the path of the request; returns it.
        func tell() -> any OrderedPath {
            switch (waiting.asker, waiting.change, what) {
            case (.push(let path, _, let taken), .push(let push), .result(.push(let result, let closes))):
                path.value.applied(push, result, closes, taken: taken)
                return path.value
            case (.push(let path, _, _), .push(let push), .refused(let refusal)):
                path.value.refused(push, refusal)
                return path.value
            case (.release(let path, let stream, _), _, .result(.released(let released))):
                path.value.released(released, stream: stream)
                return path.value
            default: preconditionFailure("a change has another one's result")
            }
        }
    }

    private var all: [(loop: any EventLoop, replies: [Reply])] = []

    mutating func add(_ waiting: Order.Waiting, _ what: What, on loop: any EventLoop) {
        let index = all.firstIndex { $0.loop === loop } ?? all.endIndex
        if index == all.endIndex { all.append((loop, [])) }
        all[index].replies.append(Reply(waiting: waiting, what: what))
    }

    func send() {
        for (loop, replies) in all {
            loop.execute { for path in replies.map({ $0.tell() }) { path.sendAnswers() } }
        }
    }
}
