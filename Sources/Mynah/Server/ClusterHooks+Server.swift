extension ClusterHooks {
    init(loops: LoopStates, simulation: Simulation, connections: ConnectionTable, numbers: NumberBlocks) {
        let grace = simulation.settings.shutdownGrace
        self.init(
            publish: { loops.adopt(simulation.devices.currentClocks, revision: $0) },
            list: { connections.setOthers($0.compactMap { ConnectionView(ofAnotherServer: $0) }) },
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
