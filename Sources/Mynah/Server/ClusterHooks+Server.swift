extension ClusterHooks {
    init(loops: LoopStates, simulation: Simulation, connections: ConnectionTable, numbers: NumberBlocks) {
        let grace = simulation.settings.shutdownGrace
        self.init(
            publish: { loops.adopt(simulation.devices.currentClocks, revision: $0) },
            change: { changes in
                connections.changeOthers(
                    changes.map { ($0.number, $0.connection.flatMap { ConnectionView(ofAnotherServer: $0) }) })
            },
            end: { end in
                for connection in end.connections {
                    Task {
                        await connections.close(connection, reason: .shutdown, grace: grace, abort: end.isAborted)
                    }
                }
            },
            endAll: { connections.abortAll() }, forgetEnded: { connections.forgetEnded() },
            add: { numbers.add($0) })
    }
}
