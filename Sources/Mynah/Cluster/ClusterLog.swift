internal import APNsRules
internal import Logging
internal import MynahCore
internal import MynahStore
internal import MynahTrust
internal import NIOCore
internal import NIOPosix

/// A stream of JetStream as the log of an order that several servers share: a batch is in the order once the stream
/// delivers it.
///
/// Belongs to the order's thread and never blocks it: messages arrive on the library's threads, and requests are sent
/// on threads of a pool.
final class ClusterLog: OrderLog {
    /// How long to wait for a batch before it is sent again; one that arrives twice is applied once.
    private static let resendPause: Duration = .milliseconds(500)
    /// How long to wait for a batch before further changes are refused.
    private static let awayPause: Duration = .seconds(2)
    /// The heartbeat of a consumer without messages, and the silence after which another consumer takes its place.
    private static let heartbeatMilliseconds: Int64 = 500
    private static let consumerSilenceMax: Duration = .milliseconds(2500)
    private static let checkPause = TimeAmount.milliseconds(100)
    /// Checks that are so far apart were held up by something else.
    private static let pauseMin: Duration = .seconds(1)
    /// How many batches a server that stops reads to find out whether it is the last one: more come from others.
    private static let lastBatchesMax: UInt64 = 256
    /// The largest difference between this server's clock and the engine's with which the server is ready.
    private static let skewMax: Duration = .seconds(2)

    let applier: OrderApplier
    let cluster: ClusterOrder
    let names: ClusterNames
    let jetStream: JetStream
    let loop: any EventLoop
    let logger: Logger
    let snapshotBytesMin: Int
    let lastPosition: UInt64
    var snapshots = ClusterSnapshots()
    private(set) var order: Order?
    var presence = Presence()

    // The batch that was sent to the engine and has not come back from it yet.
    private struct Sent {
        let bytes: [UInt8]
        let wall: Instant
        let since: ContinuousClock.Instant
        var again: ContinuousClock.Instant
        var problem = "NATS doesn't answer, or this server doesn't keep up with it"
        var isStored = false
    }
    private var sent: Sent?
    private var isAway = false
    private(set) var warning: String?

    // The position of the last batch that was received, and the consumer that delivers the next ones.
    private var position: UInt64
    // The engine's time when it was last told, and the monotonic time of that moment.
    private var clock: (time: Instant, since: ContinuousClock.Instant)
    private struct Consumer {
        var number: UInt64
        var subscription: NATSSubscription?
        var name: String?
        var ordinal: UInt64 = 0
        var heard = ContinuousClock.now
        /// Why the last one could not be started, if only a person can change it.
        var problem: String?
    }
    private var consumer = Consumer(number: 0)
    /// When a message or a heartbeat last arrived from any consumer; ``Consumer/heard`` also says when to begin another one.
    private var heard = ContinuousClock.now
    private var lastCheck = ContinuousClock.now
    private var answers: (inbox: String, subscription: NATSSubscription)?
    private var check: RepeatedTask?
    /// The subscription that answers another server which wants to use this server's name.
    var name: NATSSubscription?

    init(
        _ applier: OrderApplier, _ cluster: ClusterOrder, _ names: ClusterNames, _ jetStream: JetStream,
        on loop: any EventLoop,
        logger: Logger, snapshotBytesMin: Int, lastPosition: UInt64
    ) {
        self.applier = applier
        self.cluster = cluster
        self.names = names
        self.jetStream = jetStream
        self.loop = loop
        self.logger = logger
        self.snapshotBytesMin = snapshotBytesMin
        self.lastPosition = lastPosition
        position = applier.position
        clock = (applier.lastTime, .now)
    }

    var words: OrderLogWords {
        OrderLogWords(
            refused: "the cluster can't be reached", away: "pushes and changes are refused until NATS takes them again",
            back: "NATS takes changes again", ignored: "the other servers of the cluster had given this one up")
    }

    func setOwner(_ owner: String) {}

    // The time of the engine: by this server's own clock, what is due would be looked for too early or too late.
    var now: Instant { clock.time.advanced(by: .now - clock.since) }

    // MARK: Sending

    func follow(_ order: Order) -> EventLoopFuture<Void> {
        self.order = order
        startConsumer()
        let log = NIOLoopBound(self, eventLoop: loop)
        check = loop.scheduleRepeatedTask(initialDelay: ClusterLog.checkPause, delay: ClusterLog.checkPause) { _ in
            log.value.checkProgress()
        }
        return join(order)
    }

    // What is written of a change besides its bytes is less than they are, or than the other half.
    var batchBytesMax: Int { min(OrderQueue.batchBytesMax, messageBytesMax / 2) }

    private var messageBytesMax: Int { jetStream.connection.messageBytesMax }

    func append(_ batch: OrderApplier.Batch) {
        guard batch.bytes.count <= messageBytesMax else {
            let problem =
                "the change has \(batch.bytes.count) bytes: expected at most \(messageBytesMax), "
                + "by max_payload of NATS"
            // Not before the order has noted that the batch is on its way.
            let log = NIOLoopBound(self, eventLoop: loop)
            return loop.execute {
                log.value.order?.logRefused(because: LogProblem(.tooLarge, file: log.value.names.title, problem))
            }
        }
        let now = ContinuousClock.now
        sent = Sent(bytes: batch.bytes, wall: WallClock.now(), since: now, again: now)
        send()
    }

    private func send() {
        guard var sent else { return }
        sent.again = .now + ClusterLog.resendPause
        do throws(LogProblem) {
            // Without an id: a batch that arrives twice is applied once, and by its id an engine may take a retry for a
            // duplicate of what it lost in an election (nats-server's pull request 6415).
            try jetStream.connection.publish(sent.bytes, to: names.logSubject, reply: try acknowledgementSubject())
        } catch {
            sent.problem = error.problem
        }
        self.sent = sent
    }

    /// The subject of the stream's acknowledgements.
    private func acknowledgementSubject() throws(LogProblem) -> String {
        if let answers { return answers.inbox }
        let inbox = try jetStream.connection.makeInbox()
        let log = NIOLoopBound(self, eventLoop: loop)
        let loop = loop
        let subscription = try jetStream.connection.subscribe(to: inbox) { message in
            loop.execute { log.value.record(Acknowledgement(message)) }
        }
        answers = (inbox, subscription)
        return inbox
    }

    // An acknowledgement doesn't name its batch: after one of an earlier batch, this one is sent again.
    private func record(_ answer: Acknowledgement?) {
        switch answer {
        case .stored?: sent?.isStored = true
        case .tooLarge(let words)?:
            sent = nil
            order?.logRefused(
                because: LogProblem(.tooLarge, file: names.title, "the change is larger than NATS takes: \(words)"))
        case .failed(let words)?: sent?.problem = "NATS says: \(words)"
        case nil:
            sent?.problem = consumer.problem ?? "no node of NATS answers for the stream \(names.logStream)"
        }
    }

    /// Sends a batch again that hasn't arrived, and replaces a silent consumer.
    private func checkProgress() {
        let now = ContinuousClock.now
        if let sent {
            // What the engine has stored comes back, however long that takes, unless the network ended in between. After a
            // pause of this thread, what has arrived meanwhile is still to be taken.
            let hasPaused = now - lastCheck >= ClusterLog.pauseMin
            let mayComeBack = sent.isStored && (hasPaused || now - heard < ClusterLog.consumerSilenceMax)
            if now - sent.since >= ClusterLog.awayPause, !mayComeBack || isAway {
                isAway = true
                order?.logFails(because: LogProblem(.unreachable, file: names.title, sent.problem))
            }
            if now >= sent.again { send() }
        }
        if now - consumer.heard >= ClusterLog.consumerSilenceMax { startConsumer() }
        lastCheck = now
    }

    // MARK: Receiving

    /// Starts a consumer at the position, in place of the one before.
    private func startConsumer() {
        let before = consumer
        consumer = Consumer(number: before.number + 1, problem: before.problem)
        let number = consumer.number
        let from = position + 1
        let log = NIOLoopBound(self, eventLoop: loop)
        let loop = loop
        let jetStream = jetStream
        let names = names
        NIOSingletons.posixBlockingThreadPool
            .runIfActive(eventLoop: loop) { () throws -> (NATSSubscription, String) in
                before.subscription?.end()
                if let name = before.name { try? jetStream.removeConsumer(name, of: names.logStream) }
                let inbox = try jetStream.connection.makeInbox()
                let subscription = try jetStream.connection.subscribe(to: inbox) { message in
                    loop.execute { log.value.receive(message, of: number) }
                }
                do {
                    let name = try jetStream.consume(
                        names.logStream, from: from, to: inbox, heartbeatMilliseconds: ClusterLog.heartbeatMilliseconds)
                    return (subscription, name)
                } catch {
                    subscription.end()
                    throw error
                }
            }
            .whenComplete { result in
                switch result {
                case .success((let subscription, let name)): log.value.useConsumer(subscription, name, of: number)
                case .failure(let error): log.value.delayNextConsumer(number, error)
                }
            }
    }

    private func useConsumer(_ subscription: NATSSubscription, _ name: String, of number: UInt64) {
        guard consumer.number == number else { return subscription.end() }
        consumer.subscription = subscription
        consumer.name = name
        consumer.problem = nil
        consumer.heard = .now
        heard = .now
    }

    private func delayNextConsumer(_ number: UInt64, _ error: any Error) {
        guard consumer.number == number else { return }
        let lost = (error as? LogProblem).flatMap { $0.code == .missing ? $0 : nil }
        consumer.problem = lost.map { "\($0.problem). \($0.remedy)" }
        consumer.heard = .now - ClusterLog.consumerSilenceMax + ClusterLog.resendPause
    }

    private func receive(_ message: NATSMessage, of number: UInt64) {
        guard consumer.number == number else { return }
        consumer.heard = .now
        heard = .now
        guard message.status == nil else {
            // All messages before this one have been handled: the engine may send more (flow control).
            if let subject = message.reply ?? message.stalled { try? jetStream.connection.publish([], to: subject) }
            return
        }
        guard let delivery = Delivery(message) else { return }
        consumer.ordinal += 1
        // A message was lost.
        guard delivery.ordinal == consumer.ordinal else { return startConsumer() }
        guard delivery.sequence > position else { return }
        guard delivery.sequence == position + 1 else {
            giveUp(
                because: LogProblem(
                    .trimmed, file: names.title,
                    "batches \(position + 1) to \(delivery.sequence - 1) were trimmed before this server read them"))
            return
        }
        position = delivery.sequence
        if delivery.time > now { clock = (delivery.time, .now) }
        let batch = LoggedBatch(
            position: delivery.sequence, time: delivery.time, rules: OrderApplier.rulesVersion, bytes: message.bytes)
        if let sent, sent.bytes == batch.bytes {
            self.sent = nil
            compareClocks(sent.wall, delivery.time)
            if isAway {
                isAway = false
                // The order waits for the batch.
                order?.logIsBack()
            }
        }
        order?.logHas(batch)
    }

    /// Compares this server's clock with the engine's, by which the time of all servers goes.
    private func compareClocks(_ sent: Instant, _ stored: Instant) {
        let now = WallClock.now()
        let skew = stored < sent ? stored.since(sent) : stored > now ? stored.since(now) : .zero
        let isFar = skew > ClusterLog.skewMax || skew < .zero - ClusterLog.skewMax
        guard isFar != (warning != nil) else { return }
        warning =
            isFar
            ? "the clock of this server is at \(now.rfc3339) and that of NATS at \(stored.rfc3339): "
                + "expected at most 2 s between them"
            : nil
        if let warning { logger.error("the server is not ready: \(warning)") }
    }

    // MARK: End

    /// Writes to the log that this server has ended, if the engine can be reached, and closes the connection.
    ///
    /// The last server of the cluster writes a snapshot before that.
    func end() -> EventLoopFuture<Void> {
        check?.cancel()
        sent = nil
        consumer.number += 1
        let batch = isAway ? nil : applier.batch(of: [ClusterChange.stopped.ordered], look: .none, at: WallClock.now())
        let jetStream = jetStream
        let names = names
        let position = position
        let logger = logger
        let log = NIOLoopBound(self, eventLoop: loop)
        let pool = NIOSingletons.posixBlockingThreadPool
        return pool.runIfActive(eventLoop: loop) { () -> [LoggedBatch] in
            // After a failure the others find out by its silence, and the next start reads more of the log.
            guard let batch, let last = try? jetStream.append(batch.bytes, to: names.logSubject),
                last > position, last - position <= ClusterLog.lastBatchesMax
            else { return [] }
            return (try? ((position + 1)...last).map { try jetStream.batch($0, names) }) ?? []
        }.flatMap { [loop] batches in
            let copy = log.value.copy(after: batches)
            return pool.runIfActive(eventLoop: loop) {
                defer { jetStream.connection.close() }
                do { _ = try copy?.write(to: jetStream, names) } catch { ClusterSnapshots.warn(error, logger) }
            }
        }
    }

    /// Applies the last batches, and copies the state if no server lives after them.
    private func copy(after batches: [LoggedBatch]) -> ClusterSnapshots.Copy? {
        guard !batches.isEmpty, (try? batches.forEach { _ = try applier.applyBatch($0) }) != nil,
            cluster.members.living.isEmpty
        else { return nil }
        return ClusterSnapshots.Copy(of: applier, cluster)
    }
}

/// The names of a cluster in the engine.
struct ClusterNames: Sendable {
    let name: String
    let engine: String

    /// For problems.
    var title: String { "the cluster \(name) at \(engine)" }
    var logStream: String { "MYNAH_\(name)" }
    var logSubject: String { "mynah.\(name).log" }
    var snapshotStream: String { "MYNAH_\(name)_SNAPSHOTS" }
    var pieceSubject: String { "mynah.\(name).snapshot.piece" }
    var endSubject: String { "mynah.\(name).snapshot.end" }
    func subject(ofServer server: String) -> String { "mynah.\(name).server.\(server)" }
}
