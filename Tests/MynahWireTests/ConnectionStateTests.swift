import APNsRules
import Testing

@testable import MynahWire

/// Every event in every state of a connection.
struct ConnectionStateTests {
    enum Event: CaseIterable, Sendable {
        case helloRead, opened, shutDown, leftOpen, graceOver, sentIdle, sentOwing, sentHanging, sentUnwanted,
            inputEndedOwing, inputEnded, dropped, closed
    }

    enum State: CaseIterable, Sendable {
        case opening, judging, open, leftOpen, answering, draining, closed
    }

    enum Action: Equatable, Sendable { case nothing, judge, close, drain, closeOpen }

    private static func state(_ state: State) -> ConnectionState {
        var connection = ConnectionState()
        if state == .judging { _ = connection.helloRead() }
        guard state != .opening, state != .judging else { return connection }
        _ = connection.open()
        switch state {
        case .opening, .judging, .open: break
        case .leftOpen: connection.leaveOpen()
        case .answering: _ = connection.inputEnded(owedAnswers: 1)
        case .draining: _ = connection.shutDown()
        case .closed: _ = connection.close()
        }
        return connection
    }

    private static func apply(_ event: Event, to state: inout ConnectionState) -> Action {
        switch event {
        case .helloRead: return state.helloRead() ? .judge : .nothing
        case .opened:
            if state.isOpening { _ = state.open() }
            return .nothing
        case .shutDown:
            switch state.shutDown() {
            case .drain: return .drain
            case .close: return close(&state)
            case .nothing: return .nothing
            }
        case .leftOpen:
            state.leaveOpen()
            return .nothing
        case .graceOver: return follow(state.isDraining, &state)
        case .sentIdle: return sent(openStreams: 0, owedAnswers: 0, wantsMore: true, &state)
        case .sentOwing: return sent(openStreams: 2, owedAnswers: 1, wantsMore: true, &state)
        case .sentHanging: return sent(openStreams: 2, owedAnswers: 0, wantsMore: true, &state)
        case .sentUnwanted: return sent(openStreams: 0, owedAnswers: 0, wantsMore: false, &state)
        case .inputEndedOwing: return follow(state.inputEnded(owedAnswers: 1), &state)
        case .inputEnded: return follow(state.inputEnded(owedAnswers: 0), &state)
        case .dropped: return state.dropped(11, limit: 10) ? .close : .nothing
        case .closed: return close(&state)
        }
    }

    /// Closes as the handler does; only the end of an open connection, which is reported, is `closeOpen`.
    private static func close(_ state: inout ConnectionState) -> Action {
        if state.isClosed { return state.close() ? .closeOpen : .nothing }
        return state.close() ? .closeOpen : .close
    }

    private static func follow(_ isToClose: Bool, _ state: inout ConnectionState) -> Action {
        isToClose ? close(&state) : .nothing
    }

    private static func sent(
        openStreams: Int, owedAnswers: Int, wantsMore: Bool, _ state: inout ConnectionState
    ) -> Action {
        follow(state.isOver(openStreams: openStreams, owedAnswers: owedAnswers, wantsMore: wantsMore), &state)
    }

    private static func expected(_ state: State, _ event: Event) -> (Action, State) {
        switch (state, event) {
        case (.closed, .dropped): (.close, .closed)
        case (.closed, _): (.nothing, .closed)
        case (.opening, .helloRead): (.judge, .judging)
        case (.opening, .opened), (.judging, .opened): (.nothing, .open)
        case (.opening, .shutDown), (.opening, .inputEnded), (.opening, .inputEndedOwing), (.opening, .closed),
            (.judging, .shutDown), (.judging, .inputEnded), (.judging, .inputEndedOwing), (.judging, .closed):
            (.close, .closed)
        case (.opening, _), (.judging, _): (.nothing, state)
        case (_, .inputEnded), (_, .closed): (.closeOpen, .closed)
        case (.draining, .inputEndedOwing): (.nothing, .draining)
        case (_, .inputEndedOwing): (.nothing, .answering)
        case (.draining, .graceOver), (.draining, .sentIdle), (.draining, .sentUnwanted): (.closeOpen, .closed)
        case (.draining, _): (.nothing, .draining)
        case (_, .shutDown): (.drain, .draining)
        case (.open, .leftOpen): (.nothing, .leftOpen)
        case (.open, .sentUnwanted): (.closeOpen, .closed)
        case (.answering, .sentIdle), (.answering, .sentHanging), (.answering, .sentUnwanted): (.closeOpen, .closed)
        case (.open, _), (.leftOpen, _), (.answering, _): (.nothing, state)
        }
    }

    @Test(
        "every event in every state returns the right action and leads to the right state",
        arguments: State.allCases, Event.allCases)
    func transition(_ state: State, _ event: Event) {
        var connection = Self.state(state)
        let (action, next) = Self.expected(state, event)
        #expect(Self.apply(event, to: &connection) == action)
        // The new state is recognised by the effect of each next event.
        for probe in Event.allCases {
            var after = Self.state(state)
            _ = Self.apply(event, to: &after)
            var reference = Self.state(next)
            #expect(
                Self.apply(probe, to: &after) == Self.apply(probe, to: &reference), "\(probe) after \(event)")
        }
        #expect(connection.isClosed == (next == .closed))
        #expect(connection.isOpening == (next == .opening || next == .judging))
        #expect(connection.isOpen == ![.opening, .judging, .closed].contains(next))
    }

    @Test("bytes after the end are counted up to the limit")
    func dropped() {
        var state = Self.state(.closed)
        let closes = [6, 4, 1].map { state.dropped($0, limit: 10) }
        #expect(closes == [false, false, true])
    }

    @Test("faults before the opening are carried out in order when the connection opens")
    func openingFaults() {
        var state = ConnectionState(faults: [.ignorePing])
        state.carryOutWhenOpen(.withholdWindow)
        #expect(state.open() == [.ignorePing, .withholdWindow])
    }

    @Test("a fault in the handshake is the cause of any failure, and then a hang-up is not reported")
    func handshakeProblems() {
        var state = ConnectionState()
        #expect(state.handshakeProblem(.timedOut, "late").handshakeCause == .timedOut)
        #expect(state.hangUpProblem(bytesIn: 0) == nil)
        #expect(state.hangUpProblem(bytesIn: 1)?.handshakeCause == .hungUp)
        state.handshakeFaulted()
        #expect(state.handshakeProblem(.timedOut, "late").handshakeCause == .fault)
        #expect(state.hangUpProblem(bytesIn: 1) == nil)
        #expect(state.alertAfterHandshake == nil)
        state.sendAlertAfterHandshake(.internalError)
        #expect(state.alertAfterHandshake == .internalError)
        _ = state.open()
        #expect(state.alertAfterHandshake == nil)
        #expect(state.hangUpProblem(bytesIn: 1) == nil)
    }

    @Test("a hang-up right after the handshake is reported until the client has said something")
    func hangUpAfterHandshake() {
        for isFaulted in [false, true] {
            var state = ConnectionState()
            if isFaulted { state.handshakeFaulted() }
            _ = state.open(afterHandshake: true)
            #expect(state.hangUpProblem(bytesIn: 9)?.handshakeCause == (isFaulted ? .fault : .hungUp))
            let first = state.recordDecryptedInput()
            let second = state.recordDecryptedInput()
            #expect(first && !second)
            #expect(state.hangUpProblem(bytesIn: 9) == nil)
        }
        var ended = ConnectionState()
        _ = ended.open(afterHandshake: true)
        _ = ended.shutDown()
        #expect(ended.hangUpProblem(bytesIn: 9) == nil)
        var cleartext = ConnectionState()
        _ = cleartext.open()
        #expect(cleartext.hangUpProblem(bytesIn: 9) == nil)
        let hasTrusted = cleartext.recordDecryptedInput()
        #expect(!hasTrusted)
    }
}
