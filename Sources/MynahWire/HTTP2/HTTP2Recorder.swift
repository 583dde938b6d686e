internal import APNsRules
internal import CNghttp2
internal import Glibc

/// What nghttp2's callbacks write down while it reads; nothing acts until it has returned.
struct HTTP2Recorder {
    /// What happened, in order.
    enum Event {
        /// The request in this slot is complete, or its body has passed the limit.
        case request(slot: Int)
        /// The fields in this slot have passed the limit.
        case headerListTooLarge(slot: Int)
        /// A peer goes on sending a request that was answered long ago.
        case excessData(Int32)
        /// The peer has answered the PING behind a GOAWAY that announced another.
        case announcementHeard
    }

    var streams = StreamTable()
    /// The most bytes of requests whose end has not come.
    var heldBytesMax = Int.max
    /// Whether a request was accepted.
    var hasAccepted = false
    var events: [Event] = []
    var frames = FrameHeaderReader()
    var closedStreams = ClosedStreams()
    /// Frames that achieved nothing; see `Limits.futileFramesMax`.
    var futileFrameCount = 0
    var limit = StreamLimit()
    /// The values that SETTINGS frames have had, by their numbers.
    var settings: [UInt32: UInt32] = [:]
    /// The limits on their way into SETTINGS frames, the oldest first.
    var unsentLimits: [UInt32] = []
    /// The highest stream whose request was taken up: GOAWAY's last-stream-id.
    var lastStreamID: Int32 = 0
    /// PING frames that have come.
    var pingCount = 0
    /// The highest stream that is answered; the highest there is before a GOAWAY says otherwise.
    var streamBound = Int32.max
    /// Requests whose answer was submitted, whole or in part.
    var answeredCount = 0
    /// Output that left nghttp2 before the rest, or was written beside it; sent first.
    var early: [UInt8] = []
    /// Whether nothing is sent any more behind ``early``.
    var isOver = false
    /// Why nghttp2 stopped while ``early`` was gathered.
    var failure: HTTP2Error?
    /// Why nghttp2 ended the connection by itself, until somebody takes it.
    var violation: String?
    /// Whether the connection's end was announced for an error that its owner knows.
    var isErrorKnown = false
    /// What is to be done beside the output.
    var due: [HTTP2Due] = []
    /// Frames that nghttp2 makes and nobody sees.
    var muted: MutedFrames = []
    /// The GOAWAY that was announced and follows.
    var announced: WireGoAway?
    /// The authorization value that came last, since the next is nearly always the same.
    private var authorization: AuthorizationValue?

    // Fields and data nearly always belong to the stream of the call before.
    private var current = (id: Int32(0), slot: -1)
    // What was read and dropped of the last header list that is too large.
    private var surplus = (id: Int32(0), byteCount: 0)

    // MARK: Callbacks

    /// A header block begins; whether its stream may be open.
    mutating func began(_ session: OpaquePointer, _ frame: UnsafePointer<nghttp2_frame>) -> Bool {
        let id = frame.pointee.hd.stream_id
        guard frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else { return true }
        guard limit.admits(beside: streams.openCount) else { return false }
        let slot = streams.open(id)
        lastStreamID = id
        current = (id, slot)
        // Slot numbers begin at 0, and a null pointer means "no slot".
        nghttp2_session_set_stream_user_data(session, id, UnsafeMutableRawPointer(bitPattern: slot + 1))
        return true
    }

    /// A field has been read; whether the next one of its stream is to be read as well.
    mutating func field(
        _ session: OpaquePointer, _ id: Int32, name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let slot = slot(of: id, session) else { return true }
        let knownName = FieldName(name.span)
        if knownName == .authorization { return recordAuthorization(value, slot) || drop(name, value, id) }
        let isTaken = streams.change(slot) { stream in
            guard stream.takesField(name.count + value.count) else { return false }
            if knownName == .other {
                stream.request.headers.append(otherNameCount: name.count, valueCount: value.count) {
                    $0.append(contentsOf: name)
                } copyValue: {
                    $0.append(contentsOf: value)
                }
            } else {
                stream.request.headers.append(knownName, valueCount: value.count) { $0.append(contentsOf: value) }
            }
            return true
        }
        return isTaken || drop(name, value, id)
    }

    /// Counts a field that is read for nothing; whether the next one may be, too.
    private mutating func drop(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ id: Int32
    ) -> Bool {
        if surplus.id != id { surplus = (id, 0) }
        surplus.byteCount += name.count + value.count + StreamTable.Slot.fieldOverhead
        return surplus.byteCount <= Limits.headerListBytesReadMax - Limits.headerListBytesMax
    }

    /// Notes the credential; whether the list of fields has room for it.
    private mutating func recordAuthorization(_ value: UnsafeBufferPointer<UInt8>, _ slot: Int) -> Bool {
        var authorization = authorization
        if authorization.map({ value.elementsEqualBytes($0.bytes) }) != true {
            authorization = AuthorizationValue(Array(value))
            self.authorization = authorization
        }
        return streams.change(slot) { stream in
            guard stream.takesField(FieldName.authorization.textCount + value.count) else { return false }
            stream.request.headers.appendAuthorization(valueCount: value.count)
            if stream.request.authorization == nil { stream.request.authorization = authorization }
            return true
        }
    }

    mutating func data(_ session: OpaquePointer, _ id: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
        guard let slot = slot(of: id, session) else { return }
        let event = streams.change(slot) { stream -> Event? in
            guard !stream.isAnswered, !stream.isQueued else { return stream.discard(bytes.count) }
            let count = stream.request.body.count + bytes.count
            if count > Limits.payloadBytesMax {
                if stream.bodyBytesMax == 0 { stream.bodyBytesMax = PushRequest.bodyBytesMax(stream.request.headers) }
                if count > stream.bodyBytesMax {
                    stream.request.exceedLimit(received: count)
                    stream.request.body.append(
                        contentsOf: bytes.prefix(stream.bodyBytesMax - stream.request.body.count))
                    stream.isQueued = true
                    return .request(slot: slot)
                }
            }
            stream.request.body.append(contentsOf: bytes)
            return nil
        }
        if let event { events.append(event) }
        streams.hold(bytes.count, slot)
    }

    mutating func received(_ session: OpaquePointer, _ frame: UnsafePointer<nghttp2_frame>) {
        let header = frame.pointee.hd
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            guard let slot = slot(of: header.stream_id, session) else { return }
            let hasEnded = UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
            if hasEnded { streams.end(slot) }
            let event = streams.change(slot) { stream -> Event? in
                stream.hasAllHeaders = true
                guard !stream.isAnswered, !stream.isQueued else { return nil }
                guard hasEnded || stream.headersTooLarge else { return nil }
                stream.isQueued = true
                return stream.headersTooLarge ? .headerListTooLarge(slot: slot) : .request(slot: slot)
            }
            if let event {
                events.append(event)
            } else if !hasEnded, UInt32(header.type) == NGHTTP2_HEADERS.rawValue {
                streams.hold(StreamTable.bytesOfStream + streams.slots[slot].request.headers.bytes.count, slot)
            }
        case NGHTTP2_SETTINGS.rawValue where UInt32(header.flags) & NGHTTP2_FLAG_ACK.rawValue != 0:
            limit.acknowledge()
        case NGHTTP2_PING.rawValue where UInt32(header.flags) & NGHTTP2_FLAG_ACK.rawValue == 0:
            pingCount += 1
        case NGHTTP2_PING.rawValue where announced != nil && frame.pointee.ping.isAnnouncement:
            events.append(.announcementHeard)
        default:
            break
        }
    }

    mutating func closed(_ session: OpaquePointer, _ id: Int32) {
        let slot = slot(of: id, session)
        // 0 where the peer has neither ended the stream nor reset it: nghttp2 still knows the stream.
        if slot.map({ !streams.slots[$0].hasEnded }) ?? true,
            nghttp2_session_get_stream_remote_close(session, id) == 0
        {
            closedStreams.noteReset(id)
        }
        guard let slot else { return }
        if streams.close(slot) { due.append(.abandoned(id)) }
        if current.id == id { current = (0, -1) }
    }

    /// Takes a GOAWAY frame on its way out (RFC 9113 §6.8): with an error, unless that is known, it is nghttp2's own.
    mutating func sent(goAway frame: UnsafeBufferPointer<UInt8>) {
        guard !isErrorKnown, frame.count >= 17 else { return }
        let code = frame[13..<17].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard code != NGHTTP2_NO_ERROR.rawValue else { return }
        let name = String(cString: nghttp2_http2_strerror(code))
        let text = String(decoding: frame[17...], as: UTF8.self)
        violation = text.isEmpty ? name : "\(name), \(text)"
    }

    private mutating func slot(of id: Int32, _ session: OpaquePointer) -> Int? {
        if current.id == id { return current.slot }
        let number = Int(bitPattern: nghttp2_session_get_stream_user_data(session, id))
        guard number > 0 else { return nil }
        current = (id, number - 1)
        return number - 1
    }
}

extension StreamTable.Slot {
    /// What a field counts beyond its bytes (RFC 9113 §6.5.2).
    fileprivate static let fieldOverhead = 32

    /// Whether a field with this many bytes belongs to the request and still fits.
    fileprivate mutating func takesField(_ byteCount: Int) -> Bool {
        guard !hasAllHeaders, !headersTooLarge else { return false }
        headersTooLarge = request.headers.listSize + byteCount + Self.fieldOverhead > Limits.headerListBytesMax
        return !headersTooLarge
    }
}

extension StreamTable.Slot {
    /// Bytes of a request that are read and dropped after its answer, so that a client that sends all before it
    /// reads (curl) sees the answer and no reset; beyond them the stream is reset.
    ///
    /// A hundred times the largest payload.
    private static let discardedBytesMax = 512 * 1024

    /// Counts bytes that nobody needs; an event when they become too many, once.
    fileprivate mutating func discard(_ count: Int) -> HTTP2Recorder.Event? {
        let before = discardedBytes
        discardedBytes += count
        guard before <= Self.discardedBytesMax, discardedBytes > Self.discardedBytesMax else { return nil }
        return .excessData(id)
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func elementsEqualBytes(_ other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return other.withUnsafeBufferPointer { other in
            guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
            return memcmp(start, otherStart, count) == 0
        }
    }
}
