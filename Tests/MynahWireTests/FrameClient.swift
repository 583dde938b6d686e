import APNsRules
import CNghttp2
import MynahWire
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

/// One HTTP/2 frame (RFC 9113 §4.1).
struct Frame: Equatable, CustomStringConvertible {
    enum Kind: UInt8 {
        case data, headers, priority, rstStream, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    let kind: Kind
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    static let endStream: UInt8 = 1
    static let ack: UInt8 = 1
    static let endHeaders: UInt8 = 4

    /// The frame's bytes.
    var bytes: [UInt8] {
        Array(Frame.bigEndian(UInt32(payload.count)).dropFirst()) + [kind.rawValue, flags] + Frame.bigEndian(stream)
            + payload
    }

    /// The frames in some bytes, and the bytes after the last whole frame.
    static func frames(in bytes: [UInt8]) -> (frames: [Frame], rest: [UInt8]) {
        var frames: [Frame] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(number(head[0..<3]))
            guard let kind = Kind(rawValue: head[3]), rest.count >= 9 + length else { break }
            frames.append(
                Frame(
                    kind: kind, flags: head[4], stream: number(head[5..<9]),
                    payload: Array(rest.dropFirst(9).prefix(length))))
            rest = rest.dropFirst(9 + length)
        }
        return (frames, Array(rest))
    }

    static func number(_ bytes: some Sequence<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    static func bigEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - $0 * 8)) }
    }

    /// The first four bytes of the payload: the code of RST_STREAM, the last stream of GOAWAY.
    var firstNumber: UInt32 { Frame.number(payload.prefix(4)) }
    /// The code of GOAWAY.
    var goAwayCode: UInt32 { Frame.number(payload.dropFirst(4).prefix(4)) }
    /// The debug data of GOAWAY.
    var debug: String { String(decoding: payload.dropFirst(8), as: UTF8.self) }
    var endsStream: Bool { (kind == .data || kind == .headers) && flags & Frame.endStream != 0 }

    /// The values of SETTINGS.
    var settings: [UInt32: UInt32] {
        var settings: [UInt32: UInt32] = [:]
        for entry in stride(from: 0, to: payload.count, by: 6) {
            settings[Frame.number(payload[entry..<(entry + 2)])] = Frame.number(payload[(entry + 2)..<(entry + 6)])
        }
        return settings
    }

    var description: String { "\(kind) \(flags) on \(stream), \(payload.count) bytes" }

    static func rstStream(_ stream: UInt32, _ code: HTTP2ErrorCode) -> Frame {
        Frame(kind: .rstStream, stream: stream, payload: bigEndian(code.rawValue))
    }
    static func ping(_ text: String) -> Frame { Frame(kind: .ping, payload: Array(text.utf8)) }
    static let settingsAck = Frame(kind: .settings, flags: ack)
}

/// Gives the answers of a test, and records the calls.
final class ScriptedResponder: PushResponder {
    /// The answers to the next requests; later ones are accepted.
    var answers: [PushResponse] = []
    var requests: [Int32] = []
    var abandoned: [Int32] = []
    var problems: [ConnectionProblem] = []
    var endCount = 0
    var streamLimit = 100
    var isBusy = false

    static func accepted(effect: WireEffect = .none) -> Reply {
        Reply(accepted: NotificationID(generated: 1), uniqueID: nil, effect: effect)
    }

    static var refused: Reply {
        Reply(
            refused: Refusal(.badDeviceToken, "malformed"), id: NotificationID(generated: 1), settings: RuleSettings())
    }

    func judgeCertificate(_ chain: [[UInt8]]) -> CertificateVerdict {
        .failure(CertificateFault(.unknownCA, "unexpected certificate"))
    }
    func handshakeBegins(serverName: String?, clientKind: Int?) -> HandshakeDecision { .proceed }
    func connectionOpened(_ tls: TLSFacts?) -> OpeningDecision { .serve(streamLimit: streamLimit) }
    func bytesArrived() {}

    func answer(to request: borrowing PushRequest, stream: Int32) -> PushResponse {
        requests.append(stream)
        return answers.isEmpty ? .reply(ScriptedResponder.accepted()) : answers.removeFirst()
    }

    func requestAbandoned(stream: Int32) { abandoned.append(stream) }
    func connectionFailed(_ problem: ConnectionProblem) { problems.append(problem) }
    func connectionClosed(_ traffic: ConnectionTraffic) { endCount += 1 }
}

/// A client that speaks frames to a connection without TLS, in memory.
final class FrameClient {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    let channel = EmbeddedChannel()
    let responder: ScriptedResponder
    /// The bytes after the last whole frame.
    private(set) var rest: [UInt8] = []
    private var inflater: OpaquePointer?

    /// A connection before any frame; `openingAct` is requested before it opens.
    init(
        _ responder: ScriptedResponder = ScriptedResponder(), grace: TimeAmount = .seconds(2),
        openingAct: WireFault? = nil, loop: WireLoop? = nil, limit: (inout ConnectionLimits) -> Void = { _ in }
    ) throws {
        self.responder = responder
        var limits = ConnectionLimits(handshakeTimeout: .seconds(10), streams: 1, grace: grace)
        // Requests never wait for another turn, however slow the machine.
        limits.turn = .hours(1)
        limit(&limits)
        let handler = try ConnectionHandler(
            loop: try loop ?? WireLoop(TestIdentity.identity), usesTLS: false, responder: responder, limits: limits)
        try channel.pipeline.syncOperations.addHandler(handler)
        if let openingAct { channel.triggerUserOutboundEvent(ConnectionCommand.act(openingAct), promise: nil) }
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        nghttp2_hd_inflate_new(&inflater)
    }

    deinit { nghttp2_hd_inflate_del(inflater) }

    /// A connection whose SETTINGS are acknowledged on both sides.
    static func greeted(
        _ responder: ScriptedResponder = ScriptedResponder(), settings: [UInt8] = [], loop: WireLoop? = nil,
        limit: (inout ConnectionLimits) -> Void = { _ in }
    ) throws -> FrameClient {
        let client = try FrameClient(responder, loop: loop, limit: limit)
        try client.send(preface, Frame(kind: .settings, payload: settings).bytes, Frame.settingsAck.bytes)
        return client
    }

    /// A connection as above, whose requests get these answers.
    static func greeted(answering answers: [PushResponse], settings: [UInt8] = []) throws -> FrameClient {
        let responder = ScriptedResponder()
        responder.answers = answers
        return try greeted(responder, settings: settings)
    }

    /// Sends bytes; returns the frames that have come by then.
    @discardableResult
    func send(_ bytes: [UInt8]...) throws -> [Frame] {
        try channel.writeInbound(ByteBuffer(bytes: Array(bytes.joined())))
        return try received()
    }

    /// Sends the connection a command; returns the frames that have come by then.
    func tell(_ command: ConnectionCommand) throws -> [Frame] {
        channel.triggerUserOutboundEvent(command, promise: nil)
        // Answers are sent together once the loop goes on.
        channel.embeddedEventLoop.run()
        return try received()
    }

    /// The frames that have come since the last call.
    func received() throws -> [Frame] {
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { rest += Array(buffer.readableBytesView) }
        let (frames, rest) = Frame.frames(in: rest)
        self.rest = rest
        return frames
    }

    /// A whole push as bytes.
    static func push(_ stream: UInt32, body: [UInt8] = Array("{}".utf8), prefix: [UInt8] = []) -> [UInt8] {
        open(stream, prefix: prefix)
            + Frame(kind: .data, flags: Frame.endStream, stream: stream, payload: body).bytes
    }

    /// The HEADERS of a push, as literals without indexing (RFC 7541 §6.2.2), after a prefix of the block.
    static func open(
        _ stream: UInt32, method: String = "POST", prefix: [UInt8] = [], further: [(String, String)] = []
    ) -> [UInt8] {
        var block = prefix
        let fields =
            [(":method", method), (":scheme", "http"), (":path", "/3/device/00"), (":authority", "localhost")] + further
        for (name, value) in fields {
            block += [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
        }
        return Frame(kind: .headers, flags: Frame.endHeaders, stream: stream, payload: block).bytes
    }

    /// The fields of a HEADERS frame; all frames have to be decoded, in order.
    func fields(_ frame: Frame) -> [String] {
        var fields: [String] = []
        var input = frame.payload
        input.withUnsafeMutableBufferPointer { input in
            var offset = 0
            while offset < input.count {
                var field = nghttp2_nv()
                var flags: Int32 = 0
                let count = nghttp2_hd_inflate_hd2(
                    inflater, &field, &flags, input.baseAddress.map { $0 + offset }, input.count - offset, 1)
                guard count >= 0 else { return }
                offset += count
                if UInt32(flags) & NGHTTP2_HD_INFLATE_EMIT.rawValue != 0 {
                    let name = String(
                        decoding: UnsafeBufferPointer(start: field.name, count: field.namelen), as: UTF8.self)
                    let value = String(
                        decoding: UnsafeBufferPointer(start: field.value, count: field.valuelen), as: UTF8.self)
                    fields.append("\(name): \(value)")
                }
                if UInt32(flags) & NGHTTP2_HD_INFLATE_FINAL.rawValue != 0 { break }
            }
        }
        nghttp2_hd_inflate_end_headers(inflater)
        return fields
    }

    /// The traffic of the connection so far.
    func traffic() -> ConnectionTraffic? {
        let box = TrafficBox()
        channel.triggerUserOutboundEvent(
            ConnectionCommand.inspect { traffic in box.traffic.withLock { $0 = traffic } }, promise: nil)
        return box.traffic.withLock { $0 }
    }

    /// Lets the time pass that a closed connection waits for its peer.
    func letLinger() { channel.embeddedEventLoop.advanceTime(by: .seconds(10)) }
}

private final class TrafficBox: Sendable {
    let traffic = Mutex<ConnectionTraffic?>(nil)
}
