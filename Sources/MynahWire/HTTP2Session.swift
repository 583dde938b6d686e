package import APNsRules
internal import CNghttp2

/// Why an HTTP/2 connection can't go on.
package enum HTTP2Error: Error, Sendable, Equatable {
    /// The first bytes were not HTTP/2's preface (RFC 9113 §3.4); with them, as text.
    case badPreface
    /// nghttp2's own description.
    case failed(String)
}

/// One HTTP/2 connection on the server's side: bytes to requests, replies to bytes (RFC 9113).
///
/// nghttp2 does the protocol; the stream limit is ours, because nghttp2 refuses streams before the peer has
/// acknowledged the limit and ends the connection after it, and APNs does neither (`provider-api.md`,
/// decisions, *stream limit*). So nghttp2 is told no limit, and the real one is written into the SETTINGS frame
/// on its way out.
package struct HTTP2Session: ~Copyable {
    private let raw: OpaquePointer
    // nghttp2's user data: allocated before `raw` and freed after it.
    private let recorder: UnsafeMutablePointer<HTTP2Recorder>

    /// The value that nghttp2 believes is the limit.
    private static let unlimited = UInt32.max
    private static let maxConcurrentStreamsID = UInt16(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue)

    /// A session that has said nothing yet.
    ///
    /// - Throws: ``HTTP2Error`` when memory runs out.
    package init() throws(HTTP2Error) {
        let recorder = UnsafeMutablePointer<HTTP2Recorder>.allocate(capacity: 1)
        recorder.initialize(to: HTTP2Recorder())
        guard let raw = HTTP2Callbacks.makeServerSession(recordingAt: recorder) else {
            recorder.deinitialize(count: 1)
            recorder.deallocate()
            throw .failed("no memory for an HTTP/2 session")
        }
        self.raw = raw
        self.recorder = recorder
    }

    /// Greets with SETTINGS and this stream limit; once, before anything is received.
    package mutating func greet(streamLimit: Int) {
        submitSettings([
            (NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, UInt32(Limits.headerTableBytes)),
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, UInt32(streamLimit)),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, UInt32(Limits.initialWindowBytes)),
            (NGHTTP2_SETTINGS_MAX_FRAME_SIZE, UInt32(Limits.frameBytesMax)),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, UInt32(Limits.headerListBytesMax)),
        ])
    }

    deinit {
        nghttp2_session_del(raw)
        recorder.deinitialize(count: 1)
        recorder.deallocate()
    }

    // MARK: In

    /// Takes in plaintext from the peer; what it brought is then in ``nextEvents()``.
    ///
    /// - Throws: ``HTTP2Error`` when the connection can't go on; output may still have to be sent.
    package mutating func receive(_ bytes: RawSpan) throws(HTTP2Error) {
        let result = bytes.withUnsafeBytes { bytes in
            nghttp2_session_mem_recv(raw, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        guard result < 0 else { return }
        if result == Int(NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue) { throw .badPreface }
        throw .failed(String(cString: nghttp2_strerror(Int32(result))))
    }

    /// Answers every request that has come, in order, and refuses the streams beyond the limit.
    ///
    /// `answer` gets the request and its stream. `tooLarge` is told of each request whose fields pass the limit. A
    /// reply whose effect ends the connection leaves its reason in ``endReason``, for whoever sends the output.
    package mutating func answerRequests(
        _ answer: (borrowing PushRequest, Int32) -> Answer, tooLarge: () -> Void
    ) {
        while !recorder.pointee.events.isEmpty {
            var events: [HTTP2Recorder.Event] = []
            swap(&events, &recorder.pointee.events)
            for event in events {
                switch event {
                case .request(let slot):
                    let stream = recorder.pointee.streams.slots[slot].id
                    submit(answer(recorder.pointee.streams.slots[slot].request, stream), slot: slot)
                    recorder.pointee.streams.judged(slot)
                case .headerListTooLarge(let slot):
                    submitHeaderListTooLarge(slot: slot)
                    recorder.pointee.streams.judged(slot)
                    tooLarge()
                case .excessStream(let stream):
                    nghttp2_submit_rst_stream(raw, 0, stream, UInt32(NGHTTP2_REFUSED_STREAM.rawValue))
                case .excessData(let stream):
                    // The peer need not send the rest of a request that has its answer (RFC 9113 §8.1).
                    nghttp2_submit_rst_stream(raw, 0, stream, UInt32(NGHTTP2_NO_ERROR.rawValue))
                }
            }
            // The list's memory is used again.
            if recorder.pointee.events.isEmpty {
                events.removeAll(keepingCapacity: true)
                swap(&events, &recorder.pointee.events)
            }
        }
    }

    // MARK: Out

    /// Announces the connection's end: NO_ERROR, the highest stream taken up, compact JSON with the reason
    /// (`provider-api.md` §1.5).
    package mutating func sendGoAway(reason: Reason) {
        let debug = Array("{\"reason\":\"\(reason.rawValue)\"}".utf8)
        nghttp2_submit_goaway(
            raw, 0, recorder.pointee.lastStreamID, UInt32(NGHTTP2_NO_ERROR.rawValue), debug, debug.count)
    }

    /// Announces the connection's end after the peer broke the protocol: PROTOCOL_ERROR and a text.
    package mutating func sendProtocolErrorGoAway(_ text: String) {
        let debug = Array(text.utf8)
        nghttp2_submit_goaway(
            raw, 0, recorder.pointee.lastStreamID, UInt32(NGHTTP2_PROTOCOL_ERROR.rawValue), debug, debug.count)
    }

    /// Appends all that is to be sent now to `output`.
    ///
    /// - Throws: ``HTTP2Error`` when the session is beyond use.
    package mutating func takeOutput(into output: inout [UInt8]) throws(HTTP2Error) {
        while true {
            var start: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(raw, &start)
            guard count >= 0 else { throw .failed(String(cString: nghttp2_strerror(Int32(count)))) }
            guard count > 0, let start else { return }
            let frameStart = output.count
            output.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
            if count > 9, start[3] == UInt8(NGHTTP2_SETTINGS.rawValue), start[4] == 0 {
                writeStreamLimit(into: &output, frameAt: frameStart)
            }
        }
    }

    /// Streams that are not closed yet.
    package var openStreamCount: Int { recorder.pointee.streams.openCount }

    /// Streams that were ever taken up.
    package var totalStreamCount: Int { recorder.pointee.streams.totalCount }

    /// The stream limit that was announced last.
    package var streamLimit: Int? { recorder.pointee.limit.latest }

    /// PING frames that have come.
    package var pingCount: Int { recorder.pointee.pingCount }

    /// Why a reply wants the connection to end, once one does.
    package var endReason: Reason? { recorder.pointee.endReason }

    /// Whether HTTP/2 itself has something left to read or write.
    package var wantsMore: Bool {
        nghttp2_session_want_read(raw) != 0 || nghttp2_session_want_write(raw) != 0
    }

    // MARK: Settings

    private func announceStreamLimit(_ limit: Int) {
        guard recorder.pointee.limit.latest != limit else { return }
        submitSettings([(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, UInt32(limit))])
    }

    private func submitSettings(_ settings: [(id: nghttp2_settings_id, value: UInt32)]) {
        var entries: [nghttp2_settings_entry] = []
        for setting in settings {
            var value = setting.value
            if setting.id == NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS {
                recorder.pointee.unsentLimits.append(value)
                value = HTTP2Session.unlimited
            }
            entries.append(nghttp2_settings_entry(settings_id: Int32(setting.id.rawValue), value: value))
        }
        let result = nghttp2_submit_settings(raw, 0, entries, entries.count)
        precondition(result == 0, "nghttp2 refused settings: \(String(cString: nghttp2_strerror(result)))")
    }

    /// Writes the real limit over the one that nghttp2 believes (RFC 9113 §6.5.1: six bytes an entry).
    private func writeStreamLimit(into output: inout [UInt8], frameAt start: Int) {
        let length = Int(output[start]) << 16 | Int(output[start + 1]) << 8 | Int(output[start + 2])
        for entry in stride(from: start + 9, to: start + 9 + length, by: 6) {
            let id = UInt16(output[entry]) << 8 | UInt16(output[entry + 1])
            guard id == HTTP2Session.maxConcurrentStreamsID, !recorder.pointee.unsentLimits.isEmpty else { continue }
            let limit = recorder.pointee.unsentLimits.removeFirst()
            for byte in 0..<4 { output[entry + 2 + byte] = UInt8(truncatingIfNeeded: limit >> UInt32(24 - byte * 8)) }
            recorder.pointee.limit.announce(Int(limit))
        }
    }
}

// MARK: - Replies

extension HTTP2Session {
    private mutating func submit(_ answer: consuming Answer, slot: Int) {
        switch answer {
        case .reply(let reply): submit(reply, slot: slot)
        case .withheld: break
        case .act: break
        }
    }

    /// Submits HEADERS, and for a refusal one DATA frame; the last of them ends the stream.
    private func submit(_ reply: borrowing Reply, slot: Int) {
        guard let stream = beginAnswer(slot) else { return }
        ReplyFields(reply).withList { list in
            guard !reply.body.isEmpty else {
                _ = nghttp2_submit_response(raw, stream, list.baseAddress, list.count, nil)
                return
            }
            recorder.pointee.streams.change(slot) { $0.replyBody = reply.body }
            var provider = replyBodyProvider(slot)
            _ = nghttp2_submit_response(raw, stream, list.baseAddress, list.count, &provider)
        }
        // nghttp2 sends SETTINGS before the HEADERS submitted above, as APNs' wire shows them together.
        if let limit = reply.effect.streamLimit { announceStreamLimit(limit) }
        if let reason = reply.effect.goAway { recorder.pointee.endReason = recorder.pointee.endReason ?? reason }
    }

    /// 431 without a body (RFC 6585 §5); the connection and its other streams go on.
    private func submitHeaderListTooLarge(slot: Int) {
        guard let stream = beginAnswer(slot) else { return }
        withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: 1) { list in
            list[0] = ReplyFields.field(":status", "431")
            _ = nghttp2_submit_response(raw, stream, list.baseAddress, 1, nil)
        }
    }

    /// Lets nghttp2 fetch a refusal's body from its slot, in one piece.
    private func replyBodyProvider(_ slot: Int) -> nghttp2_data_provider {
        var provider = nghttp2_data_provider()
        provider.source.fd = Int32(slot)
        provider.read_callback = { _, _, buffer, capacity, flags, source, userData in
            guard let buffer, let flags, let slot = source.map({ Int($0.pointee.fd) }) else {
                return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
            }
            return HTTP2Callbacks.recorder(userData) { recorder in
                recorder.streams.change(slot) { stream in
                    let count = min(capacity, stream.replyBody.count)
                    _ = UnsafeMutableBufferPointer(start: buffer, count: count).update(from: stream.replyBody)
                    // More than one piece only where the peer's window is smaller than the body.
                    stream.replyBody.removeFirst(count)
                    if stream.replyBody.isEmpty { flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
                    return count
                }
            }
        }
        return provider
    }

    /// Notes that a slot's request is answered; `nil` when nobody is there any more to be told, because the peer
    /// has reset the stream meanwhile.
    private func beginAnswer(_ slot: Int) -> Int32? {
        recorder.pointee.streams.change(slot) { stream in
            stream.isAnswered = true
            return stream.isClosed ? nil : stream.id
        }
    }
}
