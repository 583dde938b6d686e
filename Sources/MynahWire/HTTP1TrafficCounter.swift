internal import NIOCore

/// Counts the bytes of an HTTP/1.1 connection on the cleartext port, before anything makes requests of them.
final class HTTP1TrafficCounter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let loop: WireLoop
    private let responder: any PushResponder
    private var replyTimer = ReplyTimer()
    /// What was counted.
    private(set) var traffic = ConnectionTraffic()

    init(loop: WireLoop, responder: any PushResponder) {
        self.loop = loop
        self.responder = responder
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
