import APNsRules
import MynahWire
import NIOCore
import NIOEmbedded
import Testing

@Suite("Answers that come late or never")
struct WithheldAnswerTests {
    @Test("a withheld answer leaves its stream open and the others alone")
    func withheld() throws {
        let client = try FrameClient.greeted(answering: [.withheld])
        #expect(try client.send(FrameClient.push(1)).isEmpty)
        let frames = try client.send(FrameClient.push(3))
        #expect(frames.map(\.stream) == [3])
        #expect(client.responder.requests == [1, 3])
        #expect(client.traffic()?.openStreams == 1)
        #expect(client.traffic()?.pushes == 1)
    }

    @Test("a late answer is sent on its stream at once, and counted then")
    func late() throws {
        let client = try FrameClient.greeted(answering: [.withheld, .withheld])
        try client.send(FrameClient.push(1), FrameClient.push(3))
        let before = client.traffic()
        let second = try client.tell(.answer(stream: 3, .reply(ScriptedResponder.refused)))
        #expect(second.map(\.kind) == [.headers, .data])
        #expect(second.allSatisfy { $0.stream == 3 })
        #expect(second.last?.payload == Array(#"{"reason":"BadDeviceToken"}"#.utf8))
        let first = try client.tell(.answer(stream: 1, .reply(ScriptedResponder.accepted())))
        #expect(first.map(\.kind) == [.headers])
        #expect(first.first.map(\.endsStream) == true)
        let after = client.traffic()
        #expect(after?.openStreams == 0)
        #expect(after?.pushes == 2)
        #expect((after?.bytesOut ?? 0) > (before?.bytesOut ?? 0))
        #expect(client.responder.abandoned.isEmpty)
    }

    @Test("a second late answer, and one for an unknown stream, do nothing", arguments: [Int32(1), 3, 4, 0, 99])
    func tooMany(stream: Int32) throws {
        let client = try FrameClient.greeted(answering: [.withheld])
        try client.send(FrameClient.push(1), FrameClient.open(3))
        _ = try client.tell(.answer(stream: 1, .reply(ScriptedResponder.accepted())))
        #expect(try client.tell(.answer(stream: stream, .reply(ScriptedResponder.accepted()))).isEmpty)
        #expect(try client.send(FrameClient.push(5)).map(\.stream) == [5])
    }

    @Test("a reset by the peer is reported once, after the request or with it", arguments: [true, false])
    func abandoned(inOnePiece: Bool) throws {
        let client = try FrameClient.greeted(answering: [.withheld])
        let reset = Frame.rstStream(1, HTTP2ErrorCode(rawValue: 8)).bytes
        if inOnePiece {
            try client.send(FrameClient.push(1), reset)
        } else {
            try client.send(FrameClient.push(1))
            #expect(client.responder.abandoned.isEmpty)
            try client.send(reset)
        }
        #expect(client.responder.abandoned == [1])
        #expect(try client.tell(.answer(stream: 1, .reply(ScriptedResponder.accepted()))).isEmpty)
        #expect(client.responder.abandoned == [1])
    }

    @Test("a freed slot is reused, and a late answer still finds its own stream")
    func slots() throws {
        let client = try FrameClient.greeted(answering: [.withheld, .withheld, .withheld])
        try client.send(FrameClient.push(1), FrameClient.push(3))
        try client.send(Frame.rstStream(1, HTTP2ErrorCode(rawValue: 8)).bytes)
        try client.send(FrameClient.push(5))
        #expect(try client.tell(.answer(stream: 1, .reply(ScriptedResponder.accepted()))).isEmpty)
        #expect(try client.tell(.answer(stream: 5, .reply(ScriptedResponder.accepted()))).map(\.stream) == [5])
        #expect(try client.tell(.answer(stream: 3, .reply(ScriptedResponder.accepted()))).map(\.stream) == [3])
        #expect(try client.send(FrameClient.push(7)).map(\.stream) == [7])
        #expect(client.responder.abandoned == [1])
    }

    @Test("a late answer may be a fault, or be withheld again")
    func lateActs() throws {
        let client = try FrameClient.greeted(answering: [.withheld])
        try client.send(FrameClient.push(1))
        #expect(try client.tell(.answer(stream: 1, .withheld)).isEmpty)
        let act = WireFault.resetStream(.internalError, afterHeaders: false)
        #expect(try client.tell(.answer(stream: 1, .act(act, nil))) == [.rstStream(1, .internalError)])
        #expect(client.responder.abandoned.isEmpty)
    }

    @Test("a half-closed client gets the answers that come", arguments: [1, 2])
    func halfClosed(count: UInt32) throws {
        let answers = Array(repeating: PushResponse.withheld, count: Int(count))
        let client = try FrameClient.greeted(answering: answers + [.stalled])
        for number in 0...count { try client.send(FrameClient.push(1 + 2 * number)) }
        #expect(client.channel.allowRemoteHalfClosure)
        client.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        for number in 0..<count {
            #expect(client.responder.endCount == 0)
            let reply = PushResponse.reply(ScriptedResponder.accepted())
            let frames = try client.tell(.answer(stream: Int32(1 + 2 * number), reply))
            #expect(frames.map(\.stream) == [1 + 2 * number])
        }
        // The stalled answer is not waited for.
        #expect(client.responder.endCount == 1)
    }

    @Test("a half-closed client that is owed an answer gets a PING now and then, which resets one that has gone")
    func sought() throws {
        let client = try FrameClient.greeted(answering: [.withheld])
        try client.send(FrameClient.push(1))
        client.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        for _ in 1...3 {
            client.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
            #expect(try client.received().map(\.kind) == [.ping])
        }
        #expect(client.responder.endCount == 0)
        let frames = try client.tell(.answer(stream: 1, .reply(ScriptedResponder.accepted())))
        #expect(frames.map(\.kind) == [.headers])
        #expect(client.responder.endCount == 1)
    }

    @Test("a half-closed client is disconnected if no answer will come")
    func halfClosedInVain() throws {
        let client = try FrameClient.greeted(answering: [.withheld, .stalled])
        try client.send(FrameClient.push(1), FrameClient.push(3))
        #expect(client.channel.allowRemoteHalfClosure)
        _ = try client.tell(.answer(stream: 1, .reply(ScriptedResponder.accepted())))
        #expect(!client.channel.allowRemoteHalfClosure)
        client.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(client.responder.endCount == 1)
    }

    @Test("a shutdown waits for withheld answers", arguments: [true, false])
    func shutDown(isAnswered: Bool) throws {
        let client = try FrameClient.greeted(answering: [.withheld])
        try client.send(FrameClient.push(1))
        let frames = try client.tell(.shutDown(reason: .shutdown, grace: .seconds(3)))
        #expect(frames.map(\.kind) == [.goAway])
        #expect(client.responder.endCount == 0)
        if isAnswered {
            let answer = try client.tell(.answer(stream: 1, .reply(ScriptedResponder.accepted())))
            #expect(answer.map(\.kind) == [.headers])
        } else {
            client.channel.embeddedEventLoop.advanceTime(by: .milliseconds(2_900))
            #expect(client.responder.endCount == 0)
            client.channel.embeddedEventLoop.advanceTime(by: .milliseconds(200))
        }
        #expect(client.responder.endCount == 1)
        // The report of the connection's end covers all of them.
        #expect(client.responder.abandoned.isEmpty)
    }
}
