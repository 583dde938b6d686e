package import APNsRules
internal import CNghttp2

/// Why an HTTP/2 connection can't go on.
package enum HTTP2Error: Error, Sendable, Equatable {
    /// The first bytes were not HTTP/2's preface (RFC 9113 §3.4); with the first line of them.
    case badPreface(firstLine: String)
    /// What is wrong, and the code that a GOAWAY gives for it.
    case failed(String, code: HTTP2ErrorCode = .protocolError)
}

/// One HTTP/2 connection on the server's side: bytes to requests, replies to bytes (RFC 9113).
///
/// nghttp2 does the protocol; the stream limit is ours, because nghttp2 refuses streams before the peer has
/// acknowledged the limit and ends the connection after it, and APNs does neither (`ProviderAPI#Stream-limits`). So
/// nghttp2 is told no limit, and the real one is written into the SETTINGS frame on its way out.
package struct HTTP2Session: ~Copyable {
    let raw: OpaquePointer
    // nghttp2's user data: allocated before `raw` and freed after it.
    let recorder: UnsafeMutablePointer<HTTP2Recorder>

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

    /// Greets with SETTINGS and this stream limit, and does `acts`; once, before anything is received.
    ///
    /// SETTINGS are the first frame all the same, since HTTP/2 begins with them (RFC 9113 §3.4): an act that changes
    /// settings changes these. What concerns the transport is done by whoever owns that.
    package mutating func greet(streamLimit: Int, _ acts: [WireAct] = []) {
        var settings = WireSettings()
        settings.headerTableSize = UInt32(Limits.headerTableBytes)
        settings.maxConcurrentStreams = UInt32(streamLimit)
        settings.initialWindowSize = UInt32(Limits.initialWindowBytes)
        settings.maxFrameSize = UInt32(Limits.frameBytesMax)
        for case .settings(let change) in acts { settings.adopt(change) }
        if settings.isWithheld { recorder.pointee.muted.insert(.settings) }
        submitSettings(
            settings.entries + [(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, UInt32(Limits.headerListBytesMax))])
        for act in acts {
            switch act {
            // In the frame above.
            case .settings: break
            // Below HTTP/2, and not for here.
            case .close, .throttle: break
            default: perform(act)
            }
        }
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
        guard recorder.pointee.futileFrameCount <= Limits.futileFramesMax + answeredCount else {
            throw .failed("too many frames that achieve nothing", code: .enhanceYourCalm)
        }
        var position = 0
        var fed = 0
        while let frame = recorder.pointee.frames.next(in: bytes, from: &position) {
            if frame.isFutile { recorder.pointee.futileFrameCount += 1 }
            guard recorder.pointee.closedStreams.mayContain(frame) else { continue }
            // Less the header's last byte: nghttp2 has then acted on all that came before the frame, and not on it.
            try feed(bytes.extracting(fed..<position - 1))
            fed = position - 1
            guard nghttp2_session_get_stream_remote_close(raw, frame.stream) < 0 else { continue }
            if let violation = recorder.pointee.closedStreams.violation(by: frame) { throw violation }
        }
        try feed(bytes.extracting(fed...))
        guard recorder.pointee.streams.heldByteCount > recorder.pointee.heldBytesMax else { return }
        for stream in recorder.pointee.streams.giveUp(above: recorder.pointee.heldBytesMax) {
            nghttp2_submit_rst_stream(raw, 0, stream, UInt32(NGHTTP2_REFUSED_STREAM.rawValue))
        }
    }

    private func feed(_ bytes: RawSpan) throws(HTTP2Error) {
        guard !bytes.isEmpty else { return }
        let result = bytes.withUnsafeBytes { bytes in
            nghttp2_session_mem_recv(raw, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        guard result < 0 else { return }
        if result == Int(NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue) {
            throw .badPreface(firstLine: HTTP2Session.firstLine(bytes))
        }
        throw .failed(String(cString: nghttp2_strerror(Int32(result))))
    }

    /// Answers every request that has come, in order.
    ///
    /// `answer` gets the request and its stream. `tooLarge` is told of each request whose fields pass the limit. What
    /// is to happen once the answers are on their way is then in ``takeDue(beforeOutput:)``.
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
                    // Streams above a GOAWAY's last one were never taken up (RFC 9113 §6.8).
                    if stream <= recorder.pointee.streamBound {
                        submit(answer(recorder.pointee.streams.slots[slot].request, stream), slot: slot)
                    }
                    recorder.pointee.streams.judged(slot)
                case .headerListTooLarge(let slot):
                    submitHeaderListTooLarge(slot: slot)
                    recorder.pointee.streams.judged(slot)
                    tooLarge()
                case .excessData(let stream):
                    // The peer need not send the rest of a request that has its answer (RFC 9113 §8.1).
                    nghttp2_submit_rst_stream(raw, 0, stream, UInt32(NGHTTP2_NO_ERROR.rawValue))
                case .announcementHeard: concludeGoAway()
                }
            }
            // The list's memory is used again.
            if recorder.pointee.events.isEmpty {
                events.removeAll(keepingCapacity: true)
                swap(&events, &recorder.pointee.events)
            }
        }
    }

    // MARK: Unfinished requests

    /// Bytes of requests whose end has not come.
    var heldByteCount: Int { recorder.pointee.streams.heldByteCount }

    /// Limits them for the bytes that are received next.
    func limitHeldBytes(to byteCount: Int) { recorder.pointee.heldBytesMax = byteCount }

    /// Whether a request was accepted.
    var hasAccepted: Bool { recorder.pointee.hasAccepted }

    /// Whether the end of a request has not come yet.
    var hasUnfinishedRequests: Bool { recorder.pointee.streams.unfinishedCount > 0 }

    /// Withheld answers that will come.
    package var owedCount: Int { recorder.pointee.streams.owedCount }

    /// Resets the streams whose requests had not ended at the last `times` calls either; returns how many.
    func resetUnfinishedRequests(after times: Int) -> Int {
        let overdue = recorder.pointee.streams.overdue(after: times)
        for stream in overdue {
            // What is left of a request that has its answer is not needed (RFC 9113 §8.1).
            let code = stream.isAnswered ? NGHTTP2_NO_ERROR : NGHTTP2_CANCEL
            nghttp2_submit_rst_stream(raw, 0, stream.id, code.rawValue)
        }
        return overdue.count
    }

    // MARK: Out

    /// Announces the connection's end: NO_ERROR, the highest stream taken up, compact JSON with the reason
    /// (`ProviderAPI#GOAWAY`).
    package mutating func sendGoAway(reason: Reason) {
        let debug = Array("{\"reason\":\"\(reason.rawValue)\"}".utf8)
        nghttp2_submit_goaway(
            raw, 0, recorder.pointee.lastStreamID, UInt32(NGHTTP2_NO_ERROR.rawValue), debug, debug.count)
    }

    /// Announces the connection's end after the peer broke the protocol: a code and a text.
    package mutating func sendGoAway(_ code: HTTP2ErrorCode, _ text: String) {
        let debug = Array(text.utf8)
        recorder.pointee.isErrorKnown = true
        nghttp2_submit_goaway(raw, 0, recorder.pointee.lastStreamID, code.rawValue, debug, debug.count)
    }

    /// Appends all that is to be sent now to `output`.
    ///
    /// - Throws: ``HTTP2Error`` when the session is beyond use.
    package mutating func takeOutput(into output: inout [UInt8]) throws(HTTP2Error) {
        if let failure = recorder.pointee.failure { throw failure }
        if !recorder.pointee.early.isEmpty {
            output.append(contentsOf: recorder.pointee.early)
            recorder.pointee.early = []
        }
        if !recorder.pointee.isOver { try gather(into: &output) }
    }

    /// Appends what nghttp2 has to send, one frame at a time, less what is muted.
    func gather(into output: inout [UInt8]) throws(HTTP2Error) {
        while true {
            var start: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(raw, &start)
            guard count >= 0 else { throw .failed(String(cString: nghttp2_strerror(Int32(count)))) }
            guard count > 0, let start else { return }
            // Frames of replies have lower numbers; nothing is asked of those.
            guard start[3] >= UInt8(NGHTTP2_RST_STREAM.rawValue) else {
                output.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
                continue
            }
            note(UnsafeBufferPointer(start: start, count: count))
            if recorder.pointee.muted.contains(frameType: start[3], flags: start[4]) { continue }
            if start[3] == UInt8(NGHTTP2_GOAWAY.rawValue) {
                recorder.pointee.sent(goAway: UnsafeBufferPointer(start: start, count: count))
            }
            let frameStart = output.count
            output.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
            if count > 9, start[3] == UInt8(NGHTTP2_SETTINGS.rawValue), start[4] == 0 {
                writeStreamLimit(into: &output, frameAt: frameStart)
            }
        }
    }

    /// Why nghttp2 has ended the connection by itself, once; `nil` when it has not.
    mutating func takeViolation() -> String? { recorder.pointee.violation.take() }

    /// Notes what a frame on its way out means for frames that are still to come.
    private func note(_ frame: UnsafeBufferPointer<UInt8>) {
        guard frame.count >= 13 else { return }
        let number = frame[9..<13].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        switch UInt32(frame[3]) {
        case NGHTTP2_RST_STREAM.rawValue where HTTP2ErrorCode(rawValue: number).blamesPeer:
            recorder.pointee.futileFrameCount += 1
        case NGHTTP2_GOAWAY.rawValue: recorder.pointee.closedStreams.noteGoAway(lastStreamID: Int32(number))
        default: break
        }
    }

    /// Lets nghttp2 say now what it has to say, so that what comes next goes behind it.
    func drain() {
        guard !recorder.pointee.isOver else { return }
        var output: [UInt8] = []
        swap(&output, &recorder.pointee.early)
        do {
            try gather(into: &output)
        } catch {
            recorder.pointee.failure = error
        }
        swap(&output, &recorder.pointee.early)
    }

    /// Streams that are not closed yet.
    package var openStreamCount: Int { recorder.pointee.streams.openCount }

    /// Streams that were ever taken up.
    package var totalStreamCount: Int { recorder.pointee.streams.totalCount }

    /// The stream limit that was announced last.
    package var streamLimit: Int? { recorder.pointee.limit.latest }

    /// PING frames that have come.
    package var pingCount: Int { recorder.pointee.pingCount }

    /// Requests whose answer was submitted, whole or in part.
    package var answeredCount: Int { recorder.pointee.answeredCount }

    /// Whether ``takeDue(beforeOutput:)`` has something; nearly never.
    var hasDue: Bool { !recorder.pointee.due.isEmpty }

    /// What is to be done before the output leaves when `beforeOutput`, else all the rest.
    func takeDue(beforeOutput: Bool) -> [HTTP2Due] {
        var due: [HTTP2Due] = []
        swap(&due, &recorder.pointee.due)
        guard beforeOutput else { return due }
        recorder.pointee.due = due.filter { !$0.precedesOutput }
        return due.filter { $0.precedesOutput }
    }

    /// Whether HTTP/2 itself has something left to read or write.
    package var wantsMore: Bool {
        nghttp2_session_want_read(raw) != 0 || nghttp2_session_want_write(raw) != 0
    }

    // MARK: Settings

    func announceStreamLimit(_ limit: Int) {
        submitSettings([(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, UInt32(limit))])
    }

    /// Submits a frame with the values that the peer has not been sent already; no frame when there are none.
    func submitSettings(_ settings: [(id: nghttp2_settings_id, value: UInt32)]) {
        let settings = settings.filter { recorder.pointee.settings[$0.id.rawValue] != $0.value }
        guard !settings.isEmpty, !recorder.pointee.muted.contains(.settings) else { return }
        for setting in settings { recorder.pointee.settings[setting.id.rawValue] = setting.value }
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

extension HTTP2Error {
    /// One sentence.
    var text: String {
        switch self {
        case .badPreface: "the first bytes are not HTTP/2's preface"
        case .failed(let text, _): text
        }
    }
}

extension HTTP2ErrorCode {
    /// Whether a stream that this side resets with the code has had a frame that it must not have had.
    fileprivate var blamesPeer: Bool { self != .noError && self != .refusedStream }
}

extension HTTP2Session {
    /// The first line of what a peer sent, cut where it is no text or longer than GOAWAY's data should be.
    static func firstLine(_ bytes: RawSpan) -> String {
        var line: [UInt8] = []
        for offset in 0..<min(bytes.byteCount, 128) {
            let byte = bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            guard (0x20..<0x7F).contains(byte) else { break }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}
