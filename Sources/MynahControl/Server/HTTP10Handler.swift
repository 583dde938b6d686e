internal import NIOCore
internal import NIOHTTP1

/// Answers requests of HTTP/1.0 in that version: without chunks (RFC 9112 §6.1), and as the last of their connection (§9.3).
///
/// It is between NIO's parser and what is made of its parts, in which versions are no longer told apart.
final class HTTP10Handler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    // Further requests are not answered, so that one version is that of the connection.
    private var isHTTP10 = false

    /// Adds the handler to a connection whose parser is there.
    static func add(to pipeline: ChannelPipeline) throws {
        let operations = pipeline.syncOperations
        let parser = try operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try operations.addHandler(HTTP10Handler(), position: .after(parser))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        if case .head(var head) = part, head.version != .http1_1 {
            isHTTP10 = true
            head.headers.replaceOrAdd(name: "connection", value: "close")
            part = .head(head)
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var part = unwrapOutboundIn(data)
        if isHTTP10, case .head(var head) = part {
            head.version = .http1_0
            part = .head(head)
        }
        context.write(wrapOutboundOut(part), promise: promise)
    }
}
