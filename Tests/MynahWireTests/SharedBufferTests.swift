import NIOCore
import NIOEmbedded
import Testing

@testable import MynahWire

@Suite("Buffers that the connections of a loop share")
struct SharedBufferTests {
    private static func address(of buffer: ByteBuffer) -> UInt {
        buffer.withVeryUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }

    @Test("a channel keeps next to nothing of its first read, and reads into the shared buffer from then on")
    func firstRead() {
        var reads = ReadBuffer()
        #expect(reads.buffer(allocator: ByteBufferAllocator()).storageCapacity < 64)
        #expect(reads.nextBufferSize() == nil)
        let isLarger = reads.record(actualReadBytes: 1)
        #expect(isLarger)
        #expect(reads.buffer(allocator: ByteBufferAllocator()).storageCapacity == 64 << 10)
    }

    @Test("a buffer that was given back is read into again, unless its bytes are still in use")
    func givenBack() {
        var one = ReadBuffer()
        _ = one.record(actualReadBytes: 1)
        let other = one
        var read = one.buffer(allocator: ByteBufferAllocator())
        let first = Self.address(of: read)
        read.writeString("in use")
        one.giveBack(read)
        let meanwhile = other.buffer(allocator: ByteBufferAllocator())
        #expect(Self.address(of: meanwhile) != first)
        #expect(String(buffer: read) == "in use")
        other.giveBack(read)
        read = ByteBuffer()
        let again = other.buffer(allocator: ByteBufferAllocator())
        #expect(Self.address(of: again) == first)
        #expect(again.readableBytes == 0)
    }

    @Test("the memory of requests is freed when none has come for a while, unless a stream is open")
    func restingConnection() throws {
        var streams = StreamTable()
        let slots = [streams.open(1), streams.open(3)]
        for slot in slots { _ = streams.close(slot) }
        let last = streams.open(5)
        streams.freeMemory()
        #expect(streams.slots.count == 2)
        _ = streams.close(last)
        streams.freeMemory()
        #expect(streams.slots.isEmpty)

        let client = try FrameClient.greeted { $0.memoryTime = .seconds(1) }
        for stream: UInt32 in [1, 3, 5] {
            #expect(try client.send(FrameClient.push(stream)).map(\.stream) == [stream])
            client.channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        }
        client.responder.answers = [.withheld]
        #expect(try client.send(FrameClient.push(7)).isEmpty)
        client.channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        let answer = ConnectionCommand.answer(stream: 7, .reply(ScriptedResponder.accepted()))
        #expect(try client.tell(answer).map(\.stream) == [7])
    }

    @Test("answers of connections that share the frame buffer stay apart, whoever ends first")
    func frames() throws {
        let loop = try WireLoop(TestIdentity.identity)
        let first = try FrameClient.greeted(loop: loop)
        // Its refusals have a body, so that what the buffer holds differs.
        let second = try FrameClient.greeted(loop: loop)
        second.responder.answers = [.reply(ScriptedResponder.refused), .reply(ScriptedResponder.refused)]
        let alone = try FrameClient.greeted()
        alone.responder.answers = [.reply(ScriptedResponder.refused), .reply(ScriptedResponder.refused)]
        for stream: UInt32 in [1, 3] {
            #expect(try first.send(FrameClient.push(stream)).map(\.kind) == [.headers])
            let refused = try second.send(FrameClient.push(stream))
            #expect(try refused == alone.send(FrameClient.push(stream)))
        }
        _ = try second.tell(.abort)
        #expect(try first.send(FrameClient.push(5)).map(\.kind) == [.headers])
    }
}
