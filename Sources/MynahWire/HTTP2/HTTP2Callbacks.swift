internal import CNghttp2

/// nghttp2's table of callbacks for a server; each session copies it.
///
/// Each callback unwraps its arguments and calls one method of the recorder.
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
        // nghttp2 keeps as many closed streams as the stream limit allows, and believes that there is no limit.
        // ``ClosedStreams`` knows all that is needed of them.
        nghttp2_option_set_no_closed_streams(options, 1)
        var session: OpaquePointer?
        guard nghttp2_session_server_new2(&session, callbacks, recorder, options) == 0 else { return nil }
        return session
    }

    private static func fill(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { session, frame, userData in
            guard let session, let frame else { return 0 }
            if HTTP2Callbacks.recorder(userData, { $0.began(session, frame) }) { return 0 }
            return HTTP2Callbacks.reset(session, frame.pointee.hd.stream_id, NGHTTP2_REFUSED_STREAM)
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            session, frame, name, nameCount, value, valueCount, _, userData in
            guard let session, let frame else { return 0 }
            let name = UnsafeBufferPointer(start: name, count: nameCount)
            let value = UnsafeBufferPointer(start: value, count: valueCount)
            let id = frame.pointee.hd.stream_id
            if HTTP2Callbacks.recorder(userData, { $0.field(session, id, name: name, value: value) }) { return 0 }
            return HTTP2Callbacks.reset(session, id, NGHTTP2_ENHANCE_YOUR_CALM)
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

    /// Resets the stream whose header block is being read; the rest of the block only keeps the compression in step.
    private static func reset(_ session: OpaquePointer, _ id: Int32, _ code: nghttp2_error_code) -> Int32 {
        // nghttp2's own way of choosing the code.
        nghttp2_submit_rst_stream(session, 0, id, code.rawValue)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
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
