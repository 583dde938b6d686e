package import APNsRules

/// What to do about one request.
package enum PushResponse: Sendable {
    case reply(Reply)
    /// Withholds the answer until ``ConnectionCommand/answers(_:)``, unless the stream or the connection ends first.
    case withheld
    /// Withholds the answer like ``withheld``, but it may never come, so a half-closed connection doesn't wait for it.
    case stalled
    /// The fault is carried out, with a reply if one is to be sent, whole or in part.
    case act(WireFault, Reply?)
}

/// An HTTP/2 connection on the server's side: bytes to requests, replies to bytes (RFC 9113).
///
/// nghttp2 does the protocol. The stream limit is Mynah's, because nghttp2 refuses streams before the peer has
/// acknowledged the limit and ends the connection after it, and APNs does neither (`ProviderAPI#Stream-limits`). So
/// nghttp2 knows no limit, and the real one is written into the SETTINGS frame on its way out.
struct HTTP2Session: ~Copyable {
    /// The stream limit that nghttp2 knows.
    private static let unlimited = UInt32.max

    private let nghttp2: NGHTTP2Session
    private var state = HTTP2ConnectionState()
    private var frames = FrameHeaderReader()
    private var replyNames = ReplyFields.Names()
    /// Output to send before nghttp2's other output, or that nghttp2 would not write.
    private var early: [UInt8] = []
    /// The error of nghttp2 while ``early`` was gathered.
    private var failure: HTTP2Error?

    init(_ frameBuffer: FrameBuffer) throws(HTTP2Error) { nghttp2 = try NGHTTP2Session(frameBuffer) }

    /// Sends the SETTINGS with which HTTP/2 begins (RFC 9113 §3.4) and carries out `faults`, which may change these
    /// settings; once, before anything is received.
    ///
    /// `StreamLimitPolicy` decides the stream limit.
    mutating func sendPreface(streamLimit: Int, _ faults: [WireFault] = []) {
        var settings = [
            HTTP2Setting(id: .headerTableSize, value: UInt32(Limits.headerTableBytes)),
            HTTP2Setting(id: .maxConcurrentStreams, value: UInt32(streamLimit)),
            HTTP2Setting(id: .maxFrameSize, value: UInt32(Limits.frameBytesMax)),
            HTTP2Setting(id: .maxHeaderListSize, value: UInt32(Limits.headerListBytesMax)),
        ]
        for case .settings(let change) in faults {
            if change.isWithheld { state.withhold(.settings) }
            let changed = change.entries
            settings.removeAll { setting in changed.contains { $0.id == setting.id } }
            settings = (settings + changed).sorted { $0.id.rawValue < $1.id.rawValue }
        }
        submitSettings(settings)
        for fault in faults {
            switch fault {
            case .settings, .close, .throttle: break
            default: perform(fault)
            }
        }
    }

    // MARK: In

    /// Parses plaintext from the peer; call ``answerRequests(_:tooLarge:isTurnOver:)`` afterwards.
    ///
    /// Refuses the newest requests if incomplete ones hold more than `heldBytesMax` bytes. Output may follow an error.
    mutating func receive(_ bytes: RawSpan, heldBytesMax: Int = .max) throws(HTTP2Error) {
        guard !state.isFlooded else { throw HTTP2Error("too many empty or invalid frames", code: .enhanceYourCalm) }
        var position = 0
        var fed = 0
        while let frame = frames.next(in: bytes, from: &position) {
            if frame.isFutile { state.receivedFutileFrame() }
            guard nghttp2.recorder.closedStreams.mayContain(frame) else { continue }
            // The header's last byte is held back: nghttp2 then has processed all before the frame, but not the frame.
            try nghttp2.receive(bytes.extracting(fed..<position - 1))
            fed = position - 1
            guard !nghttp2.knows(frame.stream) else { continue }
            if let violation = nghttp2.recorder.closedStreams.violation(by: frame) { throw violation }
        }
        try nghttp2.receive(bytes.extracting(fed...))
        guard heldByteCount > heldBytesMax else { return }
        for stream in nghttp2.recorder.streams.abandonUnfinished(above: heldBytesMax) {
            nghttp2.reset(stream, .refusedStream)
        }
    }

    /// Whether complete requests wait, and unsent replies don't hold them back.
    func canAnswerMore(replyBytesMax: Int) -> Bool {
        nghttp2.recorder.hasEvents && nghttp2.recorder.streams.replyByteCount <= replyBytesMax
    }

    /// Answers the complete requests in order, while at most `replyBytesMax` bytes of replies wait for the peer's window,
    /// and until `isTurnOver`, called after each answer, returns `true`; `tooLarge` is called for each request that is
    /// answered 431 because its fields exceed the limit.
    mutating func answerRequests(
        replyBytesMax: Int = .max, _ answer: (borrowing PushRequest, Int32) -> PushResponse, tooLarge: () -> Void,
        isTurnOver: () -> Bool
    ) {
        while nghttp2.recorder.streams.replyByteCount <= replyBytesMax, let event = nghttp2.recorder.takeEvent() {
            switch event {
            case .request(let slot):
                let stream = nghttp2.recorder.streams.slots[slot].id
                if state.answers(stream) {
                    let response = nghttp2.recorder.streams.withRequest(slot) { answer($0, stream) }
                    submit(response, slot: slot)
                }
                nghttp2.recorder.streams.judged(slot)
                if isTurnOver() { return }
            case .headerListTooLarge(let slot):
                if let stream = nghttp2.recorder.streams.beginAnswer(slot) {
                    nghttp2.submitHeaderListTooLarge(on: stream)
                }
                nghttp2.recorder.streams.judged(slot)
                tooLarge()
            case .excessData(let stream):
                // The peer need not send the rest of an answered request (RFC 9113 §8.1).
                nghttp2.reset(stream, .noError)
            case .announcementPingAnswered: concludeGoAway()
            }
        }
    }

    mutating func answer(stream: Int32, _ answer: consuming PushResponse) {
        guard let slot = nghttp2.slot(of: stream), nghttp2.recorder.streams.resumeWithheld(slot, stream: stream)
        else { return }
        submit(answer, slot: slot)
        nghttp2.recorder.streams.judged(slot)
    }

    /// Resets the streams whose requests were already incomplete at the last `times` calls; returns how many.
    func resetUnfinishedRequests(after times: Int) -> Int {
        let overdue = nghttp2.recorder.streams.overdue(after: times)
        // The rest of an answered request is not needed (RFC 9113 §8.1).
        for stream in overdue { nghttp2.reset(stream.id, stream.isAnswered ? .noError : .cancel) }
        return overdue.count
    }

    /// Frees the memory that is kept for further requests, unless a stream is open.
    func freeMemory() { nghttp2.recorder.freeMemory() }

    // MARK: Answers

    private mutating func submit(_ answer: consuming PushResponse, slot: Int) {
        switch answer {
        case .reply(let reply): submit(reply, slot: slot)
        case .withheld: withhold(slot, .delayed)
        case .stalled: withhold(slot, .stalled)
        case .act(let fault, let reply): carryOut(fault, reply, slot: slot)
        }
    }

    private mutating func withhold(_ slot: Int, _ withholding: StreamTable.Withholding) {
        guard nghttp2.recorder.streams.beginAnswer(slot) != nil else {
            // The peer reset the stream in the same read.
            return state.request(.abandoned(nghttp2.recorder.streams.slots[slot].id))
        }
        nghttp2.recorder.streams.withhold(slot, withholding)
    }

    /// - Parameter announcesLimit: Whether the stream limit that the reply calls for is announced.
    private mutating func submit(_ reply: borrowing Reply, slot: Int, announcesLimit: Bool = true) {
        state.answered(isAccepted: (200..<300).contains(reply.status))
        guard let stream = nghttp2.recorder.streams.beginAnswer(slot) else { return }
        let hasBody = !reply.body.isEmpty && !nghttp2.recorder.streams.slots[slot].request.isHead
        if hasBody {
            nghttp2.recorder.streams.setReply(reply.body[...], slot)
        }
        nghttp2.submit(reply, on: stream, slot: slot, hasBody: hasBody, &replyNames)
        // nghttp2 sends SETTINGS before the HEADERS submitted above, as APNs does.
        if announcesLimit, let limit = reply.effect.streamLimit {
            submitSettings([HTTP2Setting(id: .maxConcurrentStreams, value: UInt32(limit))])
        }
        if let reason = reply.effect.goAway { state.request(.shutDown(reason)) }
    }

    private mutating func submitHeaders(_ reply: borrowing Reply, stream: Int32) {
        state.answered(isAccepted: false)
        nghttp2.submitHeaders(of: reply, on: stream, &replyNames)
    }

    // MARK: Faults

    /// Carries out a fault that concerns no request; one that needs a stream does nothing.
    mutating func perform(_ fault: WireFault) { carryOut(fault, nil, slot: nil) }

    /// Carries out a fault, with its reply, after all previous answers.
    private mutating func carryOut(_ fault: WireFault, _ reply: Reply?, slot: Int?) {
        drain()
        switch fault {
        case .resetStream(let code, let afterHeaders):
            guard let slot, let stream = nghttp2.recorder.streams.beginAnswer(slot) else { return }
            if afterHeaders, let reply {
                submitHeaders(reply, stream: stream)
                // nghttp2 sends no more HEADERS on a stream for which it has RST_STREAM.
                drain()
            }
            nghttp2.reset(stream, code)
            state.resetByFault()
        case .truncate:
            guard let slot, let stream = nghttp2.recorder.streams.beginAnswer(slot), let reply else { return }
            submitHeaders(reply, stream: stream)
        case .goAway(let goAway): carryOut(goAway, reply, slot: slot)
        case .settings(let settings):
            if settings.isWithheld { state.withhold(.settings) }
            submitSettings(settings.entries)
            drain()
            answer(slot, with: reply, announcesLimit: settings.maxConcurrentStreams == nil)
        case .withholdWindow, .ignorePing:
            state.withhold(fault == .ignorePing ? .ping : .windowUpdate)
            answer(slot, with: reply)
        case .malformedFrame: end(with: HTTP2Frame.malformed)
        case .oversizedFrame: end(with: HTTP2Frame.oversized(beyond: nghttp2.peerFrameBytesMax))
        case .close, .throttle:
            answer(slot, with: reply)
            state.request(.transport(fault))
            if case .close(_, afterBytes: nil) = fault { end() }
        }
    }

    /// Submits the reply to a slot's request; without a reply, the request gets no answer.
    private mutating func answer(_ slot: Int?, with reply: Reply?, announcesLimit: Bool = true) {
        guard let slot else { return }
        if let reply {
            submit(reply, slot: slot, announcesLimit: announcesLimit)
        } else {
            _ = nghttp2.recorder.streams.beginAnswer(slot)
        }
    }

    /// Sends bytes that HTTP/2 forbids, after which the connection closes.
    private mutating func end(with bytes: [UInt8]) {
        early += bytes
        state.request(.close)
        end()
    }

    /// Sends nothing after the output so far, and answers no further request.
    private mutating func end() {
        drain()
        state.end()
    }

    // MARK: GOAWAY

    /// Announces the connection's end as APNs does: NO_ERROR and the reason as JSON (`ProviderAPI#GOAWAY`).
    mutating func sendGoAway(_ reason: Reason) {
        let debugData = Reply.body(reason: reason.rawValue, timestamp: nil)
        nghttp2.submitGoAway(lastStreamID: nghttp2.recorder.lastStreamID, debugData)
    }

    /// Sends a PING, whose answer is not looked at.
    mutating func sendPing() { nghttp2.submitPing() }

    /// Announces the connection's end after the peer broke the protocol.
    mutating func sendGoAway(_ code: HTTP2ErrorCode, _ text: String) {
        state.failed()
        nghttp2.submitGoAway(code, lastStreamID: nghttp2.recorder.lastStreamID, Array(text.utf8))
    }

    /// Sends or announces the GOAWAY of a fault, then answers the request unless the GOAWAY denies it.
    private mutating func carryOut(_ goAway: WireGoAway, _ reply: Reply?, slot: Int?) {
        let stream = slot.map { nghttp2.recorder.streams.slots[$0].id }
        switch state.goAwayWanted(goAway) {
        case .announce:
            early += goAway.announcement
            nghttp2.submitAnnouncementPing()
            drain()
        case .send: send(goAway, current: stream)
        case .nothing: break
        }
        if let stream, state.answers(stream) { answer(slot, with: reply) }
    }

    /// Sends the GOAWAY that a fault has announced; does nothing if it was already sent.
    mutating func concludeGoAway() {
        guard let goAway = state.roundTripEnded() else { return }
        drain()
        send(goAway, current: nil)
    }

    /// Sends the GOAWAY of a fault, which nghttp2 would not write.
    ///
    /// nghttp2 gets a GOAWAY with the same meaning, whose frame is withheld, and closes the denied streams.
    private mutating func send(_ goAway: WireGoAway, current: Int32?) {
        let processed = nghttp2.recorder.lastStreamID
        let last = goAway.lastStreamID.number(
            processed: processed, current: current, lowestOpen: nghttp2.recorder.streams.lowestOpen)
        early += goAway.frames(lastStreamID: last)
        let lastAnswered = min(Int32(last), processed)
        state.goAwaySent(lastStreamID: lastAnswered)
        nghttp2.submitGoAway(lastStreamID: lastAnswered)
        state.withhold(.goAway)
        drain()
        state.release(.goAway)
        switch goAway.close {
        case .afterStreams: state.request(.drain)
        case .never:
            // nghttp2 answers PING while a stream is open, and not after that; here it is never answered.
            state.withhold(.ping)
            state.request(.leaveOpen)
        case .atOnce:
            state.request(.close)
            end()
        }
    }

    // MARK: Out

    /// Appends all pending output to `output`.
    mutating func moveOutput(into output: inout [UInt8]) throws(HTTP2Error) {
        if let failure { throw failure }
        if !early.isEmpty {
            output.append(contentsOf: early)
            early = []
        }
        if !state.isOver { try gather(into: &output) }
    }

    /// Moves nghttp2's output so far to ``early``, so that later frames are sent after it.
    private mutating func drain() {
        guard !state.isOver else { return }
        var output: [UInt8] = []
        swap(&output, &early)
        do {
            try gather(into: &output)
        } catch {
            failure = error
        }
        swap(&output, &early)
    }

    /// Appends the frames of nghttp2, without frames that a fault withholds.
    private mutating func gather(into output: inout [UInt8]) throws(HTTP2Error) {
        while let frame = try nghttp2.nextFrame() {
            // DATA and HEADERS, the frames of replies, have the lowest types and are always sent as they are.
            guard frame[3] >= HTTP2FrameType.rstStream.rawValue, let type = HTTP2FrameType(rawValue: frame[3]) else {
                output.append(contentsOf: frame)
                continue
            }
            let payload = frame.span.extracting(FrameHeader.byteCount...)
            if type == .goAway {
                nghttp2.recorder.closedStreams.recordGoAway(lastStreamID: Int32(payload.number(at: 0)))
            }
            guard state.sends(type, flags: frame[4], payload: payload) else { continue }
            output.append(contentsOf: frame)
            if type == .settings, frame[4] == 0 { writeStreamLimit(into: &output, payloadBytes: payload.count) }
        }
    }

    var wantsMore: Bool { nghttp2.wantsMore }
    var openStreamCount: Int { nghttp2.recorder.streams.openCount }
    var totalStreamCount: Int { nghttp2.recorder.streams.totalCount }
    var streamLimit: Int? { nghttp2.recorder.limit.latest }
    var pingCount: Int { nghttp2.recorder.pingCount }
    var answeredCount: Int { state.answeredCount }
    var hasAccepted: Bool { state.hasAccepted }
    /// Bytes of incomplete requests.
    var heldByteCount: Int { nghttp2.recorder.streams.heldByteCount }
    var hasUnfinishedRequests: Bool { nghttp2.recorder.streams.unfinishedCount > 0 }
    var owedCount: Int { nghttp2.recorder.streams.owedCount }
    var hasActions: Bool { state.hasActions || !nghttp2.recorder.abandoned.isEmpty }

    mutating func takeActions(beforeOutput: Bool) -> [HTTP2Action] {
        let actions = state.takeActions(beforeOutput: beforeOutput)
        return beforeOutput ? actions : nghttp2.recorder.takeAbandoned().map { .abandoned($0) } + actions
    }

    mutating func takeViolation() -> String? { state.takeViolation() }
    mutating func takeMalformed() -> [HTTP2Recorder.Malformed] { nghttp2.recorder.takeMalformed() }

    // MARK: Settings

    /// Submits a frame with the changed values, if any.
    private mutating func submitSettings(_ wanted: [HTTP2Setting]) {
        let settings = state.settingsToSend(wanted).map { setting in
            setting.id == .maxConcurrentStreams ? HTTP2Setting(id: setting.id, value: Self.unlimited) : setting
        }
        if !settings.isEmpty { nghttp2.submit(settings) }
    }

    /// Overwrites nghttp2's limit in the frame at the end of the output (RFC 9113 §6.5.1: six bytes an entry).
    private mutating func writeStreamLimit(into output: inout [UInt8], payloadBytes: Int) {
        for entry in stride(from: output.count - payloadBytes, to: output.count, by: 6) {
            let id = UInt16(output[entry]) << 8 | UInt16(output[entry + 1])
            guard id == HTTP2Setting.ID.maxConcurrentStreams.rawValue, let limit = state.takeUnsentStreamLimit()
            else { continue }
            output.replaceSubrange(entry + 2..<entry + 6, with: limit.networkBytes)
            nghttp2.recorder.limit.announce(Int(limit))
        }
    }
}

extension WireSettings {
    /// The settings that a fault changes.
    fileprivate var entries: [HTTP2Setting] {
        let values: [(HTTP2Setting.ID, UInt32?)] = [
            (.headerTableSize, headerTableSize), (.maxConcurrentStreams, maxConcurrentStreams),
            (.initialWindowSize, initialWindowSize), (.maxFrameSize, maxFrameSize),
        ]
        return values.compactMap { id, value in value.map { HTTP2Setting(id: id, value: $0) } }
    }
}
