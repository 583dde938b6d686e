internal import Synchronization

/// What to do when a server has given its run up, once, however early or late that is known.
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
    /// Calls `act` when this server has given its run up: it refuses all changes then, and has to be started again.
    package func onGiveUp(_ act: @escaping @Sendable () -> Void) { giveUpListener.listen(act) }
}
