package import APNsRules
internal import CNghttp2

/// The outcome of the request of a session.
package enum HTTP2ClientOutcome: Sendable {
    /// The answer isn't complete.
    case pending
    /// The answer: all its fields, `:status` first, and its body.
    case answered(fields: [HTTPField], body: [UInt8])
    /// The stream was reset, or the connection ended, before the answer; a clause.
    case failed(String)
}

/// One HTTP/2 connection on the provider's side, for one request (RFC 9113).
///
/// Its callbacks only record; ``outcome`` is valid after ``receive(_:)`` has returned.
package struct HTTP2ClientSession: ~Copyable {
    private let raw: OpaquePointer
    // nghttp2 has an unretained pointer to it; released after `raw` is freed.
    private let box: ClientRecorder

    /// The most bytes of an answer's body that are kept; APNs' refusals have a few dozen.
    package static let bodyBytesMax = 1 << 20

    /// A session whose first output has the preface and the request.
    ///
    /// - Throws: ``HTTP2Error`` when memory runs out or a field is invalid.
    package init(fields: [HTTPField], body: [UInt8]) throws(HTTP2Error) {
        let box = ClientRecorder(requestBody: body)
        guard let raw = HTTP2ClientSession.makeSession(box) else { throw .failed("no memory for an HTTP/2 session") }
        let settings = [nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0)]
        var result = nghttp2_submit_settings(raw, 0, settings, settings.count)
        if result == 0 { result = HTTP2ClientSession.submit(fields, hasBody: !body.isEmpty, to: raw) }
        guard result >= 0 else {
            nghttp2_session_del(raw)
            throw HTTP2Error(Int(result))
        }
        self.raw = raw
        self.box = box
    }

    deinit {
        nghttp2_session_del(raw)
    }

    /// The outcome so far.
    package var outcome: HTTP2ClientOutcome { box.outcome }

    /// The contents of the peer's GOAWAY as a clause; `nil` when none came.
    package var goAway: String? { box.goAway }

    /// Takes in plaintext from the peer.
    ///
    /// - Throws: ``HTTP2Error`` when the connection can't go on.
    package mutating func receive(_ bytes: RawSpan) throws(HTTP2Error) {
        let result = bytes.withUnsafeBytes { bytes in
            nghttp2_session_mem_recv(raw, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        guard result >= 0 else { throw HTTP2Error(result) }
    }

    /// Takes all that is to be sent now.
    ///
    /// - Throws: ``HTTP2Error`` when the session is beyond use.
    package mutating func takeOutput() throws(HTTP2Error) -> [UInt8] {
        var output: [UInt8] = []
        while true {
            var start: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(raw, &start)
            guard count >= 0 else { throw HTTP2Error(count) }
            guard count > 0, let start else { return output }
            output.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
        }
    }

    private static func makeSession(_ box: ClientRecorder) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, let callbacks else { return nil }
        defer { nghttp2_session_callbacks_del(callbacks) }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, _, name, nameCount, value, valueCount, _, box in
            ClientRecorder.of(box).field(
                UnsafeBufferPointer(start: name, count: nameCount), UnsafeBufferPointer(start: value, count: valueCount)
            )
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, _, bytes, count, box in
            ClientRecorder.of(box).data(UnsafeBufferPointer(start: bytes, count: count))
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, box in
            if let frame { ClientRecorder.of(box).received(frame) }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, _, code, box in
            ClientRecorder.of(box).closed(code)
            return 0
        }
        var session: OpaquePointer?
        let userData = Unmanaged.passUnretained(box).toOpaque()
        guard nghttp2_session_client_new(&session, callbacks, userData) == 0 else { return nil }
        return session
    }

    /// Submits HEADERS and, with a body, DATA.
    ///
    /// - Returns: the stream, or a negative error of nghttp2.
    private static func submit(_ fields: [HTTPField], hasBody: Bool, to raw: OpaquePointer) -> Int32 {
        fields.withNameValues { list in
            guard hasBody else { return nghttp2_submit_request(raw, nil, list.baseAddress, list.count, nil, nil) }
            var provider = nghttp2_data_provider()
            provider.read_callback = { _, _, buffer, capacity, flags, _, box in
                guard let buffer, let flags else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
                let (count, isEnd) = ClientRecorder.of(box).takeBody(
                    into: UnsafeMutableBufferPointer(start: buffer, count: capacity))
                if isEnd { flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
                return count
            }
            return nghttp2_submit_request(raw, nil, list.baseAddress, list.count, &provider, nil)
        }
    }
}

/// What nghttp2's callbacks record, and the request's body that they read.
private final class ClientRecorder {
    private(set) var outcome = HTTP2ClientOutcome.pending
    private let requestBody: [UInt8]
    private var sent = 0
    private var fields: [HTTPField] = []
    private var body: [UInt8] = []
    private(set) var goAway: String?

    init(requestBody: [UInt8]) {
        self.requestBody = requestBody
    }

    /// The recorder behind the user data, which its session owns and C never retains.
    static func of(_ userData: UnsafeMutableRawPointer?) -> ClientRecorder {
        guard let userData else { preconditionFailure("nghttp2 called back without its user data") }
        return Unmanaged<ClientRecorder>.fromOpaque(userData).takeUnretainedValue()
    }

    func field(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        fields.append(HTTPField(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
    }

    func data(_ bytes: UnsafeBufferPointer<UInt8>) {
        body.append(contentsOf: bytes.prefix(HTTP2ClientSession.bodyBytesMax - body.count))
    }

    func received(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = frame.pointee.hd
        if header.type == UInt8(NGHTTP2_GOAWAY.rawValue) {
            let debug = UnsafeBufferPointer(
                start: frame.pointee.goaway.opaque_data, count: frame.pointee.goaway.opaque_data_len)
            note(goAway: Array(debug), code: frame.pointee.goaway.error_code)
        }
        let ends = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        let isMessage = header.type == UInt8(NGHTTP2_HEADERS.rawValue) || header.type == UInt8(NGHTTP2_DATA.rawValue)
        if ends, isMessage, case .pending = outcome { outcome = .answered(fields: fields, body: body) }
    }

    // Only the first one has a reason (`ProviderAPI#GOAWAY`).
    private func note(goAway debug: [UInt8], code: UInt32) {
        guard goAway == nil else { return }
        let reason: String
        do {
            reason = try JSONValue(parsing: debug)["reason"]?.string ?? String(decoding: debug, as: UTF8.self)
        } catch {
            reason = debug.isEmpty ? HTTP2ErrorCode(rawValue: code).name : String(decoding: debug, as: UTF8.self)
        }
        goAway = "the server ended the connection: \(reason)"
    }

    func closed(_ code: UInt32) {
        guard case .pending = outcome else { return }
        outcome = .failed("the stream was closed without an answer: \(HTTP2ErrorCode(rawValue: code).name)")
    }

    func takeBody(into buffer: UnsafeMutableBufferPointer<UInt8>) -> (count: Int, isEnd: Bool) {
        let count = min(buffer.count, requestBody.count - sent)
        _ = buffer.update(fromContentsOf: requestBody[sent..<(sent + count)])
        sent += count
        return (count, sent == requestBody.count)
    }
}
