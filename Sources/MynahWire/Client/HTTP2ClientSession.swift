internal import APNsRules
internal import CNghttp2

/// An HTTP/2 connection on the provider's side, for one request at a time (RFC 9113); ``outcome`` is the newest
/// request's, and valid after each call.
final class HTTP2ClientSession {
    enum Outcome {
        case pending
        /// The answer's fields, `:status` first, and its body.
        case answered(fields: [HTTPField], body: [UInt8])
        /// The stream was reset, or the connection ended, before the answer; a clause.
        case failed(String)
    }

    /// What a server may send for one request; beyond it the connection ends.
    enum Limit {
        /// Bytes of an answer's body: APNs' refusals have a few dozen, a list of 10,000 channels 300 kB.
        static let bodyBytesMax = 1 << 20
        /// Bytes of a list of header fields as RFC 9113 §6.5.2 counts them.
        static let headerListBytesMax = Limits.headerListBytesReadMax
        /// Interim answers (RFC 9110 §15.2).
        static let interimAnswersMax = 100
        /// SETTINGS frames: APNs sends two.
        static let settingsMax = 100
        /// The most bytes of all frames, four times the bytes of the largest body.
        static let bytesMax = 4 << 20
    }

    private let raw: OpaquePointer
    /// The newest request's; 0 before the first.
    private(set) var stream: Int32 = 0
    private var unsentBody: ArraySlice<UInt8> = []
    private var fields: [HTTPField] = []
    private var headerListBytes = 0
    private var body: [UInt8] = []
    private var interimAnswers = 0
    private var bytesReceived = 0
    /// The ``Limit`` that the server has exceeded, as a clause.
    private var excess: String?
    private(set) var outcome = Outcome.pending
    /// The contents of the peer's GOAWAY as a clause; `nil` if none came.
    private(set) var goAway: String?
    /// The peer's first GOAWAY, whose debug data has the reason (`ProviderAPI#GOAWAY`); `nil` if none came.
    private(set) var goAwayFrame: (code: HTTP2ErrorCode, lastStreamID: Int32, debugData: [UInt8])?
    /// The peer's SETTINGS, frame by frame, acknowledgements left out.
    private(set) var settings: [[(id: UInt16, value: UInt32)]] = []
    /// How many PINGs the peer has answered.
    private(set) var answeredPings = 0

    convenience init(fields: [HTTPField], body: [UInt8]) throws(HTTP2Error) {
        try self.init()
        try begin(fields, body)
    }

    /// A connection without a request.
    init() throws(HTTP2Error) {
        let raw = NGHTTP2Session.withCallbacks { callbacks in
            HTTP2ClientSession.fill(callbacks)
            var session: OpaquePointer?
            return nghttp2_session_client_new(&session, callbacks, nil) == 0 ? session : nil
        }
        guard let raw else { throw HTTP2Error("no memory for an HTTP/2 session") }
        self.raw = raw
        nghttp2_session_set_user_data(raw, Unmanaged.passUnretained(self).toOpaque())
        let settings = [nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0)]
        let result = nghttp2_submit_settings(raw, 0, settings, settings.count)
        guard result >= 0 else { throw HTTP2Error(Int(result)) }
    }

    deinit { nghttp2_session_del(raw) }

    /// Parses bytes of the server; throws if they break HTTP/2 or exceed a ``Limit``, see ``problem(of:)``.
    func receive(_ bytes: RawSpan) throws(HTTP2Error) {
        bytesReceived += bytes.byteCount
        if bytesReceived > Limit.bytesMax { exceed("more than \(Limit.bytesMax) bytes for one request") }
        if let excess { throw HTTP2Error(excess) }
        try NGHTTP2Session.receive(bytes, in: raw)
    }

    /// An error of ``receive(_:)`` as a clause.
    func problem(of error: HTTP2Error) -> String {
        excess.map { "the server sent \($0)" } ?? "the server broke HTTP/2: \(error.text)"
    }

    /// Records that the server has exceeded a limit; returns what makes nghttp2 stop.
    @discardableResult
    private func exceed(_ problem: String) -> Int32 {
        excess = excess ?? problem
        return Int32(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
    }

    func takeOutput() throws(HTTP2Error) -> [UInt8] {
        var output: [UInt8] = []
        while let frame = try NGHTTP2Session.nextFrame(of: raw) { output.append(contentsOf: frame) }
        return output
    }

    /// Whether HTTP/2 can go on; `false` once the peer or this side has ended it.
    var isAlive: Bool { nghttp2_session_want_read(raw) != 0 || nghttp2_session_want_write(raw) != 0 }

    /// Why HTTP/2 can't go on, as a clause; a peer that has begun has sent its first frame (RFC 9113 §3.4).
    static func endProblem(hasBegun: Bool) -> String {
        hasBegun ? "HTTP/2 was ended" : "the server doesn't speak HTTP/2"
    }

    /// Begins a request, the first or one after another; what was not sent of that one is given up.
    func begin(_ fields: [HTTPField], _ body: [UInt8]) throws(HTTP2Error) {
        resetUnsentRest()
        unsentBody = body[...]
        self.fields = []
        self.body = []
        outcome = .pending
        headerListBytes = 0
        interimAnswers = 0
        bytesReceived = 0
        let result = submit(fields)
        guard result >= 0 else { throw HTTP2Error(Int(result)) }
        stream = result
    }

    /// Resets the stream if its request was answered before all of it was sent.
    func resetUnsentRest() {
        guard !unsentBody.isEmpty else { return }
        nghttp2_submit_rst_stream(raw, 0, stream, HTTP2ErrorCode.cancel.rawValue)
        unsentBody = []
    }

    /// Takes the SETTINGS that have come since the last call.
    func takeSettings() -> [[(id: UInt16, value: UInt32)]] {
        defer { settings = [] }
        return settings
    }

    func ping() throws(HTTP2Error) {
        let result = nghttp2_submit_ping(raw, 0, nil)
        guard result >= 0 else { throw HTTP2Error(Int(result)) }
    }

    /// Submits HEADERS and, with a body, DATA; returns the stream, or a negative error of nghttp2.
    private func submit(_ fields: [HTTPField]) -> Int32 {
        fields.withNameValues { list in
            var provider = nghttp2_data_provider()
            provider.read_callback = { _, _, buffer, capacity, flags, _, userData in
                NGHTTP2Session.move(
                    &HTTP2ClientSession.of(userData).unsentBody, to: buffer, capacity: capacity, flags: flags)
            }
            return withUnsafePointer(to: provider) {
                nghttp2_submit_request(raw, nil, list.baseAddress, list.count, unsentBody.isEmpty ? nil : $0, nil)
            }
        }
    }

    private static func fill(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, frame, name, nameCount, value, valueCount, _, userData in
            let session = HTTP2ClientSession.of(userData)
            guard frame?.pointee.hd.stream_id == session.stream else { return 0 }
            let name = UnsafeBufferPointer(start: name, count: nameCount)
            let value = UnsafeBufferPointer(start: value, count: valueCount)
            // 32: RFC 9113 §6.5.2.
            session.headerListBytes += nameCount + valueCount + 32
            guard session.headerListBytes <= Limit.headerListBytesMax else {
                return session.exceed("more than \(Limit.headerListBytesMax) bytes of header fields")
            }
            session.fields.append(
                HTTPField(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, bytes, count, userData in
            let session = HTTP2ClientSession.of(userData)
            guard id == session.stream else { return 0 }
            let bytes = UnsafeBufferPointer(start: bytes, count: count)
            guard session.body.count + count <= Limit.bodyBytesMax else {
                return session.exceed("a body of more than \(Limit.bodyBytesMax) bytes")
            }
            session.body.append(contentsOf: bytes)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, userData in
            let session = HTTP2ClientSession.of(userData)
            if let frame { session.received(frame) }
            return session.excess == nil ? 0 : Int32(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, code, userData in
            let session = HTTP2ClientSession.of(userData)
            guard id == session.stream, case .pending = session.outcome else { return 0 }
            session.outcome = .failed("the stream was closed without an answer: \(HTTP2ErrorCode(rawValue: code).name)")
            return 0
        }
    }

    /// The session of the user data, which C never retains.
    private static func of(_ userData: UnsafeMutableRawPointer?) -> HTTP2ClientSession {
        guard let userData else { preconditionFailure("nghttp2 called back without its user data") }
        return Unmanaged<HTTP2ClientSession>.fromOpaque(userData).takeUnretainedValue()
    }

    private func received(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = frame.pointee.hd
        switch HTTP2FrameType(rawValue: header.type) {
        // Only the first one has a reason (`ProviderAPI#GOAWAY`).
        case .goAway where goAway == nil: recordGoAway(frame.pointee.goaway)
        case .settings where header.flags & HTTP2Flag.ack == 0:
            guard settings.count < Limit.settingsMax else {
                exceed("more than \(Limit.settingsMax) SETTINGS frames for one request")
                return
            }
            let entries = UnsafeBufferPointer(start: frame.pointee.settings.iv, count: frame.pointee.settings.niv)
            settings.append(entries.map { (UInt16(truncatingIfNeeded: $0.settings_id), $0.value) })
        case .ping where header.flags & HTTP2Flag.ack != 0: answeredPings += 1
        case .headers, .data:
            guard header.stream_id == stream, case .pending = outcome else { return }
            guard header.flags & HTTP2Flag.endStream != 0 else { return endInterimAnswer() }
            outcome = .answered(fields: fields, body: body)
        default: break
        }
    }

    /// Drops the fields of an interim answer, if that is what has come (RFC 9113 §8.1).
    private func endInterimAnswer() {
        guard let status = fields.first, status.name == ":status", status.value.hasPrefix("1") else { return }
        interimAnswers += 1
        if interimAnswers > Limit.interimAnswersMax {
            exceed("more than \(Limit.interimAnswersMax) interim answers (1xx) to one request")
        }
        fields = []
        headerListBytes = 0
    }

    private func recordGoAway(_ frame: nghttp2_goaway) {
        let debug = Array(UnsafeBufferPointer(start: frame.opaque_data, count: frame.opaque_data_len))
        goAwayFrame = (HTTP2ErrorCode(rawValue: frame.error_code), frame.last_stream_id, debug)
        let text =
            debug.isEmpty ? HTTP2ErrorCode(rawValue: frame.error_code).name : String(decoding: debug, as: UTF8.self)
        // Parsing fails only for data that isn't JSON.
        let reason = (try? JSONValue(parsing: debug))?["reason"]?.string
        goAway = "the server ended the connection: \(reason ?? text)"
    }
}
