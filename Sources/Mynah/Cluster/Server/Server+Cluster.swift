internal import Synchronization

extension ClusterHooks {
    init(
        loops: LoopStates, simulation: Simulation, connections: ConnectionTable,
        giveUp: @escaping @Sendable () -> Void
    ) {
        let grace = simulation.settings.shutdownGrace
        self.init(
            publish: { loops.adopt(simulation.devices.currentClocks, revision: $0) },
            change: { changes in
                connections.list(
                    elsewhere: changes.map { ($0.number, $0.connection.flatMap { ConnectionView(elsewhere: $0) }) })
            },
            end: { end in
                for connection in end.connections {
                    Task {
                        await connections.close(connection, reason: .shutdown, grace: grace, abort: end.isAborted)
                    }
                }
            },
            endAll: { connections.abortAll() }, forgetEnded: { connections.forgetEnded() },
            giveUp: giveUp)
    }
}

/// What to do when a server has given its cluster up, once, however early or late that is known.
final class GiveUpListener: Sendable {
    private struct State {
        var hasGivenUp = false
        var act: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())

    func giveUp() {
        let act = state.withLock { state in
            state.hasGivenUp = true
            return state.act
        }
        act?()
    }

    func listen(_ act: @escaping @Sendable () -> Void) {
        let hasGivenUp = state.withLock { state in
            state.act = act
            return state.hasGivenUp
        }
        if hasGivenUp { act() }
    }
}

extension Server {
    /// Calls `act` when this server has given its cluster up: it refuses all changes then, and has to be started again.
    package func onGiveUp(_ act: @escaping @Sendable () -> Void) { giveUpListener.listen(act) }
}
