internal import APNsRules
internal import CNghttp2

/// An error that ends an HTTP/2 connection.
struct HTTP2Error: Error {
    let text: String
    /// The code of the GOAWAY that reports the error.
    let code: HTTP2ErrorCode
    /// The first line that was received instead of HTTP/2's preface (RFC 9113 §3.4).
    var firstLine: String?

    init(_ text: String, code: HTTP2ErrorCode = .protocolError) {
        self.text = text
        self.code = code
    }
    init(_ result: Int) { self.init(String(cString: nghttp2_strerror(Int32(result)))) }
}

/// The owner of nghttp2's session for a server and of the memory to which its callbacks write.
///
/// Translates between Swift's types and C's, and decides nothing. nghttp2 must not be called from its callbacks, except
/// as they document: they record, and ``HTTP2Session`` acts once the call has returned.
struct NGHTTP2Session: ~Copyable {
    private let raw: OpaquePointer
    // nghttp2's user data: allocated before `raw` and freed after it.
    private let memory: UnsafeMutablePointer<HTTP2Recorder>
    // Allocated before `raw` and freed after it, as nghttp2 frees its memory by it.
    private let allocator: UnsafeMutablePointer<SessionAllocator>

    init(_ frameBuffer: FrameBuffer) throws(HTTP2Error) {
        let memory = UnsafeMutablePointer<HTTP2Recorder>.allocate(capacity: 1)
        memory.initialize(to: HTTP2Recorder())
        let allocator = UnsafeMutablePointer<SessionAllocator>.allocate(capacity: 1)
        allocator.initialize(to: SessionAllocator(frameBuffer))
        guard let raw = NGHTTP2Session.make(memory, allocator) else {
            NGHTTP2Session.free(memory, allocator)
            throw HTTP2Error("no memory for an HTTP/2 session")
        }
        self.raw = raw
        self.memory = memory
        self.allocator = allocator
    }

    deinit {
        nghttp2_session_del(raw)
        NGHTTP2Session.free(memory, allocator)
    }

    private static func free(
        _ memory: UnsafeMutablePointer<HTTP2Recorder>, _ allocator: UnsafeMutablePointer<SessionAllocator>
    ) {
        memory.deinitialize(count: 1)
        memory.deallocate()
        allocator.deinitialize(count: 1)
        allocator.deallocate()
    }

    /// What the callbacks have recorded; not to be used during a call of nghttp2.
    var recorder: HTTP2Recorder {
        @inline(__always) _read { yield memory.pointee }
        @inline(__always) nonmutating _modify { yield &memory.pointee }
    }

    // MARK: In

    func receive(_ bytes: RawSpan) throws(HTTP2Error) { try NGHTTP2Session.receive(bytes, in: raw) }

    static func receive(_ bytes: RawSpan, in raw: OpaquePointer) throws(HTTP2Error) {
        guard !bytes.isEmpty else { return }
        let result = bytes.withUnsafeBytes { bytes in
            nghttp2_session_mem_recv(raw, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        guard result < 0 else { return }
        guard result == Int(NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue) else { throw HTTP2Error(result) }
        var error = HTTP2Error("HTTP/2 client preface string missing or corrupt")
        // Cut at the first byte that is not text, and to a length that a GOAWAY may repeat.
        error.firstLine = bytes.withUnsafeBytes { bytes in
            String(decoding: bytes.prefix(128).prefix { (0x20..<0x7F).contains($0) }, as: UTF8.self)
        }
        throw error
    }

    /// Whether nghttp2 knows the stream: it is open, at least in one direction.
    func knows(_ stream: Int32) -> Bool { nghttp2_session_get_stream_remote_close(raw, stream) >= 0 }
    func slot(of stream: Int32) -> Int? { NGHTTP2Session.slot(of: stream, raw) }
    var peerFrameBytesMax: Int { Int(nghttp2_session_get_remote_settings(raw, NGHTTP2_SETTINGS_MAX_FRAME_SIZE)) }

    // MARK: Out

    func nextFrame() throws(HTTP2Error) -> UnsafeBufferPointer<UInt8>? { try NGHTTP2Session.nextFrame(of: raw) }

    /// The next frame that a session sends, valid until the next call; `nil` if there is none.
    static func nextFrame(of raw: OpaquePointer) throws(HTTP2Error) -> UnsafeBufferPointer<UInt8>? {
        var start: UnsafePointer<UInt8>?
        let count = nghttp2_session_mem_send(raw, &start)
        guard count >= 0 else { throw HTTP2Error(count) }
        guard count > 0, let start else { return nil }
        return UnsafeBufferPointer(start: start, count: count)
    }

    /// Whether nghttp2 has something left to read or write.
    var wantsMore: Bool { nghttp2_session_want_read(raw) != 0 || nghttp2_session_want_write(raw) != 0 }

    /// Submits HEADERS and, if the slot has a reply's body, DATA; the last of them ends the stream.
    func submit(
        _ reply: borrowing Reply, on stream: Int32, slot: Int, hasBody: Bool, _ names: inout ReplyFields.Names
    ) {
        ReplyFields.withList(of: reply, &names) { list in
            withUnsafePointer(to: NGHTTP2Session.bodyProvider(slot)) {
                _ = nghttp2_submit_response(raw, stream, list.baseAddress, list.count, hasBody ? $0 : nil)
            }
        }
    }

    /// Submits a reply's HEADERS without END_STREAM, and nothing after them.
    func submitHeaders(of reply: borrowing Reply, on stream: Int32, _ names: inout ReplyFields.Names) {
        ReplyFields.withList(of: reply, &names) { list in
            _ = nghttp2_submit_headers(
                raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, nil, list.baseAddress, list.count, nil)
        }
    }

    /// Submits 431 without a body (RFC 6585 §5).
    func submitHeaderListTooLarge(on stream: Int32) {
        withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: 1) { list in
            list[0] = ReplyFields.field(":status", "431")
            _ = nghttp2_submit_response(raw, stream, list.baseAddress, 1, nil)
        }
    }

    func reset(_ stream: Int32, _ code: HTTP2ErrorCode) { nghttp2_submit_rst_stream(raw, 0, stream, code.rawValue) }

    /// Submits GOAWAY: streams above its last one are closed, and later ones ignored.
    func submitGoAway(_ code: HTTP2ErrorCode = .noError, lastStreamID last: Int32, _ debugData: [UInt8] = []) {
        // A client's streams have odd numbers, and nghttp2 accepts no other: 4 denies what 3 denies.
        let result = nghttp2_submit_goaway(
            raw, 0, last > 0 && last % 2 == 0 ? last - 1 : last, code.rawValue, debugData, debugData.count)
        precondition(result == 0, "nghttp2 refused GOAWAY: \(String(cString: nghttp2_strerror(result)))")
    }

    func submit(_ settings: [HTTP2Setting]) {
        let entries = settings.map { nghttp2_settings_entry(settings_id: Int32($0.id.rawValue), value: $0.value) }
        let result = nghttp2_submit_settings(raw, 0, entries, entries.count)
        precondition(result == 0, "nghttp2 refused SETTINGS: \(String(cString: nghttp2_strerror(result)))")
    }

    /// Submits the PING whose answer is recorded as the end of an announcement's round trip.
    func submitAnnouncementPing() {
        withUnsafeBytes(of: nghttp2_ping.announcement) { data in
            _ = nghttp2_submit_ping(raw, 0, data.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
    }

    func submitPing() { _ = nghttp2_submit_ping(raw, 0, nil) }

    // MARK: Callbacks

    private static func make(
        _ memory: UnsafeMutablePointer<HTTP2Recorder>, _ allocator: UnsafeMutablePointer<SessionAllocator>
    ) -> OpaquePointer? {
        withCallbacks { callbacks in
            fill(callbacks)
            var options: OpaquePointer?
            guard nghttp2_option_new(&options) == 0, let options else { return nil }
            defer { nghttp2_option_del(options) }
            // nghttp2 would keep as many closed streams as its stream limit, which is unlimited; see ``ClosedStreams``.
            nghttp2_option_set_no_closed_streams(options, 1)
            var session: OpaquePointer?
            var functions = SessionAllocator.functions(of: allocator)
            return nghttp2_session_server_new3(&session, callbacks, memory, options, &functions) == 0 ? session : nil
        }
    }

    /// Lends an empty set of callbacks to `body`, which makes a session with them; `nil` if memory runs out.
    static func withCallbacks(_ body: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, let callbacks else { return nil }
        defer { nghttp2_session_callbacks_del(callbacks) }
        return body(callbacks)
    }

    private static func fill(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { session, frame, userData in
            guard let session, let frame, frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else { return 0 }
            let id = frame.pointee.hd.stream_id
            guard let slot = NGHTTP2Session.recorder(userData, { $0.opened(id) }) else {
                return NGHTTP2Session.resetWhileReading(session, id, with: .refusedStream)
            }
            // Slot numbers begin at 0, and a null pointer means "no slot".
            nghttp2_session_set_stream_user_data(session, id, UnsafeMutableRawPointer(bitPattern: slot + 1))
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            session, frame, name, nameCount, value, valueCount, _, userData in
            guard let session, let frame else { return 0 }
            let name = UnsafeBufferPointer(start: name, count: nameCount)
            let value = UnsafeBufferPointer(start: value, count: valueCount)
            let id = frame.pointee.hd.stream_id
            if NGHTTP2Session.recorder(userData, { $0.field(session, id, name: name, value: value) }) { return 0 }
            return NGHTTP2Session.resetWhileReading(session, id, with: .enhanceYourCalm)
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            session, _, id, bytes, count, userData in
            guard let session else { return 0 }
            NGHTTP2Session.recorder(userData) { $0.data(session, id, bytes: .init(start: bytes, count: count)) }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, userData in
            if let session, let frame { NGHTTP2Session.recorder(userData) { $0.received(session, frame) } }
            return 0
        }
        nghttp2_session_callbacks_set_error_callback2(callbacks) { _, _, message, count, userData in
            guard let message else { return 0 }
            message.withMemoryRebound(to: UInt8.self, capacity: count) { start in
                NGHTTP2Session.recorder(userData) { $0.complained(UnsafeBufferPointer(start: start, count: count)) }
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, frame, error, userData in
            if let frame { NGHTTP2Session.recorder(userData) { $0.refused(frame.pointee.hd.stream_id, error) } }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { session, id, _, userData in
            if let session { NGHTTP2Session.recorder(userData) { $0.closed(session, id) } }
            return 0
        }
    }

    /// Resets the stream whose header block is being read; the rest of the block only keeps the compression in step.
    private static func resetWhileReading(_ session: OpaquePointer, _ id: Int32, with code: HTTP2ErrorCode) -> Int32 {
        // nghttp2's way to choose the code.
        nghttp2_submit_rst_stream(session, 0, id, code.rawValue)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    /// Lets nghttp2 fetch a reply's body from its slot: in one piece if the peer's window and frame size allow.
    private static func bodyProvider(_ slot: Int) -> nghttp2_data_provider {
        var provider = nghttp2_data_provider()
        provider.source.fd = Int32(slot)
        provider.read_callback = { _, _, buffer, capacity, flags, source, userData in
            guard let slot = source.map({ Int($0.pointee.fd) }) else {
                return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
            }
            return NGHTTP2Session.recorder(userData) { recorder in
                recorder.streams.sendReply(slot) {
                    NGHTTP2Session.move(&$0, to: buffer, capacity: capacity, flags: flags)
                }
            }
        }
        return provider
    }

    /// Moves the front of a body to nghttp2's buffer, and flags the body's end; returns the number of bytes.
    @inline(__always)
    static func move(
        _ body: inout ArraySlice<UInt8>, to buffer: UnsafeMutablePointer<UInt8>?, capacity: Int,
        flags: UnsafeMutablePointer<UInt32>?
    ) -> Int {
        guard let buffer, let flags else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
        let count = min(capacity, body.count)
        _ = UnsafeMutableBufferPointer(start: buffer, count: count).update(from: body)
        body.removeFirst(count)
        if body.isEmpty { flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
        return count
    }

    /// The recorder of the user data, a bare pointer because this runs some fifteen times for every push.
    @inline(__always)
    private static func recorder<Result>(
        _ userData: UnsafeMutableRawPointer?, _ body: (inout HTTP2Recorder) -> Result
    ) -> Result {
        guard let userData else { preconditionFailure("nghttp2 called back without its user data") }
        return body(&userData.assumingMemoryBound(to: HTTP2Recorder.self).pointee)
    }

    static func slot(of stream: Int32, _ session: OpaquePointer) -> Int? {
        let number = Int(bitPattern: nghttp2_session_get_stream_user_data(session, stream))
        return number > 0 ? number - 1 : nil
    }
}

extension nghttp2_ping {
    /// The payload of the PING between two GOAWAYs.
    static let announcement: UInt64 = 0x6761_6f77_6179_0a0a

    /// Whether the frame is the answer to the PING after an announcement.
    var isAnnouncement: Bool {
        withUnsafeBytes(of: opaque_data) { $0.loadUnaligned(as: UInt64.self) == nghttp2_ping.announcement }
    }
}
