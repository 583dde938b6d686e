import APNsRules
import MynahWire
import NIOCore
import NIOEmbedded
import Testing

@Suite("GOAWAY as a fault")
struct GoAwayFaultTests {
    private static func goAway(_ change: (inout WireGoAway) -> Void = { _ in }) -> WireGoAway {
        var goAway = WireGoAway()
        change(&goAway)
        return goAway
    }

    @Test("GOAWAY precedes the reply, and the connection ends after it")
    func beforeReply() throws {
        let goAway = Self.goAway { $0.debugData = .reason("Shutdown") }
        let client = try FrameClient.greeted(answering: [.act(.goAway(goAway), ScriptedResponder.refused)])
        let frames = try client.send(FrameClient.push(1))
        #expect(frames.map(\.kind) == [.goAway, .headers, .data])
        #expect(frames[0].firstNumber == 1)
        #expect(frames[0].goAwayCode == 0)
        #expect(frames[0].debug == #"{"reason":"Shutdown"}"#)
        #expect(client.responder.endCount == 1)
        client.letLinger()
        #expect(!client.channel.isActive)
    }

    @Test("GOAWAY carries any code, and any text unchanged", arguments: [UInt32(0), 1, 7, 11, 0xFEDC_BA98])
    func codes(code: UInt32) throws {
        let goAway = Self.goAway {
            $0.code = HTTP2ErrorCode(rawValue: code)
            $0.debugData = .raw("Stream 5 does not exist")
        }
        let client = try FrameClient.greeted(answering: [.act(.goAway(goAway), ScriptedResponder.accepted())])
        let frames = try client.send(FrameClient.push(1))
        #expect(frames.map(\.kind) == [.goAway, .headers])
        #expect(frames[0].goAwayCode == code)
        #expect(frames[0].debug == "Stream 5 does not exist")
        #expect(frames[0].payload.count == 8 + 23)
    }

    @Test("further frames are the same without the reason", arguments: [1, 2, 10])
    func frames(count: Int) throws {
        let goAway = Self.goAway {
            $0.debugData = .reason("BadCertificateEnvironment")
            $0.frameCount = count
        }
        let client = try FrameClient.greeted(answering: [.act(.goAway(goAway), ScriptedResponder.accepted())])
        let frames = try client.send(FrameClient.push(1))
        #expect(frames.map(\.kind) == Array(repeating: .goAway, count: count) + [.headers])
        #expect(frames[0].payload.count == 46)
        #expect(frames.dropFirst().dropLast().allSatisfy { $0.payload == [0, 0, 0, 1, 0, 0, 0, 0] })
    }

    @Test("requests of the same read are answered up to the last stream, and the rule acts once")
    func processed() throws {
        let act = PushResponse.act(.goAway(Self.goAway()), ScriptedResponder.accepted())
        let client = try FrameClient.greeted(answering: [act, act, act])
        let frames = try client.send(FrameClient.push(1), FrameClient.push(3), FrameClient.push(5))
        #expect(frames.map(\.kind) == [.goAway, .headers, .headers, .headers])
        #expect(frames[0].firstNumber == 5)
        #expect(client.responder.endCount == 1)
    }

    @Test("a connection that ends after its streams waits for an unanswered one for the grace period")
    func afterStreams() throws {
        let client = try FrameClient.greeted(answering: [
            .withheld, .act(.goAway(Self.goAway()), ScriptedResponder.accepted()),
        ])
        let frames = try client.send(FrameClient.push(1), FrameClient.push(3))
        #expect(frames.map(\.kind) == [.goAway, .headers])
        #expect(client.responder.endCount == 0)
        // A request after the GOAWAY is ignored.
        #expect(try client.send(FrameClient.push(5)).isEmpty)
        #expect(client.responder.requests == [1, 3])
        client.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(client.responder.endCount == 1)
    }

    @Test("a lower last stream denies the current request, unanswered ones and those of the same read")
    func lower() throws {
        let goAway = Self.goAway { $0.lastStreamID = .lower }
        let accepted = PushResponse.reply(ScriptedResponder.accepted())
        let client = try FrameClient.greeted(answering: [accepted, .withheld, accepted, .act(.goAway(goAway), nil)])
        try client.send(FrameClient.push(1), FrameClient.push(3))
        let frames = try client.send(FrameClient.push(5), FrameClient.push(7), FrameClient.push(9))
        #expect(frames.map(\.kind) == [.headers, .goAway])
        #expect(frames[1].firstNumber == 1)
        #expect(client.responder.requests == [1, 3, 5, 7])
        // A denied request can no longer be answered.
        #expect(client.responder.abandoned == [3])
        #expect(try client.tell(.answer(stream: 3, .reply(ScriptedResponder.accepted()))).isEmpty)
        #expect(client.responder.endCount == 1)
    }

    @Test("a last stream of 0 denies the first request")
    func lowest() throws {
        let goAway = Self.goAway { $0.lastStreamID = .lower }
        let client = try FrameClient.greeted(answering: [.act(.goAway(goAway), nil)])
        let frames = try client.send(FrameClient.push(1))
        #expect(frames.map(\.kind) == [.goAway])
        #expect(frames[0].firstNumber == 0)
    }

    private static let numbers: [(last: UInt32, answered: [UInt32])] = [
        (0, []), (1, [1]), (2, [1]), (3, [1, 3]), (4, [1, 3]), (999, [1, 3]), (0x7FFF_FFFF, [1, 3]),
    ]

    @Test("a given last stream is sent as it is, and streams above it get no answer", arguments: numbers)
    func number(last: UInt32, answered: [UInt32]) throws {
        let goAway = Self.goAway { $0.lastStreamID = .number(last) }
        let client = try FrameClient.greeted(answering: [
            .withheld, .act(.goAway(goAway), ScriptedResponder.accepted()),
        ])
        var frames = try client.send(FrameClient.push(1), FrameClient.push(3))
        #expect(frames.first?.kind == .goAway)
        #expect(frames.first?.firstNumber == last)
        frames += try client.tell(.answer(stream: 1, .reply(ScriptedResponder.accepted())))
        #expect(Set(frames.dropFirst().map(\.stream)) == Set(answered))
        #expect(client.responder.abandoned == (last == 0 ? [1] : []))
        #expect(client.responder.endCount == 1)
    }

    @Test("a connection that closes at once answers no more requests")
    func closeAtOnce() throws {
        let goAway = Self.goAway { $0.close = .atOnce }
        let accepted = PushResponse.reply(ScriptedResponder.refused)
        let client = try FrameClient.greeted(answering: [
            .withheld, accepted, .act(.goAway(goAway), ScriptedResponder.accepted()),
        ])
        let frames = try client.send(
            FrameClient.push(1), FrameClient.push(3), FrameClient.push(5), FrameClient.push(7))
        #expect(frames.map(\.kind) == [.headers, .data, .goAway])
        #expect(frames.last?.firstNumber == 7)
        #expect(client.responder.requests == [1, 3, 5])
        #expect(client.responder.endCount == 1)
    }

    @Test("a connection that never closes leaves requests unanswered until it is ended")
    func closeNever() throws {
        let goAway = Self.goAway { $0.close = .never }
        let client = try FrameClient.greeted(answering: [.withheld, .act(.goAway(goAway), nil)])
        let frames = try client.send(FrameClient.push(1), FrameClient.push(3))
        #expect(frames.map(\.kind) == [.goAway])
        #expect(try client.send(FrameClient.push(5), FrameClient.open(7)).isEmpty)
        #expect(try client.send(Frame.ping("are you?").bytes).isEmpty)
        #expect(try client.send(Frame.rstStream(1, .noError).bytes, Frame.rstStream(3, .noError).bytes).isEmpty)
        client.channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(try client.send(FrameClient.push(9)).isEmpty)
        #expect(client.channel.isActive)
        #expect(client.responder.requests == [1, 3])
        #expect(client.responder.endCount == 0)
        let end = try client.tell(.shutDown(reason: .shutdown, grace: .seconds(1)))
        #expect(end.map(\.kind) == [.goAway])
        #expect(client.responder.endCount == 1)
    }

    @Test("requests between the two steps are answered, and the second counts them", arguments: [true, false])
    func twoStep(answersPing: Bool) throws {
        let goAway = Self.goAway {
            $0.isTwoStep = true
            $0.code = .internalError
            $0.debugData = .reason("Shutdown")
        }
        let client = try FrameClient.greeted(answering: [.act(.goAway(goAway), ScriptedResponder.accepted())])
        let first = try client.send(FrameClient.push(1))
        #expect(first.map(\.kind) == [.goAway, .ping, .headers])
        #expect(first[0].firstNumber == 0x7FFF_FFFF)
        #expect(first[0].goAwayCode == 0)
        #expect(first[0].debug == #"{"reason":"Shutdown"}"#)
        #expect(try client.send(FrameClient.push(3)).map(\.stream) == [3])
        // The answer to another PING doesn't count.
        #expect(try client.send(Frame(kind: .ping, flags: Frame.ack, payload: Array("are you?".utf8)).bytes).isEmpty)
        let second: [Frame]
        if answersPing {
            second = try client.send(Frame(kind: .ping, flags: Frame.ack, payload: first[1].payload).bytes)
        } else {
            client.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            second = try client.received()
        }
        #expect(second.map(\.kind) == [.goAway])
        #expect(second[0].firstNumber == 3)
        #expect(second[0].goAwayCode == 2)
        #expect(second[0].debug == #"{"reason":"Shutdown"}"#)
        #expect(client.responder.endCount == 1)
        client.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1_400))
        #expect(try client.received().isEmpty)
    }

    @Test("GOAWAY without a request also ends the connection")
    func command() throws {
        let client = try FrameClient.greeted(answering: [])
        try client.send(FrameClient.push(1), FrameClient.push(3))
        let frames = try client.tell(.act(.goAway(Self.goAway { $0.lastStreamID = .lower })))
        #expect(frames.map(\.kind) == [.goAway])
        #expect(frames[0].firstNumber == 1)
        #expect(client.responder.endCount == 1)
    }
}
