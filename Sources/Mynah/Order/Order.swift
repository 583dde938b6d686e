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
    /// Judges a push again, after a change of keys or clocks of which the loop has been told, and takes it in.
    func judgeAgain(_ push: IncomingPush, taken: NIODeadline)
    /// Sends the answers to what it was told of, which come many at a time.
    func sendAnswers()
}

/// The one order of all changes of a server that keeps its run, or of all servers of a cluster: changes gather while the
/// batch before them is on its way; a batch is applied and answered once the log has it.
///
/// What is applied has been read back from the bytes of the batch, so that a start which reads the log does the same, and
/// each server of a cluster. All of it happens on one thread, which does nothing else.
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
    fileprivate struct Reader: Sendable {
        /// Whether it reads what all servers of a cluster have done.
        let catchesUp: Bool
        let report: @Sendable (DeviceTime) -> Void
    }

    private struct Queue: Sendable {
        var waiting: [Waiting] = []
        var byteCount = 0
        var readers: [Reader] = []
        var isScheduled = false
        // Why the server is not ready.
        var warning: String?
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

    struct Taken: Sendable {
        fileprivate let waiting: [Waiting]
        fileprivate var readers: [Reader] = []

        var look: OrderApplier.LookWanted {
            readers.isEmpty ? .none : readers.contains { $0.catchesUp } ? .always : .ifDue
        }
    }

    private let queue = Mutex(Queue())
    // Of the queue, so that loops take no lock to read it.
    private let waitingBytes = Atomic(0)
    private let thread: MultiThreadedEventLoopGroup
    let loop: any EventLoop
    let log: NIOLoopBoundBox<any OrderLog>
    let progress: NIOLoopBoundBox<Progress>
    let logger: Logger
    /// The name of this server in its cluster; `nil` without one.
    let server: String?

    /// What the order's thread knows.
    struct Progress {
        /// The batch that was appended and is undecided.
        var inFlight: Taken?
        var isAway = false
        var cluster = ClusterProgress()
    }

    private init(
        _ log: NIOLoopBoundBox<any OrderLog>, on thread: MultiThreadedEventLoopGroup, server: String?, logger: Logger
    ) {
        (self.log, self.thread, self.server, self.logger) = (log, thread, server, logger)
        loop = log.eventLoop
        progress = .makeBoxSendingValue(Progress(), eventLoop: loop)
    }

    /// Opens the run of the settings' data folder, or joins their cluster, if there is either, and brings a simulation
    /// to the end of it.
    ///
    /// - Parameter identity: What all servers of a cluster have in common beside their choices.
    /// - Throws: ``LogProblem``.
    static func open(
        _ settings: Settings, _ identity: ClusterIdentity, keys: [SigningKey], logger: Logger,
        make: @escaping @Sendable (Choices, ClockState?) -> Simulation
    ) async throws -> (order: Order, simulation: Simulation, isNew: Bool)? {
        guard settings.dataDirectory != nil || settings.cluster.isWanted else { return nil }
        let thread = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = thread.next()
        do {
            let opened = try await loop.submit {
                let opened: (log: any OrderLog, simulation: Simulation, isNew: Bool)
                if settings.cluster.isWanted {
                    let joined = try ClusterLog.open(settings, identity, on: loop, logger: logger, make: make)
                    opened = (joined.log, joined.simulation, joined.isNew)
                } else {
                    let log = try SQLiteLog(
                        folder: settings.dataDirectory ?? "", sync: settings.sync == .full ? .full : .normal)
                    let kept = try KeptRun.open(log, settings, keys: keys, on: loop, logger: logger) { make($0, nil) }
                    opened = (kept.run, kept.simulation, kept.isNew)
                }
                let server = opened.log.applier.origin?.server
                return (NIOLoopBoundBox(opened.log, eventLoop: loop), opened.simulation, opened.isNew, server)
            }.get()
            let order = Order(opened.0, on: thread, server: opened.3, logger: logger)
            try await order.begin()
            return (order, opened.1, opened.2)
        } catch {
            var teardown = Teardown()
            await teardown.run { try await thread.shutdownGracefully() }
            throw error
        }
    }

    // MARK: Taking in

    /// Takes a push in, whose path is told what came of it; returns why it can't be taken, if it can't.
    ///
    /// - Parameter revision: The changes of keys and clocks in a cluster that the loop knew of when it was judged.
    func submit(
        _ push: IncomingPush, judged revision: UInt64, for path: some OrderedPath, on loop: any EventLoop,
        taken: NIODeadline = .now()
    ) -> Unavailable? {
        submit(
            Waiting(
                change: .push(push, judged: revision),
                asker: .push(NIOLoopBound<any OrderedPath>(path, eventLoop: loop), loop, at: taken)))
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

    /// Takes in what a server says of itself.
    func note(_ change: OrderedChange) { _ = submit(Waiting(change: change, asker: .none)) }

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

    /// In a cluster, waits until all is applied that any server had answered before.
    /// - Throws: ``InputError`` while that can't be known.
    func catchUp() async throws(InputError) {
        guard server != nil else { return }
        try checkAvailable()
        guard await look(isLast: false, catchesUp: true) != nil else { return }
        try checkAvailable()
    }

    private func checkAvailable() throws(InputError) {
        if let refusal = queue.withLock({ $0.refusal }) { throw refusal.inputError }
    }

    private func look(isLast: Bool, catchesUp: Bool = false) async -> DeviceTime? {
        await withCheckedContinuation { continuation in
            let isScheduled = queue.withLock { queue -> Bool? in
                guard !queue.isEnded else { return nil }
                if isLast { queue.end() }
                queue.readers.append(Reader(catchesUp: catchesUp) { continuation.resume(returning: $0) })
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

    /// Why changes can't be made at present, or the server is otherwise not ready; `nil` if it is.
    var problem: String? { queue.withLock { $0.refusal?.problem ?? $0.warning } }

    /// Says whose the log is, to another process that wants it.
    func setOwner(_ owner: String) async throws { try await ask { try $0.setOwner(owner) } }

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
        let log = log.value
        let batch = log.applier.batch(of: taken.waiting.lazy.map { $0.change }, look: taken.look, at: log.now)
        guard let batch else { return finish(taken, []) }
        progress.value.inFlight = taken
        log.append(batch)
    }

    func receive(_ event: OrderEvent) {
        switch event {
        case .batch(let batch): apply(batch)
        case .refused(let problem):
            guard let taken = progress.value.inFlight else { return }
            progress.value.inFlight = nil
            if problem.code == .tooLarge {
                refuse(taken, Unavailable(problem: problem.problem))
            } else {
                queue.withLock { $0.putBack(taken) }
                refuse(taken, unavailable(problem))
            }
            if !progress.value.isAway { finish(Taken(waiting: []), []) }
        case .away(let problem): noteAway(problem)
        case .back:
            progress.value.isAway = false
            queue.withLock { $0.accept() }
            logger.notice("\(log.value.words.back)")
            if progress.value.inFlight == nil { finish(Taken(waiting: []), []) }
        case .lost(let problem): endProcess(because: problem)
        }
    }

    private func apply(_ batch: LoggedBatch) {
        let log = log.value
        let applied: OrderApplier.Applied
        do throws(CodingProblem) {
            applied = try log.applier.apply(batch)
        } catch {
            guard server != nil else { preconditionFailure("a batch can't be read that was just written: \(error)") }
            return endProcess(because: LogProblem(.different, file: "the cluster", error.description))
        }
        if server != nil { tell(of: applied) }
        if applied.origin == nil || applied.origin == log.applier.origin, let taken = progress.value.inFlight {
            progress.value.inFlight = nil
            if let results = applied.results {
                finish(taken, results)
            } else {
                refuse(taken, Unavailable(problem: "the other servers of the cluster had given this one up"))
                finish(Taken(waiting: []), [])
            }
        }
        log.noteApplied(batch)
        if server != nil { checkLife() }
    }

    private func finish(_ taken: Taken, _ results: [OrderApplier.Result]) {
        var replies = Replies()
        for (waiting, result) in zip(taken.waiting, results) { answer(waiting, result, &replies) }
        replies.send()
        let time = log.value.applier.time
        for reader in taken.readers { reader.report(time) }
        let warning = log.value.warning
        let goesOn = queue.withLock { queue in
            queue.warning = warning
            queue.isScheduled = !queue.isEmpty
            return queue.isScheduled
        }
        if goesOn { loop.execute { self.flush() } }
    }

    private func answer(_ waiting: Waiting, _ result: OrderApplier.Result, _ replies: inout Replies) {
        switch (waiting.asker, result) {
        case (.push(_, let loop, _), .push), (.push(_, let loop, _), .stale), (.release(_, _, let loop), .released):
            replies.add(waiting, .result(result), on: loop)
        case (.call(let report), .command(let result)): report(.done(result))
        case (.none, .numbers(let numbers)): add(numbers)
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
        let time = log.value.applier.time
        for reader in taken.readers { reader.report(time) }
    }

    // MARK: A log that fails

    private func unavailable(_ problem: LogProblem) -> Unavailable {
        Unavailable(problem: "\(log.value.words.refused): \(problem)")
    }

    private func noteAway(_ problem: LogProblem) {
        if !progress.value.isAway { logger.error("\(log.value.words.away): \(problem)") }
        progress.value.isAway = true
        let refusal = unavailable(problem)
        let rest = queue.withLock { queue in
            queue.refuse(refusal)
            defer { waitingBytes.store(queue.byteCount, ordering: .relaxed) }
            return queue.takeRefused()
        }
        refuse(rest, refusal)
    }

    // MARK: End

    /// Applies what waits, refuses what comes later, and ends the log.
    func end() async throws {
        guard await look(isLast: true) != nil else { return }
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
        try teardown.finish()
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
            case (.push(let path, _, let taken), .push(let push, _), .result(.push(let result, let closes))):
                path.value.applied(push, result, closes, taken: taken)
                return path.value
            case (.push(let path, _, let taken), .push(let push, _), .result(.stale)):
                path.value.judgeAgain(push, taken: taken)
                return path.value
            case (.push(let path, _, _), .push(let push, _), .refused(let refusal)):
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
