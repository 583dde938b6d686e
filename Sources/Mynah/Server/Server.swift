package import APNsRules
package import Logging
package import MynahCore
package import MynahTrust
internal import MynahWire
internal import NIOCore
internal import NIOPosix

/// A running Mynah: APNs on localhost, until ``shutDown()``; several in one process share nothing.
package final class Server: Sendable {
    let simulation: Simulation
    let loops: LoopStates
    let connectionTable: ConnectionTable
    let certificates: CertificateRegister
    let bound: BoundPorts
    package let trust: TrustMaterial
    package let startedAt = WallClock.now()
    private let group: MultiThreadedEventLoopGroup

    /// The ports that speak TLS, in the order of the settings.
    package var ports: [Int] { bound.ports }
    /// The ports of channel management, in the order of the settings.
    package var channelsPorts: [Int] { bound.channelsPorts }
    package var cleartextPort: Int? { bound.cleartextPort }
    package var proxyPort: Int? { bound.proxyPort }
    package var settings: Settings { simulation.settings }
    /// The seed of every random choice, given or drawn.
    package var seed: UInt64 { simulation.seed }
    package var journal: JournalStore { simulation.journal }
    package var events: EventLog { simulation.events }
    package var warnings: ClientWarnings { simulation.log.warnings }

    /// Starts a server; throws `TrustError` when a key or certificate can't be used, `InputError` for one of
    /// ``Settings/keys``, `ListenError` when a port can't be bound.
    package init(
        _ settings: Settings, logger: Logger, clock: ClockState = ClockState(), furtherKeys: [SigningKey] = []
    ) async throws {
        let trust = try TrustMaterial.open(
            stateDirectory: settings.stateDirectory, tlsNames: settings.tlsNames,
            authKeyFiles: settings.authKeyFiles, teamID: settings.teamID,
            providerCAFiles: settings.providerCAFiles, now: WallClock.now())
        trust.logRemarks(to: logger)
        if let directory = settings.exportDirectory { try trust.exportFolder(directory) }

        let seed = settings.seed ?? UInt64.random(in: 0...UInt64(Int64.max))
        let journal = JournalStore(
            bounds: JournalBounds(entriesMax: settings.retain, bytesMax: settings.retainBytes)
        ) { counters in
            logger.warning(
                "the journal is full: from now on each new push evicts the oldest (--retain, --retain-bytes)",
                metadata: ["entries": "\(counters.size)", "bytes": "\(counters.bytes)"])
        }
        let keyPlaces = settings.keys.indices.map { "/keys/\($0)" }
        let simulation = Simulation(
            settings: settings, seed: seed, journal: journal,
            trust: TrustStore(
                keys: try furtherKeys.reduce(trust.keyRing) { $0.adding($1) }
                    .adding(
                        try NewKey.signingKeys(settings.keys, team: trust.primaryKey.team, places: keyPlaces),
                        places: keyPlaces),
                authorities: trust.providerAuthorities,
                authentication: settings.authentication == .strict ? .strict : .structural),
            log: ConnectionLog(logger, authorityFile: trust.caFile), clock: clock)

        let group = MultiThreadedEventLoopGroup(numberOfThreads: settings.eventLoops ?? System.coreCount)
        (self.trust, self.simulation, self.group) = (trust, simulation, group)
        certificates = CertificateRegister(trust, trust: simulation.trust)
        do {
            let identity = TLSIdentity(
                chainPEM: Array(trust.serverChainPEM.utf8), hostChainPEM: Array(trust.hostChainPEM.utf8),
                keyPEM: Array(trust.serverKeyPEM.utf8), clientCAsPEM: Array(trust.providerAuthorities.pem.utf8),
                ticketKeys: try TLSTicketKeys())
            let loops = try await LoopStates(
                group, identity: identity, substitutes: SubstituteIdentities(trust),
                clocks: ClockSet(server: clock), simulation: simulation)
            simulation.begin(on: group.next())
            simulation.log.warnings.begin(on: group.next())
            let connections = ConnectionTable(events: simulation.events)
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
                        channelsPorts: bound.channelsEnvironments),
                    logger: logger, warnings: simulation.log.warnings, acceptor: acceptor)
            }
            (self.loops, connectionTable) = (loops, connections)
        } catch {
            var teardown = Teardown()
            simulation.end()
            simulation.log.warnings.end()
            await teardown.run { try await group.shutdownGracefully() }
            throw error
        }
    }

    /// Ends the server: no new connections, GOAWAY on the open ones, their streams finished for at most
    /// `--shutdown-grace`, then closed.
    public func shutDown() async throws {
        var teardown = Teardown()
        for listener in bound.channels { await teardown.run { try await listener.close() } }
        simulation.end()
        // Before GOAWAY is sent, so that no connection is accepted after it.
        await bound.proxy?.stop()
        await connectionTable.shutDown(reason: .shutdown, grace: simulation.settings.shutdownGrace)
        await bound.proxy?.end()
        simulation.log.warnings.end()
        await teardown.run { try await group.shutdownGracefully() }
        try teardown.finish()
    }
}
