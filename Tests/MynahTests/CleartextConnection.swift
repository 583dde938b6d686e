import NIOCore
import NIOPosix

/// A connection to a server's cleartext port on which a test reads and writes HTTP/2 frames as they are.
struct CleartextConnection {
    /// A frame of the server's (RFC 9113 §4.1).
    struct Frame: Sendable, Equatable {
        let type: UInt8
        let flags: UInt8
        let payload: [UInt8]
    }

    /// The types that tests look at.
    static let settings: UInt8 = 4
    static let ping: UInt8 = 6
    static let goAway: UInt8 = 7

    /// Connects, lends a function that writes and one that reads the next frame, `nil` at the end, and closes.
    static func with<Result: Sendable>(
        port: Int,
        _ body: (
            _ write: ([UInt8]) async throws -> Void, _ next: () async throws -> Frame?
        ) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var pieces = inbound.makeAsyncIterator()
            var buffer: [UInt8] = []
            return try await body { bytes in
                try await outbound.write(ByteBuffer(bytes: bytes))
            } _: {
                while true {
                    if let frame = takeFrame(&buffer) { return frame }
                    guard let piece = try await pieces.next() else { return nil }
                    buffer += Array(piece.readableBytesView)
                }
            }
        }
    }

    /// The client's preface and its empty SETTINGS.
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

    /// A PING frame.
    static let pingFrame: [UInt8] = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]

    private static func takeFrame(_ buffer: inout [UInt8]) -> Frame? {
        guard buffer.count >= 9 else { return nil }
        let length = Int(buffer[0]) << 16 | Int(buffer[1]) << 8 | Int(buffer[2])
        guard buffer.count >= 9 + length else { return nil }
        let frame = Frame(type: buffer[3], flags: buffer[4], payload: Array(buffer[9..<(9 + length)]))
        buffer.removeFirst(9 + length)
        return frame
    }
}
