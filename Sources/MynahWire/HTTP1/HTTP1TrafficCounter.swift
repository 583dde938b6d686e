internal import NIOCore

/// Counts the bytes of an HTTP/1.1 connection on the cleartext port, below NIO's codec.
final class HTTP1TrafficCounter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let loop: WireLoop
    private var context: ChannelHandlerContext?
    private let responder: any PushResponder
    private var replyTimer = ReplyTimer()
    /// The traffic so far.
    private(set) var traffic = ConnectionTraffic()

    init(loop: WireLoop, responder: any PushResponder) {
        self.loop = loop
        self.responder = responder
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Answers 408, bypassing the codec, which knows of no request yet, and closes.
    func closeByTimeout() {
        guard let context else { return }
        let answer = "HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        let bytes = IOData.byteBuffer(context.channel.allocator.buffer(string: answer))
        write(context: context, data: wrapOutboundOut(bytes), promise: nil)
        context.flush()
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        traffic.bytesIn += unwrapInboundIn(data).readableBytes
        replyTimer.bytesRead()
        responder.bytesArrived()
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        traffic.bytesOut += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
        replyTimer.handedOver(to: &loop.latency)
    }

    /// A request was answered.
    func countPush() {
        traffic.pushes += 1
        replyTimer.answered(1)
    }
}
