internal import APNsRules
internal import Logging
internal import MynahCore
internal import MynahStore
internal import NIOCore

/// A server's part in its cluster: it joins, writes that it is alive, and carries out what other servers ask for.
///
/// How changes of several servers get into one order, also while the engine is away, is in `ClusterLog.swift`.
extension ClusterLog {
    /// How often a server writes to the log that it is alive.
    static let alivePause: Duration = .seconds(2)

    /// What the server is told, and what it was told last.
    struct Presence {
        fileprivate var hooks: ClusterHooks?
        fileprivate var supply: NumberBlocks?
        fileprivate var revision: UInt64 = 0
        // Numbers from before the server could be told.
        fileprivate var numbers: [ClosedRange<UInt64>] = []
        fileprivate var joining: EventLoopPromise<Void>?
        // Of a server that joins.
        fileprivate var reading = ReadingProgress(of: "the cluster's log")
    }

    /// Writes the first batch of this server; complete once it has come back, and so everything before it is applied.
    func join(_ order: Order) -> EventLoopFuture<Void> {
        let joined = loop.makePromise(of: Void.self)
        presence.joining = joined
        order.record(ClusterChange.takeNumbers.ordered)
        return joined.futureResult
    }

    func attach(_ hooks: ClusterHooks, _ supply: NumberBlocks) {
        presence.hooks = hooks
        presence.supply = supply
        for block in presence.numbers { supply.add(block) }
        presence.numbers = []
        hooks.publish(cluster.members.revision)
        hooks.change(cluster.members.connections.filter { $0.server != cluster.origin.server })
        let log = NIOLoopBound(self, eventLoop: loop)
        let pause = TimeAmount(ClusterLog.alivePause)
        _ = loop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
            guard let order = log.value.order, !order.progress.value.isAway else { return }
            order.record(ClusterChange.alive.ordered)
        }
    }

    func add(_ numbers: ClosedRange<UInt64>) {
        if let supply = presence.supply { supply.add(numbers) } else { presence.numbers.append(numbers) }
    }

    func fail(toRead batch: LoggedBatch, _ problem: CodingProblem) {
        giveUp(because: LogProblem(.different, file: "the cluster", problem.description))
    }

    /// Tells the server what a batch has changed, before its calls and pushes are answered.
    func carryOut(_ applied: OrderApplier.Applied, of batch: LoggedBatch) -> Bool {
        let effects = cluster.effects
        if effects.isForeign {
            logger.warning("message \(batch.position) of the cluster's stream is no batch of Mynah's, and is ignored")
        }
        if let beginner = effects.beginner {
            giveUp(
                because: LogProblem(
                    .different, file: "the cluster",
                    "\(beginner) has begun it anew, with other settings or another version of Mynah"))
            return false
        }
        if presence.joining != nil, let line = presence.reading.line(after: applier.position, of: lastPosition) {
            logger.notice("\(line)")
        }
        if applied.isAwaited, let joining = presence.joining {
            presence.joining = nil
            joining.succeed()
        }
        guard let hooks = presence.hooks else { return true }
        if cluster.revision != presence.revision {
            presence.revision = cluster.revision
            hooks.publish(cluster.revision)
        }
        // Not the whole list: each new connection would cost the other servers time for all open ones.
        let changes = effects.connections.filter { $0.server != cluster.origin.server }
        if !changes.isEmpty { hooks.change(changes) }
        for end in effects.ends { hooks.end(end) }
        if effects.forgetsConnections { hooks.forgetEnded() }
        return true
    }

    func recordApplied(_ batch: LoggedBatch) {
        snapshots.writeIfDue(after: batch, of: self)
        checkLife()
    }

    /// Begins a new life if the other servers have given this one up, once no batch of the last life is on its way.
    private func checkLife() {
        guard let order, presence.joining == nil, order.progress.value.inFlight == nil, cluster.origin.number > 0 else {
            return
        }
        let origin = cluster.origin
        guard let member = cluster.members[origin.server], member.life == origin.life else {
            return giveUp(
                because: LogProblem(
                    .different, file: "the cluster", "another server is called \(origin.server)",
                    remedy: "Give each server a name of its own (--cluster-server)"))
        }
        guard !member.isAlive else { return }
        logger.warning("the other servers had given this one up, because it was silent: its connections end")
        presence.hooks?.endAll()
        let life = max(UInt64(WallClock.now().milliseconds), origin.life + 1)
        cluster.origin = BatchOrigin(server: origin.server, life: life, number: 0)
        // Numbers that the last life asked for may be lost.
        order.record(ClusterChange.takeNumbers.ordered)
    }

    /// Gives the run up: nothing more is applied, answered or written.
    ///
    /// Nothing is lost by it: all that this server has answered is in the log, and another start joins the cluster again.
    func giveUp(because problem: LogProblem) {
        if let joining = presence.joining {
            presence.joining = nil
            return joining.fail(problem)
        }
        guard let order, !order.progress.value.isLost else { return }
        logger.critical("the server has to be started again, and then joins the cluster: \(problem)")
        order.refuseAll(because: problem)
        presence.hooks?.giveUp()
    }
}
