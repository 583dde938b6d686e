internal import APNsRules
internal import CNghttp2

/// Acts in place of answers, or beside them.
extension HTTP2Session {
    /// Does what is no answer to a request; an act that needs a stream does nothing.
    mutating func perform(_ act: WireAct) {
        carryOut(act, nil, slot: nil)
    }

    /// Does `act`, and what becomes of a reply along with it.
    ///
    /// What was answered before goes before.
    mutating func carryOut(_ act: WireAct, _ reply: Reply?, slot: Int?) {
        drain()
        switch act {
        case .resetStream(let code, let afterHeaders):
            guard let slot, let stream = beginAnswer(slot) else { return }
            if afterHeaders, let reply {
                submitHeaders(reply, stream: stream)
                // A stream that is to be reset gets no more HEADERS from nghttp2.
                drain()
            }
            nghttp2_submit_rst_stream(raw, 0, stream, code.rawValue)
            // It is counted on its way out, though the peer did nothing to deserve it.
            recorder.pointee.futileFrameCount -= 1
        case .truncate:
            guard let slot, let stream = beginAnswer(slot), let reply else { return }
            submitHeaders(reply, stream: stream)
        case .goAway(let goAway):
            carryOut(goAway, reply, slot: slot)
        case .settings(let settings):
            if settings.isWithheld { recorder.pointee.muted.insert(.settings) }
            submitSettings(settings.entries)
            drain()
            answer(slot, with: reply, announcesLimit: settings.maxConcurrentStreams == nil)
        case .withholdWindow:
            recorder.pointee.muted.insert(.windowUpdates)
            answer(slot, with: reply)
        case .ignorePing:
            recorder.pointee.muted.insert(.pingAnswers)
            answer(slot, with: reply)
        case .malformedFrame:
            end(by: HTTP2Frame.malformed)
        case .oversizedFrame:
            let allowed = nghttp2_session_get_remote_settings(raw, NGHTTP2_SETTINGS_MAX_FRAME_SIZE)
            end(by: HTTP2Frame.oversized(beyond: Int(allowed)))
        case .close(_, let afterBytes):
            answer(slot, with: reply)
            recorder.pointee.due.append(.transport(act))
            if afterBytes == nil { end() }
        case .throttle:
            answer(slot, with: reply)
            recorder.pointee.due.append(.transport(act))
        }
    }

    /// Answers a slot's request, or notes that no answer is due.
    func answer(_ slot: Int?, with reply: Reply?, announcesLimit: Bool = true) {
        guard let slot else { return }
        if let reply {
            submit(reply, slot: slot, announcesLimit: announcesLimit)
        } else {
            _ = beginAnswer(slot)
        }
    }

    /// Sends bytes that HTTP/2 forbids, and lets the connection end behind them.
    private mutating func end(by bytes: [UInt8]) {
        recorder.pointee.early += bytes
        recorder.pointee.due.append(.close)
        end()
    }

    /// Sends nothing behind what has been said until now, and answers no further request.
    mutating func end() {
        drain()
        recorder.pointee.isOver = true
        recorder.pointee.streamBound = 0
    }
}

extension WireSettings {
    /// The values that there are, in the order of their numbers.
    var entries: [(id: nghttp2_settings_id, value: UInt32)] {
        let values = [
            (NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, headerTableSize),
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, maxConcurrentStreams),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, initialWindowSize),
            (NGHTTP2_SETTINGS_MAX_FRAME_SIZE, maxFrameSize),
        ]
        return values.compactMap { id, value in value.map { (id, $0) } }
    }

    /// Takes over the values that another has.
    mutating func adopt(_ other: WireSettings) {
        headerTableSize = other.headerTableSize ?? headerTableSize
        maxConcurrentStreams = other.maxConcurrentStreams ?? maxConcurrentStreams
        initialWindowSize = other.initialWindowSize ?? initialWindowSize
        maxFrameSize = other.maxFrameSize ?? maxFrameSize
        isWithheld = isWithheld || other.isWithheld
    }
}
