import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS

/// A provider on NIOSSL and NIOHTTP2 that verifies the server in full against one CA file.
struct Provider {
    private let port: Int
    private let authorityFile: String
    private let token: String

    /// A provider for the server that `mynah exec` has described in the environment.
    ///
    /// - Throws: ``MissingVariable`` when a variable isn't set.
    init() throws {
        port = try Int(Provider.variable("MYNAH_APNS_PORT")) ?? 0
        authorityFile = try Provider.variable("MYNAH_CA_FILE")
        token = try Provider.variable("MYNAH_TOKEN")
    }

    private static func variable(_ name: String) throws -> String {
        guard let value = ProcessInfo.processInfo.environment[name] else { throw MissingVariable(name: name) }
        return value
    }

    /// Pushes on a connection of its own; returns what ALPN chose and the status of the answer.
    ///
    /// - Throws: NIOSSL's error when the handshake fails.
    func push(host: String) async throws -> (applicationProtocol: String?, status: String?) {
        var settings = TLSConfiguration.makeClientConfiguration()
        settings.trustRoots = .file(authorityFile)
        settings.certificateVerification = .fullVerification
        settings.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: settings)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let handshake = loop.makePromise(of: String?.self)
        // An address can't be sent as the server name, and NIOSSL verifies the address of the socket without one.
        let serverName = host.contains(where: \.isLetter) ? host : nil
        let multiplexer: NIOHTTP2Handler.AsyncStreamMultiplexer<Void>
        do {
            multiplexer = try await ClientBootstrap(group: loop).connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let operations = channel.pipeline.syncOperations
                    try operations.addHandler(NIOSSLClientHandler(context: context, serverHostname: serverName))
                    try operations.addHandler(HandshakeWatcher(handshake))
                    return try operations.configureAsyncHTTP2Pipeline(mode: .client) { stream in
                        stream.eventLoop.makeSucceededVoidFuture()
                    }
                }
            }
        } catch {
            handshake.fail(error)
            throw error
        }
        let applicationProtocol = try await handshake.futureResult.get()
        return (applicationProtocol, try await status(over: multiplexer))
    }

    private func status(over multiplexer: NIOHTTP2Handler.AsyncStreamMultiplexer<Void>) async throws -> String? {
        let stream = try await multiplexer.openStream { stream in
            stream.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<HTTP2Frame.FramePayload, HTTP2Frame.FramePayload>(
                    wrappingChannelSynchronously: stream)
            }
        }
        let device = String(repeating: "0", count: 64)
        let fields: HPACKHeaders = [
            ":method": "POST", ":scheme": "https", ":authority": "localhost", ":path": "/3/device/\(device)",
            "authorization": "bearer \(token)", "apns-topic": "com.example.app", "apns-push-type": "alert",
        ]
        return try await stream.executeThenClose { inbound, outbound in
            try await outbound.write(.headers(.init(headers: fields)))
            let body = ByteBuffer(string: #"{"aps":{"alert":"Hello"}}"#)
            try await outbound.write(.data(.init(data: .byteBuffer(body), endStream: true)))
            for try await frame in inbound {
                if case .headers(let answer) = frame { return answer.headers.first(name: ":status") }
            }
            return nil
        }
    }
}

/// A variable of `mynah exec` that isn't set.
struct MissingVariable: Error {
    let name: String
}

/// Fulfils a promise with the outcome of the TLS handshake.
private final class HandshakeWatcher: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let outcome: EventLoopPromise<String?>

    init(_ outcome: EventLoopPromise<String?>) {
        self.outcome = outcome
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let applicationProtocol)? = event as? TLSUserEvent {
            outcome.succeed(applicationProtocol)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        outcome.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        outcome.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}
