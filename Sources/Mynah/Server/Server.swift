package import APNsRules
package import Logging
package import MynahCore
package import MynahTrust
internal import MynahWire
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// A running Mynah: APNs on localhost, until ``shutDown()``; several in one process share nothing.
package final class Server: Sendable {
    let simulation: Simulation
    let loops: LoopStates
    /// The order of all changes, if the run is kept.
    let order: Order?
    /// Whether the order has a log that not only this server writes to.
    var isShared: Bool { order?.isShared ?? false }
    private let ended = Atomic(false)
    /// Whether streams of events and of devices end, because nothing comes any more.
    package var isEnded: Bool { ended.load(ordering: .relaxed) }
    /// The recorded run that this server shows, and then nothing changes; `nil` for a server that runs.
    package let recorded: RecordedView?
    let connectionTable: ConnectionTable
    /// The server's place in its cluster; `nil` without one.
    let place: ClusterPlace?
    let certificates: CertificateRegister
    let bound: BoundPorts
    package let trust: TrustMaterial
    package let startedAt = WallClock.now()
    private let group: MultiThreadedEventLoopGroup
    private let clockWatch = ClockWatch()
    let giveUpListener = GiveUpListener()
    /// Whether the run of the data folder began with an earlier server.
    package let continuesRun: Bool

    /// The ports that speak TLS, in the order of the settings.
    package var ports: [Int] { bound.ports }
    /// The ports of channel management, in the order of the settings.
    package var channelsPorts: [Int] { bound.channelsPorts }
    package var webPushPort: Int? { bound.webPushPort }
    package var cleartextPort: Int? { bound.cleartextPort }
    package var proxyPort: Int? { bound.proxyPort }
    /// `--host`, or for `localhost` the address that was bound: 127.0.0.1, or ::1 on a machine without that.
    package var boundHost: String {
        guard settings.host == "localhost" else { return settings.host }
        return bound.channels.first?.localAddress?.ipAddress ?? settings.host
    }
    package var settings: Settings { simulation.settings }
    /// The seed of every random choice, given or drawn.
    package var seed: UInt64 { simulation.seed }
    package var journal: JournalStore { simulation.journal }
    package var events: EventLog { simulation.events }
    package var warnings: ClientWarnings { simulation.log.warnings }

    /// Starts a server; throws `TrustError` when a key or certificate can't be used, `InputError` for one of
    /// ``Settings/keys``, `ListenError` when a port can't be bound, `LogProblem` when the data folder can't be used.
    package convenience init(
        _ settings: Settings, logger: Logger, clock: ClockState = ClockState(), furtherKeys: [SigningKey] = []
    ) async throws {
        let trust = try TrustMaterial.open(
            stateDirectory: settings.stateDirectory, tlsNames: settings.tlsNames,
            authKeyFiles: settings.authKeyFiles, teamID: settings.teamID,
            providerCAFiles: settings.providerCAFiles, now: WallClock.now())
        trust.logRemarks(to: logger)
        if let directory = settings.exportDirectory { try trust.exportFolder(directory) }

        let keyPlaces = settings.keys.indices.map { "/keys/\($0)" }
        var given = furtherKeys.reduce(trust.keyRing) { $0.adding($1) }
        try given.add(
            try NewKey.signingKeys(settings.keys, team: trust.primaryKey.team, places: keyPlaces), places: keyPlaces)
        let keys = given
        let make = { @Sendable (choices: Choices, runClock: ClockState?) in
            let settings = choices.settings
            let journal = JournalStore(bounds: JournalBounds(settings)) { counters in
                logger.warning(
                    "the journal is full: from now on each new push evicts the oldest (--retain, --retain-bytes)",
                    metadata: ["entries": "\(counters.size)", "bytes": "\(counters.bytes)"])
            }
            return Simulation(
                settings: settings, seed: choices.seed, journal: journal,
                trust: TrustStore(
                    keys: keys, authorities: trust.providerAuthorities,
                    authentication: settings.authentication == .strict ? .strict : .structural),
                log: ConnectionLog(logger, authorityFile: trust.caFile), clock: runClock ?? clock)
        }
        let opened = try await Order.open(
            settings, authority: trust.caPEM, keys: keys.keys, clock: clock, logger: logger, make: make)
        try await self.init(
            opened?.simulation ?? make(Choices(settings), nil), trust, order: opened?.order, place: opened?.place,
            logger: logger)
    }

    init(
        _ simulation: Simulation, _ trust: TrustMaterial, order: Order?, place: ClusterPlace? = nil,
        recorded: RecordedView? = nil, logger: Logger
    ) async throws {
        let settings = simulation.settings
        self.recorded = recorded
        let group = MultiThreadedEventLoopGroup(numberOfThreads: settings.eventLoops ?? System.coreCount)
        self.trust = trust
        self.simulation = simulation
        self.order = order
        self.place = place
        self.group = group
        let isShared = order?.isShared ?? false
        certificates = CertificateRegister(trust, trust: simulation.trust, isNoted: isShared)
        continuesRun = order != nil && !isShared && simulation.isLoaded
        do {
            // Some clients keep a certificate back that none of the listed CAs has signed.
            let clientCAs = settings.authentication == .strict ? Array(trust.providerAuthorities.pem.utf8) : []
            let identity = TLSIdentity(
                chainPEM: Array(trust.serverChainPEM.utf8), hostChainPEM: Array(trust.hostChainPEM.utf8),
                keyPEM: Array(trust.serverKeyPEM.utf8), clientCAsPEM: clientCAs,
                ticketKeys: try TLSTicketKeys())
            let loops = try await LoopStates(
                group, identity: identity, substitutes: SubstituteIdentities(trust, clientCAsPEM: clientCAs),
                clocks: simulation.devices.currentClocks, simulation: simulation, order: order)
            if let order {
                simulation.begin(on: group.next()) { _ = await order.waitUntilApplied() }
            } else if recorded == nil {
                simulation.begin(on: group.next())
            }
            simulation.log.warnings.begin(on: group.next())
            // A shared order has the clock of its log, and a recorded run none.
            if recorded == nil, !isShared { clockWatch.begin(on: group.next(), logger: logger) }
            let connections = ConnectionTable(
                lastNumber: simulation.connectionNumbers.highest, sharing: place
            ) { event in
                if let order { order.record(event) } else { simulation.perform(event) }
            }
            if let place {
                try await Server.attach(
                    place, loops: loops, simulation: simulation, connections: connections,
                    giveUp: { [giveUpListener] in giveUpListener.giveUp() })
            }
            let gate = ConnectionGate(settings.reconnectLimit, warnings: simulation.log.warnings)
            let acceptor: @Sendable (Acceptor.Binding) -> Acceptor = { binding in
                Acceptor(simulation: simulation, loops: loops, connections: connections, gate: gate, binding: binding)
            }
            bound = try await BoundPorts.bind(
                settings, group: group, logger: logger, warnings: simulation.log.warnings, acceptor: acceptor
            ) { bound in
                Proxy(
                    names: ProxyNames(
                        apple: ServerNames.apple, own: trust.serverNames, ports: bound.environments,
                        channelsPorts: bound.channelsEnvironments, webPushPort: bound.webPushPort),
                    handshakeTimeout: settings.handshakeTimeout, logger: logger, warnings: simulation.log.warnings,
                    acceptor: acceptor)
            }
            if let port = bound.webPushPort {
                simulation.webPushAddress.bound(host: settings.webPushHost ?? settings.host, port: port)
            }
            self.loops = loops
            connectionTable = connections
        } catch {
            var teardown = Teardown()
            simulation.end()
            clockWatch.end()
            simulation.log.warnings.end()
            await teardown.run { try await order?.end() }
            await teardown.run { try await group.shutdownGracefully() }
            throw error
        }
    }

    /// Ends the streams of events and of devices, for which nothing comes any more; all else can still be read.
    func endStreams() {
        ended.store(true, ordering: .relaxed)
        simulation.journal.wakeWaitersAtEnd()
        simulation.devices.watchers.endAll()
    }

    /// Ends the server: no new connections, GOAWAY on the open ones, their streams finished for at most
    /// `--shutdown-grace`, then closed.
    public func shutDown() async throws {
        endStreams()
        var teardown = Teardown()
        for listener in bound.channels { await teardown.run { try await listener.close() } }
        simulation.end()
        clockWatch.end()
        // Before GOAWAY is sent, so that no connection is accepted after it.
        await bound.proxy?.stop()
        await connectionTable.shutDown(reason: .shutdown, grace: simulation.settings.shutdownGrace)
        await bound.proxy?.end()
        simulation.log.warnings.end()
        // Before the loops shut down, which its answers go to.
        await teardown.run { try await order?.end() }
        loops.end()
        await teardown.run { try await group.shutdownGracefully() }
        try teardown.finish()
    }
}

extension JournalBounds {
    init(_ settings: Settings) { self.init(entriesMax: settings.retain, bytesMax: settings.retainBytes) }
}
