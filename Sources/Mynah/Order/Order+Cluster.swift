internal import APNsRules
internal import Logging
internal import MynahCore
internal import MynahStore
internal import NIOCore

/// The calls by which the order's thread tells a server of its cluster; a struct, because a closure in generic storage is
/// wrapped at each access.
struct ClusterHooks: Sendable {
    /// Gives the loops the clocks, and the changes of keys and clocks by which connections judge from now on.
    let publish: @Sendable (_ revision: UInt64) -> Void
    /// Changes the list of the connections of the other servers.
    let change: @Sendable ([ClusterMembers.ConnectionChange]) -> Void
    /// Ends a connection, if this server has it.
    let end: @Sendable (EndConnections) -> Void
    /// Ends all connections.
    let endAll: @Sendable () -> Void
    /// Forgets the connections that have closed and the handshakes that have failed.
    let forgetEnded: @Sendable () -> Void
    /// Takes numbers for connections.
    let add: @Sendable (ClosedRange<UInt64>) -> Void
    /// Says that this server has given the run up.
    let giveUp: @Sendable () -> Void
}

/// What the order's thread knows of a cluster.
struct ClusterProgress {
    var hooks: ClusterHooks?
    // What the server was told.
    fileprivate var revision: UInt64 = 0
    // Numbers from before the server could be told.
    fileprivate var numbers: [ClosedRange<UInt64>] = []
    fileprivate var joining: EventLoopPromise<Void>?
    // Of a server that joins.
    fileprivate var reading = ReadingProgress(of: "the cluster's log")
}

/// A server's part in its cluster: it joins, writes that it is alive, and carries out what other servers ask for.
///
/// How changes of several servers get into one order, also while the engine is away, is in `ClusterLog`.
extension Order {
    /// How often a server writes that it is alive.
    static let alivePause: Duration = .seconds(2)

    /// Begins to follow the log.
    ///
    /// In a cluster, returns once this server's first batch has come back, and so everything before it is applied.
    func begin() async throws {
        try await loop.flatSubmit { [self] in
            log.value.follow(self)
            guard server != nil else { return loop.makeSucceededVoidFuture() }
            let joined = loop.makePromise(of: Void.self)
            progress.value.cluster.joining = joined
            note(.takeNumbers)
            return joined.futureResult
        }.get()
    }

    /// Begins to tell the server of its cluster, and to write that it is alive.
    func attach(_ hooks: ClusterHooks) async throws {
        try await loop.submit { [self] in
            progress.value.cluster.hooks = hooks
            for block in progress.value.cluster.numbers { hooks.add(block) }
            progress.value.cluster.numbers = []
            hooks.publish(log.value.applier.members.revision)
            hooks.change(log.value.applier.members.connections.filter { $0.server != server })
            _ = loop.scheduleRepeatedTask(
                initialDelay: TimeAmount(Order.alivePause), delay: TimeAmount(Order.alivePause)
            ) { [self] _ in if !progress.value.isAway { note(.alive) } }
        }.get()
    }

    func add(_ numbers: ClosedRange<UInt64>) {
        if let hooks = progress.value.cluster.hooks {
            hooks.add(numbers)
        } else {
            progress.value.cluster.numbers.append(numbers)
        }
    }

    /// Tells the server what a batch has changed, before its calls and pushes are answered.
    func tell(of applied: OrderApplier.Applied) {
        let members = log.value.applier.members
        if progress.value.cluster.joining != nil,
            let line = progress.value.cluster.reading.line(
                after: log.value.applier.position, of: log.value.lastPosition)
        {
            logger.notice("\(line)")
        }
        if applied.origin == log.value.applier.origin, let joining = progress.value.cluster.joining {
            progress.value.cluster.joining = nil
            joining.succeed()
        }
        guard let hooks = progress.value.cluster.hooks else { return }
        if members.revision != progress.value.cluster.revision {
            progress.value.cluster.revision = members.revision
            hooks.publish(members.revision)
        }
        // Not the whole list: each new connection would cost the other servers time for all open ones.
        let changes = applied.effects.connections.filter { $0.server != server }
        if !changes.isEmpty { hooks.change(changes) }
        for end in applied.effects.ends { hooks.end(end) }
        if applied.effects.forgetsConnections { hooks.forgetEnded() }
    }

    /// Begins a new life if the other servers have given this one up, once no batch of the last life is on its way.
    func checkLife() {
        let applier = log.value.applier
        guard progress.value.cluster.joining == nil, progress.value.inFlight == nil, let origin = applier.origin,
            origin.number > 0
        else { return }
        guard let member = applier.members[origin.server], member.life == origin.life else {
            return giveUp(
                because: LogProblem(
                    .different, file: "the cluster", "another server is called \(origin.server)",
                    remedy: "Give each server a name of its own (--cluster-server)"))
        }
        guard !member.isAlive else { return }
        logger.warning("the other servers had given this one up, because it was silent: its connections end")
        progress.value.cluster.hooks?.endAll()
        let life = max(UInt64(WallClock.now().milliseconds), origin.life + 1)
        applier.origin = BatchOrigin(server: origin.server, life: life, number: 0)
        // Those that the last life asked for may have gone with it.
        note(.takeNumbers)
    }

    /// Gives the run up: nothing more is applied, answered or written.
    ///
    /// Nothing is lost by it: all that this server has answered is in the log, and another start joins the cluster again.
    func giveUp(because problem: LogProblem) {
        if let joining = progress.value.cluster.joining {
            progress.value.cluster.joining = nil
            return joining.fail(problem)
        }
        guard !progress.value.isLost else { return }
        logger.critical("the server has to be started again, and then joins the cluster: \(problem)")
        refuseAll(because: problem)
        progress.value.cluster.hooks?.giveUp()
    }
}
