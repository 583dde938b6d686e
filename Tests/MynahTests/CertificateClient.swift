import APNsRules
import CNghttp2
import MynahWire
import NIOCore
import NIOHTTP1
import NIOPosix

/// One connection with TLS and HTTP/2 that shows a certificate, one request after the other.
enum CertificateClient {
    /// What a request says: all fields, pseudo-headers first, and its body.
    typealias Request = (fields: [HTTPField], body: [UInt8])
    private typealias Channel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Connects, waits for the server's SETTINGS, and passes on a function that sends a request and returns its reply.
    ///
    /// The server's SETTINGS show that it accepted the certificate. With a `target` the port is a proxy's, which is
    /// asked for that first.
    static func with<Result: Sendable>(
        port: Int, caPEM: String, identity: ClientIdentity, version: TLSVersion, asking target: String? = nil,
        _ body: (_ send: (Request) async throws -> HTTP1Connection.Reply) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try Channel(wrappingChannelSynchronously: channel) }
            }
        return try await channel.executeThenClose { inbound, outbound in
            let connection = try SecureConnection(caPEM: caPEM, identity: identity, version: version)
            var arrivals = inbound.makeAsyncIterator()
            if let target {
                try await outbound.write(ByteBuffer(string: "CONNECT \(target) HTTP/1.1\r\n\r\n"))
                guard let answer = try await arrivals.next(), String(buffer: answer).hasPrefix("HTTP/1.1 200 ") else {
                    throw ClientFault("the proxy did not answer 200")
                }
            }
            try await outbound.write(try connection.advance())
            while !connection.streams.hasSettings {
                guard let buffer = try await arrivals.next() else { throw ChannelError.eof }
                try await outbound.write(try connection.advance(by: buffer))
            }
            return try await body { request in
                try connection.streams.submit(request.fields, request.body)
                try await outbound.write(try connection.advance())
                while connection.streams.reply == nil {
                    guard let buffer = try await arrivals.next() else { throw ChannelError.eof }
                    try await outbound.write(try connection.advance(by: buffer))
                }
                return try connection.streams.takeReply()
            }
        }
    }
}

/// What went wrong on the client's side.
private struct ClientFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// Throws for an error code of nghttp2.
    static func check(_ result: Int) throws {
        if result < 0 { throw ClientFault(String(cString: nghttp2_strerror(Int32(result)))) }
    }
}

/// TLS around HTTP/2: ciphertext in, ciphertext out.
private final class SecureConnection {
    let streams: ClientStreams
    private var tls: TLSSession
    private var isHandshaking = true
    private var plaintext = [UInt8](repeating: 0, count: 16_384)

    init(caPEM: String, identity: ClientIdentity, version: TLSVersion) throws {
        let context = try ClientTLSContext(caPEM: Array(caPEM.utf8), identity: identity, version: version)
        tls = try TLSSession(client: context, host: "localhost")
        streams = try ClientStreams()
    }

    func advance(by arrival: ByteBuffer) throws -> ByteBuffer {
        tls.receive(arrival)
        return try advance()
    }

    func advance() throws -> ByteBuffer {
        if isHandshaking, case .complete = try checked(tls.handshake()) { isHandshaking = false }
        if !isHandshaking {
            while case .complete(let count) = try checked(tls.read(into: &plaintext)) {
                try streams.receive(plaintext[..<count])
            }
            let output = try streams.takeOutput()
            if !output.isEmpty { _ = try checked(output.withUnsafeBytes { tls.write($0.bytes) }) }
        }
        return tls.takeOutput() ?? ByteBuffer()
    }

    private func checked(_ progress: TLSSession.Progress) throws -> TLSSession.Progress {
        if case .failed(let error) = progress { throw ClientFault("TLS failed: \(error)") }
        return progress
    }
}

/// The client's side of HTTP/2, with one stream open at most.
private final class ClientStreams {
    private let session: OpaquePointer
    // The session has its address, and ends before it.
    private let recorder = Recorder()

    /// What the callbacks write down, and the body that they hand out.
    final class Recorder {
        var hasSettings = false
        var isReset = false
        var isEnded = false
        var fields: [(String, String)] = []
        var body: [UInt8] = []
        var rest: ArraySlice<UInt8> = []

        static func of(_ pointer: UnsafeMutableRawPointer?) -> Recorder {
            guard let pointer else { preconditionFailure("nghttp2 called back without its user data") }
            return Unmanaged<Recorder>.fromOpaque(pointer).takeUnretainedValue()
        }

        func received(_ header: nghttp2_frame_hd) {
            if header.type == UInt8(NGHTTP2_SETTINGS.rawValue) { hasSettings = true }
            if header.type == UInt8(NGHTTP2_RST_STREAM.rawValue) { isReset = true }
            let carriesReply =
                header.type == UInt8(NGHTTP2_HEADERS.rawValue) || header.type == UInt8(NGHTTP2_DATA.rawValue)
            if carriesReply, header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 { isEnded = true }
        }
    }

    init() throws {
        var callbacks: OpaquePointer?
        try ClientFault.check(Int(nghttp2_session_callbacks_new(&callbacks)))
        defer { nghttp2_session_callbacks_del(callbacks) }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, _, name, nameCount, value, valueCount, _, user in
            let field = (
                UnsafeBufferPointer(start: name, count: nameCount), UnsafeBufferPointer(start: value, count: valueCount)
            )
            Recorder.of(user).fields.append(
                (String(decoding: field.0, as: UTF8.self), String(decoding: field.1, as: UTF8.self)))
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, _, bytes, count, user in
            Recorder.of(user).body += UnsafeBufferPointer(start: bytes, count: count)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            if let frame { Recorder.of(user).received(frame.pointee.hd) }
            return 0
        }
        var made: OpaquePointer?
        let user = Unmanaged.passUnretained(recorder).toOpaque()
        try ClientFault.check(Int(nghttp2_session_client_new(&made, callbacks, user)))
        guard let made else { throw ClientFault("no memory for an HTTP/2 session") }
        session = made
        try ClientFault.check(Int(nghttp2_submit_settings(session, 0, nil, 0)))
    }

    deinit { nghttp2_session_del(session) }

    /// Whether the server's SETTINGS have come.
    var hasSettings: Bool { recorder.hasSettings }

    /// Whether the reply has arrived, or never will; `nil` while it is awaited.
    var reply: Bool? { recorder.isEnded ? true : recorder.isReset ? false : nil }

    func submit(_ fields: [HTTPField], _ body: [UInt8]) throws {
        recorder.rest = body[...]
        var source = nghttp2_data_provider()
        source.read_callback = { _, _, buffer, capacity, flags, _, user in
            guard let buffer, let flags else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
            let recorder = Recorder.of(user)
            let part = recorder.rest.prefix(capacity)
            recorder.rest = recorder.rest.dropFirst(part.count)
            _ = UnsafeMutableBufferPointer(start: buffer, count: capacity).update(fromContentsOf: part)
            if recorder.rest.isEmpty { flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
            return part.count
        }
        // One block that stays where it is while nghttp2 copies from it.
        var block = fields.flatMap { Array($0.name.utf8) + Array($0.value.utf8) }
        let stream = block.withUnsafeMutableBufferPointer { block in
            var offset = 0
            let list = fields.map { field in
                let nameCount = field.name.utf8.count
                let valueCount = field.value.utf8.count
                defer { offset += nameCount + valueCount }
                return nghttp2_nv(
                    name: block.baseAddress.map { $0 + offset },
                    value: block.baseAddress.map { $0 + offset + nameCount }, namelen: nameCount,
                    valuelen: valueCount, flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
            }
            guard !body.isEmpty else { return nghttp2_submit_request(session, nil, list, list.count, nil, nil) }
            return nghttp2_submit_request(session, nil, list, list.count, &source, nil)
        }
        try ClientFault.check(Int(stream))
    }

    func receive(_ bytes: ArraySlice<UInt8>) throws {
        try ClientFault.check(
            bytes.withUnsafeBufferPointer { nghttp2_session_mem_recv(session, $0.baseAddress, $0.count) })
    }

    func takeOutput() throws -> [UInt8] {
        var output: [UInt8] = []
        while true {
            var start: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &start)
            try ClientFault.check(count)
            guard count > 0 else { return output }
            output += UnsafeBufferPointer(start: start, count: count)
        }
    }

    /// The reply, once it is there; the next request may follow.
    func takeReply() throws -> HTTP1Connection.Reply {
        guard recorder.isEnded else { throw ClientFault("the stream was reset before the reply was complete") }
        defer {
            recorder.isEnded = false
            recorder.fields = []
            recorder.body = []
        }
        guard let status = recorder.fields.first(where: { $0.0 == ":status" }).flatMap({ Int($0.1) }) else {
            throw ClientFault("the reply has no status")
        }
        return HTTP1Connection.Reply(
            status: status, headers: HTTPHeaders(recorder.fields.filter { !$0.0.hasPrefix(":") }), body: recorder.body)
    }
}
