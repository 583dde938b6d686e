internal import CNghttp2

/// nghttp2's table of callbacks for a server; each session copies it.
///
/// Each callback unwraps its arguments, calls one method of the recorder and returns 0.
enum HTTP2Callbacks {
    /// Makes a server session that records at `recorder`, which must outlive it.
    static func makeServerSession(recordingAt recorder: UnsafeMutablePointer<HTTP2Recorder>) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, let callbacks else { return nil }
        defer { nghttp2_session_callbacks_del(callbacks) }
        fill(callbacks)
        var options: OpaquePointer?
        guard nghttp2_option_new(&options) == 0, let options else { return nil }
        defer { nghttp2_option_del(options) }
        // A closed stream's identifier is all that is needed of it; nghttp2 would keep whole streams for
        // priorities, which APNs ignores (`provider-api.md` §1.5).
        nghttp2_option_set_no_closed_streams(options, 1)
        var session: OpaquePointer?
        guard nghttp2_session_server_new2(&session, callbacks, recorder, options) == 0 else { return nil }
        return session
    }

    private static func fill(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { session, frame, userData in
            if let session, let frame { HTTP2Callbacks.recorder(userData) { $0.began(session, frame) } }
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            session, frame, name, nameCount, value, valueCount, _, userData in
            guard let session, let frame else { return 0 }
            let name = UnsafeBufferPointer(start: name, count: nameCount)
            let value = UnsafeBufferPointer(start: value, count: valueCount)
            HTTP2Callbacks.recorder(userData) {
                $0.field(session, frame.pointee.hd.stream_id, name: name, value: value)
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            session, _, id, bytes, count, userData in
            guard let session else { return 0 }
            HTTP2Callbacks.recorder(userData) { $0.data(session, id, UnsafeBufferPointer(start: bytes, count: count)) }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, userData in
            if let session, let frame { HTTP2Callbacks.recorder(userData) { $0.received(session, frame) } }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { session, id, _, userData in
            if let session { HTTP2Callbacks.recorder(userData) { $0.closed(session, id) } }
            return 0
        }
    }

    /// The recorder behind the user data.
    ///
    /// A bare pointer and no object: this runs some fifteen times for every push, and an object's reference count and
    /// access checks would cost more than most callbacks do.
    @inline(__always)
    static func recorder<Result>(
        _ userData: UnsafeMutableRawPointer?, _ body: (inout HTTP2Recorder) -> Result
    ) -> Result {
        guard let userData else { preconditionFailure("nghttp2 called back without its user data") }
        return body(&userData.assumingMemoryBound(to: HTTP2Recorder.self).pointee)
    }
}
