internal import APNsRules
internal import CNghttp2

/// Answers on their way into frames.
extension HTTP2Session {
    /// Does what the answer to a slot's request says.
    mutating func submit(_ answer: consuming Answer, slot: Int) {
        switch answer {
        case .reply(let reply): submit(reply, slot: slot)
        case .withheld: withhold(slot, .answerComes)
        case .stalled: withhold(slot, .stalls)
        case .act(let act, let reply): carryOut(act, reply, slot: slot)
        }
    }

    /// Answers a request that was withheld; nothing happens when its stream has ended.
    mutating func answer(stream: Int32, _ answer: consuming Answer) {
        let number = Int(bitPattern: nghttp2_session_get_stream_user_data(raw, stream))
        guard number > 0, recorder.pointee.streams.takeWithheld(number - 1, stream: stream) else { return }
        submit(answer, slot: number - 1)
        recorder.pointee.streams.judged(number - 1)
    }

    private func withhold(_ slot: Int, _ withholding: StreamTable.Withholding) {
        guard beginAnswer(slot) != nil else {
            // The peer took it back in the same breath.
            recorder.pointee.due.append(.abandoned(recorder.pointee.streams.slots[slot].id))
            return
        }
        recorder.pointee.streams.withhold(slot, withholding)
    }

    /// Submits HEADERS, and where there is a body DATA; the last of them ends the stream.
    ///
    /// - Parameter announcesLimit: Whether the stream limit that the reply calls for is announced.
    func submit(_ reply: borrowing Reply, slot: Int, announcesLimit: Bool = true) {
        recorder.pointee.answeredCount += 1
        if reply.status == 200 { recorder.pointee.hasAccepted = true }
        guard let stream = beginAnswer(slot) else { return }
        ReplyFields.withList(of: reply) { list in
            guard !reply.body.isEmpty else {
                _ = nghttp2_submit_response(raw, stream, list.baseAddress, list.count, nil)
                return
            }
            recorder.pointee.streams.change(slot) { $0.replyBody = reply.body[...] }
            var provider = replyBodyProvider(slot)
            _ = nghttp2_submit_response(raw, stream, list.baseAddress, list.count, &provider)
        }
        // nghttp2 sends SETTINGS before the HEADERS submitted above, as APNs' wire shows them together.
        if announcesLimit, let limit = reply.effect.streamLimit { announceStreamLimit(limit) }
        if let reason = reply.effect.goAway { recorder.pointee.due.append(.shutDown(reason)) }
    }

    /// Submits a reply's HEADERS without END_STREAM, and nothing behind them.
    func submitHeaders(_ reply: borrowing Reply, stream: Int32) {
        recorder.pointee.answeredCount += 1
        ReplyFields.withList(of: reply) { list in
            _ = nghttp2_submit_headers(
                raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, nil, list.baseAddress, list.count, nil)
        }
    }

    /// 431 without a body (RFC 6585 §5); the connection and its other streams go on.
    func submitHeaderListTooLarge(slot: Int) {
        guard let stream = beginAnswer(slot) else { return }
        withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: 1) { list in
            list[0] = ReplyFields.field(":status", "431")
            _ = nghttp2_submit_response(raw, stream, list.baseAddress, 1, nil)
        }
    }

    /// Lets nghttp2 fetch a reply's body from its slot: in one piece, where the peer's window and frame size allow.
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
    func beginAnswer(_ slot: Int) -> Int32? {
        recorder.pointee.streams.change(slot) { stream in
            stream.isAnswered = true
            return stream.isClosed ? nil : stream.id
        }
    }
}
