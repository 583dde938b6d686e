import APNsRules
import Testing

@testable import MynahWire

/// The decisions of an HTTP/2 connection's state, without nghttp2.
struct HTTP2ConnectionStateTests {
    private static func goAway(_ change: (inout WireGoAway) -> Void = { _ in }) -> WireGoAway {
        var goAway = WireGoAway()
        change(&goAway)
        return goAway
    }

    private static func sends(
        _ type: HTTP2FrameType, flags: UInt8 = 0, _ numbers: UInt32..., text: String = "",
        in state: inout HTTP2ConnectionState
    ) -> Bool {
        let payload = numbers.flatMap { Frame.bigEndian($0) } + Array(text.utf8)
        return state.sends(type, flags: flags, payload: payload.span)
    }

    // MARK: GOAWAY

    @Test("only the first GOAWAY of a fault counts, whether it is announced or sent", arguments: [true, false])
    func firstGoAway(isTwoStep: Bool) {
        var state = HTTP2ConnectionState()
        let goAway = Self.goAway { $0.isTwoStep = isTwoStep }
        #expect(state.goAwayWanted(goAway) == (isTwoStep ? .announce : .send))
        if !isTwoStep { state.goAwaySent(lastStreamID: 1) }
        #expect(state.goAwayWanted(goAway) == .nothing)
        #expect(state.goAwayWanted(Self.goAway()) == .nothing)
        #expect(state.takeActions(beforeOutput: false) == (isTwoStep ? [.awaitRoundTrip] : []))
    }

    @Test("an announced GOAWAY is sent once, and all requests are answered until then")
    func announcement() {
        var state = HTTP2ConnectionState()
        let goAway = Self.goAway { $0.isTwoStep = true }
        #expect(state.roundTripEnded() == nil)
        _ = state.goAwayWanted(goAway)
        #expect(state.answers(99))
        #expect(state.roundTripEnded() == goAway)
        state.goAwaySent(lastStreamID: 5)
        #expect(state.roundTripEnded() == nil)
        #expect(state.answers(5))
        #expect(!state.answers(7))
    }

    @Test("after the end nothing is answered, and no announced GOAWAY follows")
    func over() {
        var state = HTTP2ConnectionState()
        _ = state.goAwayWanted(Self.goAway { $0.isTwoStep = true })
        #expect(!state.isOver)
        state.end()
        #expect(state.isOver)
        #expect(!state.answers(1))
        #expect(state.roundTripEnded() == nil)
        #expect(state.goAwayWanted(Self.goAway()) == .nothing)
    }

    @Test("the last stream is the processed one, one below all unanswered ones, or a given number")
    func lastStreamID() {
        typealias Last = WireGoAway.LastStreamID
        #expect(Last.processed.number(processed: 9, current: 5, lowestOpen: 3) == 9)
        #expect(Last.lower.number(processed: 9, current: 5, lowestOpen: 3) == 1)
        #expect(Last.lower.number(processed: 9, current: 5, lowestOpen: 7) == 3)
        #expect(Last.lower.number(processed: 9, current: nil, lowestOpen: nil) == 7)
        #expect(Last.lower.number(processed: 1, current: 1, lowestOpen: 1) == 0)
        #expect(Last.number(0xFFFF_FFFF).number(processed: 9, current: nil, lowestOpen: nil) == 0x7FFF_FFFF)
    }

    // MARK: Frames

    @Test("a fault withholds its frames and no others")
    func withheld() {
        let frames: [(HTTP2FrameType, UInt8)] = [
            (.settings, 0), (.settings, HTTP2Flag.ack), (.windowUpdate, 0), (.ping, 0), (.ping, HTTP2Flag.ack),
            (.goAway, 0),
        ]
        func sent(_ fault: (inout HTTP2ConnectionState) -> Void) -> [Bool] {
            var state = HTTP2ConnectionState()
            fault(&state)
            return frames.map { Self.sends($0, flags: $1, 0, 0, in: &state) }
        }
        #expect(sent { _ in } == [true, true, true, true, true, true])
        #expect(sent { $0.withhold(.settings) } == [false, false, true, true, true, true])
        #expect(sent { $0.withhold(.windowUpdate) } == [true, true, false, true, true, true])
        #expect(sent { $0.withhold(.ping) } == [true, true, true, true, false, true])
        #expect(sent { $0.withhold(.goAway) } == [true, true, true, true, true, false])
        #expect(
            sent {
                $0.withhold(.goAway)
                $0.release(.goAway)
            } == [true, true, true, true, true, true])
    }

    @Test("an error of nghttp2 is reported once as a violation; a known error and NO_ERROR are not")
    func violation() {
        var state = HTTP2ConnectionState()
        _ = Self.sends(.goAway, 1, 0, text: "bye", in: &state)
        #expect(state.takeViolation() == nil)
        _ = Self.sends(.goAway, 1, 1, text: "invalid frame", in: &state)
        #expect(state.takeViolation() == "PROTOCOL_ERROR, invalid frame")
        #expect(state.takeViolation() == nil)
        _ = Self.sends(.goAway, 1, 9, in: &state)
        #expect(state.takeViolation() == "COMPRESSION_ERROR")
        state.failed()
        _ = Self.sends(.goAway, 1, 1, text: "invalid frame", in: &state)
        #expect(state.takeViolation() == nil)
    }

    @Test("resets that blame the peer count as futile frames, offset by answered requests")
    func flood() {
        var state = HTTP2ConnectionState()
        for _ in 0..<Limits.futileFramesMax { _ = Self.sends(.rstStream, 1, in: &state) }
        for code in [HTTP2ErrorCode.noError, .refusedStream] { _ = Self.sends(.rstStream, code.rawValue, in: &state) }
        #expect(!state.isFlooded)
        state.receivedFutileFrame()
        #expect(state.isFlooded)
        state.answered(isAccepted: false)
        #expect(!state.isFlooded)
        _ = Self.sends(.rstStream, 1, in: &state)
        #expect(state.isFlooded)
        state.resetByFault()
        #expect(!state.isFlooded)
    }

    // MARK: Settings and answers

    @Test("SETTINGS carry changed values, and each stream limit waits for its frame")
    func settings() {
        var state = HTTP2ConnectionState()
        let limit = HTTP2Setting(id: .maxConcurrentStreams, value: 1)
        let window = HTTP2Setting(id: .initialWindowSize, value: 100)
        let higher = HTTP2Setting(id: .maxConcurrentStreams, value: 1000)
        #expect(state.settingsToSend([limit, window]) == [limit, window])
        #expect(state.settingsToSend([limit]).isEmpty)
        #expect(state.settingsToSend([higher, window]) == [higher])
        #expect(state.takeUnsentStreamLimit() == 1)
        #expect(state.takeUnsentStreamLimit() == 1000)
        #expect(state.takeUnsentStreamLimit() == nil)
        state.withhold(.settings)
        #expect(state.settingsToSend([limit]).isEmpty)
        #expect(state.takeUnsentStreamLimit() == nil)
    }

    @Test("answers are counted, and an accepted one is remembered")
    func answers() {
        var state = HTTP2ConnectionState()
        state.answered(isAccepted: false)
        #expect(!state.hasAccepted)
        state.answered(isAccepted: true)
        state.answered(isAccepted: false)
        #expect(state.hasAccepted)
        #expect(state.answeredCount == 3)
    }

    @Test("actions that throttle or cut the output precede it, and the others follow, each once")
    func actions() {
        var state = HTTP2ConnectionState()
        let throttle = HTTP2Action.transport(.throttle(bytesPerSecond: 1, chunk: nil))
        let cut = HTTP2Action.transport(.close(.rst, afterBytes: 1))
        let end = HTTP2Action.transport(.close(.rst, afterBytes: nil))
        #expect(!state.hasActions)
        for action in [throttle, .drain, cut, end] { state.request(action) }
        #expect(state.takeActions(beforeOutput: true) == [throttle, cut])
        #expect(state.hasActions)
        #expect(state.takeActions(beforeOutput: false) == [.drain, end])
        #expect(!state.hasActions)
    }
}
