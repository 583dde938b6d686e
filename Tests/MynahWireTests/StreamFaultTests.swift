import APNsRules
import MynahWire
import NIOCore
import NIOEmbedded
import Testing

@Suite("Faults on one stream, and replies of any form")
struct StreamFaultTests {
    @Test("RST_STREAM takes the place of an answer", arguments: [UInt32(0), 2, 7, 8, 11, 0xFFFF_FFFF])
    func resetBefore(code: UInt32) throws {
        let code = HTTP2ErrorCode(rawValue: code)
        let client = try FrameClient.greeted(answering: [.act(.resetStream(code, afterHeaders: false), nil)])
        #expect(try client.send(FrameClient.push(1)) == [.rstStream(1, code)])
        #expect(try client.send(FrameClient.push(3)).map(\.kind) == [.headers])
        #expect(client.traffic()?.openStreams == 0)
    }

    @Test("the answer to HEAD has no content")
    func head() throws {
        let client = try FrameClient.greeted(answering: [
            .reply(ScriptedResponder.refused), .reply(ScriptedResponder.refused),
        ])
        let end = Frame(kind: .data, flags: Frame.endStream, stream: 1).bytes
        let frames = try client.send(FrameClient.open(1, method: "HEAD"), end, FrameClient.push(3))
        #expect(frames.map(\.kind) == [.headers, .headers, .data])
        #expect(frames.map(\.stream) == [1, 3, 3])
        #expect(frames.first?.endsStream == true)
        #expect(frames.first.map { client.fields($0).first } == ":status: 400")
    }

    @Test("RST_STREAM follows HEADERS that do not end the stream")
    func resetAfter() throws {
        let act = WireFault.resetStream(.internalError, afterHeaders: true)
        let client = try FrameClient.greeted(answering: [
            .reply(ScriptedResponder.refused), .act(act, ScriptedResponder.accepted()),
        ])
        let frames = try client.send(FrameClient.push(1), FrameClient.push(3))
        // Earlier answers are complete before it, DATA included.
        #expect(frames.map(\.kind) == [.headers, .data, .headers, .rstStream])
        #expect(frames.map(\.stream) == [1, 1, 3, 3])
        #expect(frames[2].flags == Frame.endHeaders)
        #expect(frames[3] == .rstStream(3, .internalError))
        let later = try client.send(FrameClient.push(5))
        #expect(later.map(\.kind) == [.headers])
        _ = client.fields(frames[0])
        #expect(client.fields(frames[2]).first == ":status: 200")
    }

    @Test("a truncated reply has HEADERS without an end, and nothing follows on its stream")
    func truncate() throws {
        let client = try FrameClient.greeted(answering: [.act(.truncate, ScriptedResponder.refused)])
        let frames = try client.send(FrameClient.push(1))
        #expect(frames.map(\.kind) == [.headers])
        #expect(frames.first?.flags == Frame.endHeaders)
        #expect(frames.first.map { client.fields($0).first } == ":status: 400")
        #expect(try client.send(FrameClient.push(3)).map(\.stream) == [3])
        client.channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(try client.received().isEmpty)
        #expect(client.traffic()?.openStreams == 1)
        #expect(try client.send(Frame.rstStream(1, HTTP2ErrorCode(rawValue: 8)).bytes).isEmpty)
        #expect(client.traffic()?.openStreams == 0)
    }

    @Test("a fault does nothing to a stream that the peer has reset")
    func gone() throws {
        let client = try FrameClient.greeted(answering: [
            .act(.truncate, ScriptedResponder.accepted()),
            .act(.resetStream(.internalError, afterHeaders: true), ScriptedResponder.accepted()),
        ])
        let cancel = HTTP2ErrorCode(rawValue: 8)
        let frames = try client.send(
            FrameClient.push(1), FrameClient.push(3), Frame.rstStream(1, cancel).bytes,
            Frame.rstStream(3, cancel).bytes)
        #expect(frames.isEmpty)
        #expect(try client.send(FrameClient.push(5)).map(\.stream) == [5])
    }

    @Test(
        "a fault of a stream does nothing without a stream",
        arguments: [WireFault.truncate, .resetStream(.noError, afterHeaders: true)])
    func withoutStream(act: WireFault) throws {
        let client = try FrameClient.greeted(answering: [])
        #expect(try client.tell(.act(act)).isEmpty)
        #expect(try client.send(FrameClient.push(1)).map(\.kind) == [.headers])
    }

    @Test(
        "a reply has any status and the fields that it names, in their order",
        arguments: [200, 201, 299, 302, 418, 502, 599])
    func custom(status: Int) throws {
        let fields = [
            HTTPField("server", "proxy"), HTTPField("content-type", "text/html"),
            HTTPField("server", "again"), HTTPField("empty", ""),
        ]
        let reply = Reply(
            status: status, id: NotificationID(generated: 1), fields: fields, body: Array("<html>".utf8))
        let client = try FrameClient.greeted(answering: [.reply(reply), .reply(reply)])
        for stream in [UInt32(1), 3] {
            let frames = try client.send(FrameClient.push(stream))
            #expect(frames.map(\.kind) == [.headers, .data])
            #expect(
                frames.first.map { client.fields($0) } == [
                    ":status: \(status)", "server: proxy", "content-type: text/html", "server: again", "empty: ",
                ])
            #expect(frames.last?.payload == Array("<html>".utf8))
            #expect(frames.last?.endsStream == true)
        }
    }

    @Test("a reply without fields and body is only a status")
    func bare() throws {
        let reply = Reply(status: 503, id: NotificationID(generated: 1), fields: [], body: [])
        let client = try FrameClient.greeted(answering: [.reply(reply)])
        let frames = try client.send(FrameClient.push(1))
        #expect(frames.map(\.kind) == [.headers])
        #expect(frames.first.map { client.fields($0) } == [":status: 503"])
        #expect(frames.first?.endsStream == true)
    }

    @Test("a body beyond the peer's window is sent as the window grows")
    func largeBody() throws {
        let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        let reply = Reply(status: 200, id: NotificationID(generated: 1), fields: [], body: body)
        let client = try FrameClient.greeted(answering: [.reply(reply)])
        var data = try client.send(FrameClient.push(1)).filter { $0.kind == .data }
        #expect(data.reduce(0) { $0 + $1.payload.count } == 65_535)
        for stream in [UInt32(0), 1] {
            let update = Frame(kind: .windowUpdate, stream: stream, payload: Frame.bigEndian(200_000))
            data += try client.send(update.bytes)
        }
        #expect(data.flatMap(\.payload) == body)
        #expect(data.last?.endsStream == true)
    }
}
