import Testing

@testable import MynahWire

/// The states and events of an HTTP/1.1 connection, without a socket.
struct HTTP1ConnectionStateTests {
    enum State: CaseIterable, Sendable { case idle, receiving, unanswered, closed }

    private static func state(_ state: State, isKeptAlive: Bool = true) -> HTTP1ConnectionState {
        var connection = HTTP1ConnectionState()
        if state != .idle { connection.begin(isKeptAlive: isKeptAlive) }
        switch state {
        case .idle, .receiving: break
        case .unanswered:
            _ = connection.requestEnded(bytesIn: 10)
            connection.judged()
        case .closed: _ = connection.close()
        }
        return connection
    }

    @Test("each state tells what is missing of a request and its reply", arguments: State.allCases)
    func queries(_ state: State) {
        let connection = Self.state(state)
        #expect(connection.isReceiving == (state == .receiving))
        #expect(connection.isWithheld == (state == .unanswered))
        #expect(connection.isUnanswered == (state == .receiving || state == .unanswered))
        #expect(connection.isClosed == (state == .closed))
        #expect(connection.isInRequest(bytesIn: 11) == (state == .idle || state == .receiving))
    }

    @Test("a shutdown waits for any reply, a half-close only for a withheld one")
    func ends() {
        for state in State.allCases {
            var shutDown = Self.state(state)
            let closesAtShutdown = shutDown.shutDown()
            #expect(closesAtShutdown == (state != .receiving && state != .unanswered))
            var inputEnded = Self.state(state)
            let closesAtEnd = inputEnded.inputEnded()
            #expect(closesAtEnd == (state != .unanswered))
        }
    }

    @Test("a complete request is answered, unless it was answered before")
    func requestEnded() {
        var state = Self.state(.receiving)
        let isDue = state.requestEnded(bytesIn: 10)
        #expect(isDue)
        state.judged()
        let closes = state.replied()
        #expect(!closes)
        #expect(!state.isInRequest(bytesIn: 10))
        #expect(state.isInRequest(bytesIn: 11))
        #expect(state.requestCount == 1)
        var tooLarge = Self.state(.receiving)
        tooLarge.bodyExceeded()
        tooLarge.judged()
        let closesEarly = tooLarge.replied()
        #expect(closesEarly)
        #expect(!tooLarge.isReceiving)
        let isDueAgain = tooLarge.requestEnded(bytesIn: 20)
        #expect(!isDueAgain)
    }

    @Test("a connection is kept alive as each request asks, until it shuts down")
    func persistence() {
        var state = HTTP1ConnectionState()
        for isKeptAlive in [true, false, true] {
            state.begin(isKeptAlive: isKeptAlive)
            let closes = state.replied()
            #expect(closes == !isKeptAlive)
        }
        _ = state.shutDown()
        state.begin(isKeptAlive: true)
        let closes = state.replied()
        #expect(closes)
    }

    @Test("a connection ends once")
    func close() {
        for state in State.allCases {
            var connection = Self.state(state)
            let isFirst = connection.close()
            #expect(isFirst == (state != .closed))
            connection.begin(isKeptAlive: true)
            #expect(connection.isClosed)
        }
    }
}
