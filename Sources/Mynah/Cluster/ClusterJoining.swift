internal import APNsRules
internal import Logging
internal import MynahCore
internal import MynahStore
internal import MynahSystem
internal import MynahTrust

/// Brings a server into its cluster: it reads the newest snapshot, or begins the cluster.
///
/// A server that differs from what the others have in common begins the cluster anew from its state, if none of them lives.
/// It comes between ``ClusterLog/open(_:_:on:logger:make:)``, which takes the server's name, and ``Order/begin()``, which
/// follows the log.
struct ClusterJoining {
    /// For how long the log has to be silent until servers that have not stopped are taken for dead.
    private static let silence = ClusterLog.alivePause * (ClusterMembers.silenceMax + 1)
    private static let checkPauseMilliseconds: Int32 = 250

    private let settings: Settings
    private let identity: ClusterIdentity
    private let jetStream: JetStream
    private let names: ClusterNames
    private let logger: Logger
    private let make: (Choices, ClockState?) -> Simulation
    private var common: ClusterIdentity.Common
    private(set) var simulation: Simulation
    /// The applier, which has applied the log up to its position.
    private(set) var applier: OrderApplier
    let cluster: ClusterOrder

    /// - Parameter make: Makes a simulation in which nothing has happened, with the clock of the cluster's beginning.
    init(
        _ settings: Settings, _ identity: ClusterIdentity, _ jetStream: JetStream, _ names: ClusterNames,
        server: String, logger: Logger, make: @escaping (Choices, ClockState?) -> Simulation
    ) throws(LogProblem) {
        self.settings = settings
        self.identity = identity
        self.jetStream = jetStream
        self.names = names
        self.logger = logger
        self.make = make
        let end = try ClusterSnapshots.newest(in: jetStream, names)?.end
        var origin = BatchOrigin(server: server, life: UInt64(WallClock.now().milliseconds), number: 0)
        let document: [UInt8]
        if let end {
            let last = try jetStream.state(of: names.logStream).lastSequence
            guard last >= end.position else {
                throw LogProblem(
                    .different, file: names.title,
                    "its log ends with batch \(last): expected at least \(end.position), that of its newest snapshot",
                    remedy: "Remove the streams \(names.logStream) and \(names.snapshotStream), and begin anew")
            }
            document = try ClusterSnapshots.identity(end, in: jetStream, names) ?? []
        } else {
            if try jetStream.state(of: names.logStream).lastSequence == 0 {
                let first = origin.next
                var writer = BatchWriter()
                writer.add(ClusterChange.begin(identity.document(Choices(settings)).encoded).ordered)
                let batch = writer.finish(digest: OrderState().digest, first.source(after: 0))
                if try jetStream.append(batch, to: names.logSubject, after: 0) { origin = first }
            }
            document = try ClusterJoining.document(in: jetStream, names)
        }
        common = try identity.common(in: document, for: settings, of: names.title)
        let simulation = make(common.choices, common.clock)
        self.simulation = simulation
        applier = OrderApplier(simulation, lastTime: end?.time ?? Instant(milliseconds: 0))
        let read = try end.map { end throws(LogProblem) in
            try ClusterSnapshots.state(end, in: jetStream, names, for: simulation)
        }
        cluster = ClusterOrder(origin, members: read?.members ?? ClusterMembers())
        applier.sharing = cluster
        if let end, let read { applier.restore(read.state, at: end.position) }
    }

    private func differences(whose: String) -> [String] {
        identity.differences(settings, from: common, whose: whose)
    }

    private var isSame: Bool { differences(whose: "").isEmpty }

    /// Begins the cluster anew if this server differs from it and no other one lives.
    ///
    /// - Throws: ``LogProblem`` which names what differs, if another server lives.
    mutating func enter() throws(LogProblem) {
        guard !isSame else { return }
        // The cluster's log may have been begun anew since the snapshot.
        try replay()
        while !isSame {
            guard try isAlone() else {
                let differences = differences(whose: "theirs")
                // In the meantime another server has begun the log anew, as this one would have.
                guard !differences.isEmpty else { return }
                throw LogProblem(
                    .different, file: names.title,
                    "this server differs from the others in \(differences.joined(separator: ", "))",
                    remedy: "Give all servers the same settings and files, or stop the others first")
            }
            if try beginAnew() { return }
            try replay()
        }
    }

    /// Applies what the log has after the position, by the rules of this version; with the settings that each beginning
    /// brings.
    private mutating func replay() throws(LogProblem) {
        let last = try jetStream.state(of: names.logStream).lastSequence
        var progress = ReadingProgress(of: "the cluster's log")
        while applier.position < last {
            if let line = progress.line(after: applier.position, of: last) { logger.notice("\(line)") }
            let batch = try jetStream.batch(applier.position + 1, names)
            do throws(CodingProblem) {
                if !common.hasSameRules { cluster.forgetDigests() }
                _ = try applier.applyBatch(batch)
                guard cluster.effects.beginner != nil else { continue }
            } catch {
                throw unreadable(error)
            }
            common = try identity.common(in: cluster.members.identity, for: settings, of: names.title)
            simulation = make(common.choices, common.clock)
            do throws(CodingProblem) {
                applier = try applier.continued(in: simulation)
            } catch {
                throw unreadable(error)
            }
        }
    }

    private func unreadable(_ error: CodingProblem) -> LogProblem {
        LogProblem(
            .different, file: names.title, "its log can't be read: \(error)",
            remedy: "Start the version of Mynah that wrote it, and stop that: the state is then in a snapshot")
    }

    /// Whether no server lives: each has stopped, or nothing comes to the log for as long as one may be silent.
    private mutating func isAlone() throws(LogProblem) -> Bool {
        let deadline = ContinuousClock.now + ClusterJoining.silence
        let position = applier.position
        while !cluster.members.living.isEmpty {
            guard applier.position == position else { return false }
            guard ContinuousClock.now < deadline else { return true }
            // A start has nothing else to do.
            poll(nil, 0, ClusterJoining.checkPauseMilliseconds)
            try replay()
        }
        return true
    }

    /// Begins the cluster anew behind the last batch that was applied; returns `false` if another batch came before.
    private mutating func beginAnew() throws(LogProblem) -> Bool {
        let differences = differences(whose: "before").joined(separator: ", ")
        let choices = Choices(seed: common.choices.seed, settings: settings)
        var writer = BatchWriter()
        writer.add(ClusterChange.begin(identity.document(choices).encoded).ordered)
        do throws(InputError) {
            writer.add(try OrderedChange(StartKeys(keys: identity.keys.map(\.publicHalf))))
        } catch {
            preconditionFailure("keys can't be written: \(error)")
        }
        let origin = cluster.origin.next
        let batch = writer.finish(digest: applier.digest, origin.source(after: applier.position))
        guard try jetStream.append(batch, to: names.logSubject, after: applier.position) else { return false }
        logger.notice("the cluster goes on with what differs from before: \(differences)")
        cluster.origin = origin
        try replay()
        do {
            _ = try ClusterSnapshots.Copy(of: applier, cluster).write(to: jetStream, names)
        } catch {
            ClusterSnapshots.warn(error, logger)
        }
        return true
    }

    /// What the first batch of the log says.
    private static func document(in jetStream: JetStream, _ names: ClusterNames) throws(LogProblem) -> [UInt8] {
        guard let message = try jetStream.message(1, of: names.logStream) else {
            throw LogProblem(
                .unsuitable, file: names.title, "its log has lost its beginning, and has no snapshot",
                remedy: "Remove the streams \(names.logStream) and \(names.snapshotStream), and begin anew")
        }
        do throws(CodingProblem) {
            var reader = try BatchReader(message.bytes)
            let context = PushCodingContext(
                credentials: [], settings: RuleSettings(), seed: 0, wall: Instant(milliseconds: 0),
                now: Instant(milliseconds: 0))
            if case .ofLog(let change)? = try reader.next(in: { _ in context }),
                case .begin(let document) = try ClusterChange(change)
            {
                return document
            }
            throw CodingProblem("its first batch is of another kind")
        } catch {
            throw LogProblem(.unsuitable, file: names.title, "its log can't be read: \(error)")
        }
    }
}

extension JetStream {
    /// A batch of a cluster's log.
    func batch(_ position: UInt64, _ names: ClusterNames) throws(LogProblem) -> LoggedBatch {
        guard let message = try message(position, of: names.logStream) else {
            throw LogProblem(.trimmed, file: names.title, "batch \(position) is no longer kept")
        }
        return LoggedBatch(
            position: position, time: message.time, rules: OrderApplier.rulesVersion, bytes: message.bytes)
    }
}
