import MynahWire
import Testing

/// The product of states and events of a connection's life.
struct ConnectionLifecycleTests {
    enum Event: CaseIterable, Sendable {
        case handshakeCompleted, handshakeTimedOut, shutDown, graceOver, sentIdle, sentOwing, sentHanging, sentUnwanted,
            inputEndedOwing, inputEnded, closed
    }

    enum State: CaseIterable, Sendable {
        case handshaking, open, answering, draining, closed
    }

    enum Action: Equatable, Sendable { case nothing, close, goAway }

    private static func lifecycle(in state: State) -> ConnectionLifecycle {
        var lifecycle = ConnectionLifecycle(needsHandshake: state == .handshaking)
        switch state {
        case .handshaking, .open: break
        case .answering: _ = lifecycle.inputEnded(owedAnswers: 1)
        case .draining: _ = lifecycle.shutDown()
        case .closed: lifecycle.closed()
        }
        return lifecycle
    }

    private static func apply(_ event: Event, to lifecycle: inout ConnectionLifecycle) -> Action {
        switch event {
        case .handshakeCompleted:
            lifecycle.handshakeCompleted()
            return .nothing
        case .handshakeTimedOut: return lifecycle.handshakeTimedOut() == .close ? .close : .nothing
        case .shutDown:
            switch lifecycle.shutDown() {
            case .sendGoAway: return .goAway
            case .close: return .close
            case .nothing: return .nothing
            }
        case .graceOver: return lifecycle.graceOver() == .close ? .close : .nothing
        case .sentIdle: return sent(openStreams: 0, owedAnswers: 0, wantsMore: true, &lifecycle)
        case .sentOwing: return sent(openStreams: 2, owedAnswers: 1, wantsMore: true, &lifecycle)
        case .sentHanging: return sent(openStreams: 2, owedAnswers: 0, wantsMore: true, &lifecycle)
        case .sentUnwanted: return sent(openStreams: 0, owedAnswers: 0, wantsMore: false, &lifecycle)
        case .inputEndedOwing: return lifecycle.inputEnded(owedAnswers: 1) == .close ? .close : .nothing
        case .inputEnded: return lifecycle.inputEnded(owedAnswers: 0) == .close ? .close : .nothing
        case .closed:
            lifecycle.closed()
            return .nothing
        }
    }

    private static func sent(
        openStreams: Int, owedAnswers: Int, wantsMore: Bool, _ lifecycle: inout ConnectionLifecycle
    ) -> Action {
        let next = lifecycle.outputSent(openStreams: openStreams, owedAnswers: owedAnswers, wantsMore: wantsMore)
        return next == .close ? .close : .nothing
    }

    private static func expected(_ state: State, _ event: Event) -> (Action, State) {
        switch (state, event) {
        case (.closed, _): (.nothing, .closed)
        case (_, .closed): (.nothing, .closed)
        case (.handshaking, .handshakeCompleted): (.nothing, .open)
        case (.handshaking, .handshakeTimedOut), (.handshaking, .shutDown): (.close, .closed)
        case (.handshaking, .inputEnded), (.handshaking, .inputEndedOwing): (.close, .closed)
        case (.handshaking, _): (.nothing, .handshaking)
        case (_, .inputEnded): (.close, .closed)
        case (.open, .inputEndedOwing): (.nothing, .answering)
        case (.open, .shutDown): (.goAway, .draining)
        case (.open, .sentUnwanted): (.close, .closed)
        case (.open, _): (.nothing, .open)
        case (.answering, .shutDown): (.goAway, .draining)
        case (.answering, .sentIdle), (.answering, .sentHanging), (.answering, .sentUnwanted): (.close, .closed)
        case (.answering, _): (.nothing, .answering)
        case (.draining, .graceOver), (.draining, .sentIdle), (.draining, .sentUnwanted): (.close, .closed)
        case (.draining, _): (.nothing, .draining)
        }
    }

    @Test(
        "every event in every state does what it should and leaves the right state",
        arguments: State.allCases, Event.allCases)
    func transition(_ state: State, _ event: Event) {
        var lifecycle = Self.lifecycle(in: state)
        let (action, next) = Self.expected(state, event)
        #expect(Self.apply(event, to: &lifecycle) == action)
        // A state shows by what each event does in it next.
        for probe in Event.allCases {
            var after = Self.lifecycle(in: state)
            _ = Self.apply(event, to: &after)
            var reference = Self.lifecycle(in: next)
            #expect(
                Self.apply(probe, to: &after) == Self.apply(probe, to: &reference), "\(probe) after \(event)")
        }
        #expect(lifecycle.isClosed == (next == .closed))
        #expect(lifecycle.isHandshaking == (next == .handshaking))
    }
}
