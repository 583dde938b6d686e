internal import MynahCore

/// What a server does for its cluster, and what it needs of it.
extension Server {
    /// Has a server's place in the cluster tell its loops and its connections what is to be done.
    static func attach(
        _ place: ClusterPlace, loops: LoopStates, simulation: Simulation, connections: ConnectionTable,
        giveUp: @escaping @Sendable () -> Void
    ) async throws {
        let grace = simulation.settings.shutdownGrace
        try await place.attach(
            ClusterHooks(
                publish: { loops.adopt(simulation.devices.currentClocks, revision: $0) },
                change: { changes in
                    connections.list(
                        changes.map { ($0.number, $0.connection.flatMap { ConnectionView(document: $0) }) })
                },
                end: { end in
                    for connection in end.connections {
                        Task {
                            await connections.close(connection, reason: .shutdown, grace: grace, abort: end.isAborted)
                        }
                    }
                },
                endAll: { connections.abortAll() }, forgetEnded: { connections.forgetEnded() },
                giveUp: giveUp))
    }

    /// The number of the next live client.
    ///
    /// - Throws: ``InputError`` while the cluster gives none.
    func takeClientNumber() throws(InputError) -> UInt64 {
        guard let client = place.map({ $0.nextNumber() }) ?? fleet.clientNumbers.take() else {
            throw InputError(.unavailable, "the cluster gives no numbers at present")
        }
        return client
    }
}
