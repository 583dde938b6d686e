internal import APNsRules
internal import CNghttp2
internal import MynahSystem

/// What the peer has sent: nghttp2's callbacks record it while nghttp2 reads, and ``HTTP2Session`` acts on it later.
struct HTTP2Recorder {
    enum Event {
        /// The request in this slot is complete, or its body exceeds the limit.
        case request(slot: Int)
        /// The fields in this slot exceed the limit.
        case headerListTooLarge(slot: Int)
        /// The peer keeps sending the body of an answered request.
        case excessData(Int32)
        /// The peer has answered the PING after a GOAWAY that announced another.
        case announcementPingAnswered
    }

    /// A request whose stream nghttp2 has reset because it breaks HTTP/2.
    struct Malformed: Equatable {
        let stream: Int32
        /// In nghttp2's words, with the name of the field if it is one.
        let reason: String
    }

    /// The most bytes of a field's name that are reported.
    private static let nameBytesMax = 100

    var streams = StreamTable()
    var closedStreams = ClosedStreams()
    var limit = StreamLimit()
    /// The highest stream that was accepted: GOAWAY's last-stream-id.
    private(set) var lastStreamID: Int32 = 0
    private(set) var pingCount = 0
    /// Streams that have ended while their answers were withheld.
    private(set) var abandoned: [Int32] = []

    private var malformed: [Malformed] = []
    /// The name of the field that nghttp2 has refused last.
    private var refusedName: String?

    private var events: [Event] = []
    private var nextEvent = 0
    /// The last authorization value, because the next one is nearly always the same.
    private var authorization: AuthorizationValue?
    // Fields and data nearly always belong to the stream of the call before.
    private var current = (id: Int32(0), slot: -1)
    // The bytes read and dropped of the last header list that is too large.
    private var surplus = (id: Int32(0), byteCount: 0)

    var hasEvents: Bool { nextEvent < events.count }

    mutating func takeEvent() -> Event? {
        guard nextEvent < events.count else {
            events.removeAll(keepingCapacity: true)
            nextEvent = 0
            return nil
        }
        defer { nextEvent += 1 }
        return events[nextEvent]
    }

    /// Frees the memory that is kept for further requests.
    mutating func freeMemory() {
        streams.freeMemory()
        if events.isEmpty { events = [] }
    }

    mutating func takeAbandoned() -> [Int32] {
        defer { abandoned = [] }
        return abandoned
    }

    @inline(__always)
    mutating func takeMalformed() -> [Malformed] {
        guard !malformed.isEmpty else { return [] }
        defer { malformed = [] }
        return malformed
    }

    // MARK: Callbacks

    /// Records nghttp2's message about a field, which it refuses or ignores; the value may be a secret.
    mutating func complained(_ message: UnsafeBufferPointer<UInt8>) {
        let text = String(decoding: message, as: UTF8.self)
        guard let start = text.firstRange(of: "name: [")?.upperBound,
            let end = text[start...].firstRange(of: "], value: [")?.lowerBound
        else { return }
        refusedName = String(decoding: text[start..<end].utf8.prefix(HTTP2Recorder.nameBytesMax), as: UTF8.self)
    }

    /// Records a frame of a stream that nghttp2 resets; other errors end the connection, and are reported by its
    /// GOAWAY.
    mutating func refused(_ stream: Int32, _ error: Int32) {
        guard stream > 0, [NGHTTP2_ERR_HTTP_HEADER.rawValue, NGHTTP2_ERR_HTTP_MESSAGING.rawValue].contains(error)
        else { return }
        let name = error == NGHTTP2_ERR_HTTP_HEADER.rawValue ? refusedName : nil
        refusedName = nil
        let reason = String(cString: nghttp2_strerror(error)) + (name.map { ", named \($0)" } ?? "")
        malformed.append(Malformed(stream: stream, reason: reason))
    }

    /// Opens the stream of a header block; returns its slot, or `nil` if no more streams may be open.
    mutating func opened(_ id: Int32) -> Int? {
        guard limit.allowsOpening(open: streams.openCount) else { return nil }
        let slot = streams.open(id)
        lastStreamID = id
        current = (id, slot)
        return slot
    }

    /// Records a field; returns whether to read the next one of its stream.
    mutating func field(
        _ session: OpaquePointer, _ id: Int32, name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let slot = slot(of: id, session) else { return true }
        // Patterns, because == of another module's enumeration is a generic call.
        let fieldName = FieldName(name.span)
        if case .authorization = fieldName {
            return recordAuthorization(value, slot) || drop(name, value: value, of: id)
        }
        let isTaken = streams.change(slot) { stream in
            guard stream.takesField(name.count + value.count) else { return false }
            let count = value.count
            let value = UnsafeBufferPointer(
                start: value.baseAddress, count: Secrets.keptCount(of: value.span, in: name.span, fieldName))
            if value.count < count { stream.request.headers.countDropped(count - value.count) }
            if case .other = fieldName {
                let places = stream.request.headers.addOther(nameCount: name.count, valueCount: value.count)
                name.copy(to: &stream.request.headers.storage, at: places.name)
                value.copy(to: &stream.request.headers.storage, at: places.value)
            } else {
                let place = stream.request.headers.add(fieldName, valueCount: value.count)
                value.copy(to: &stream.request.headers.storage, at: place)
            }
            return true
        }
        return isTaken || drop(name, value: value, of: id)
    }

    /// Counts a field that is dropped; returns whether to read the next one.
    private mutating func drop(
        _ name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, of id: Int32
    ) -> Bool {
        if surplus.id != id { surplus = (id, 0) }
        surplus.byteCount += name.count + value.count + StreamTable.Slot.fieldOverhead
        return surplus.byteCount <= Limits.headerListBytesReadMax - Limits.headerListBytesMax
    }

    /// Records the credential; returns whether the header list has room for it.
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

    mutating func data(_ session: OpaquePointer, _ id: Int32, bytes: UnsafeBufferPointer<UInt8>) {
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
        let type = HTTP2FrameType(rawValue: header.type)
        switch type {
        case .headers, .data:
            guard let slot = slot(of: header.stream_id, session) else { return }
            let hasEnded = header.flags & HTTP2Flag.endStream != 0
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
            } else if !hasEnded, type == .headers {
                streams.hold(StreamTable.bytesOfStream + streams.slots[slot].request.headers.byteCount, slot)
            }
        case .settings where header.flags & HTTP2Flag.ack != 0: limit.acknowledge()
        case .ping where header.flags & HTTP2Flag.ack == 0: pingCount += 1
        case .ping where frame.pointee.ping.isAnnouncement: events.append(.announcementPingAnswered)
        default: break
        }
    }

    mutating func closed(_ session: OpaquePointer, _ id: Int32) {
        let slot = slot(of: id, session)
        // 0 if the peer has neither ended nor reset the stream; nghttp2 still knows the stream here.
        if slot.map({ !streams.slots[$0].hasEnded }) ?? true,
            nghttp2_session_get_stream_remote_close(session, id) == 0
        {
            closedStreams.recordReset(id)
        }
        guard let slot else { return }
        if streams.close(slot) { abandoned.append(id) }
        if current.id == id { current = (0, -1) }
    }

    private mutating func slot(of id: Int32, _ session: OpaquePointer) -> Int? {
        if current.id == id { return current.slot }
        guard let slot = NGHTTP2Session.slot(of: id, session) else { return nil }
        current = (id, slot)
        return slot
    }
}

extension StreamTable.Slot {
    /// What a field counts in addition to its bytes (RFC 9113 §6.5.2).
    fileprivate static let fieldOverhead = 32

    /// Whether a field with this many bytes belongs to the request and still fits.
    fileprivate mutating func takesField(_ byteCount: Int) -> Bool {
        guard !hasAllHeaders, !headersTooLarge else { return false }
        headersTooLarge = request.headers.listSize + byteCount + Self.fieldOverhead > Limits.headerListBytesMax
        return !headersTooLarge
    }

    /// Bytes of a request that are read and dropped after its answer, so that a client that sends all before it
    /// reads (curl) sees the answer and no reset; a hundred times the largest payload.
    private static let discardedBytesMax = 512 * 1024

    /// Counts bytes that are dropped; returns an event, once, when they become too many.
    fileprivate mutating func discard(_ count: Int) -> HTTP2Recorder.Event? {
        let before = discardedBytes
        discardedBytes += count
        guard before <= Self.discardedBytesMax, discardedBytes > Self.discardedBytesMax else { return nil }
        return .excessData(id)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Overwrites the bytes of an array from a place on with these bytes.
    @inline(__always)
    fileprivate func copy(to bytes: inout [UInt8], at place: Int) {
        guard let start = baseAddress else { return }
        bytes.withUnsafeMutableBytes { bytes in
            precondition(place >= 0 && place + count <= bytes.count, "a field is larger than its room")
            bytes.baseAddress?.advanced(by: place).copyMemory(from: start, byteCount: count)
        }
    }

    fileprivate func elementsEqualBytes(_ other: [UInt8]) -> Bool {
        guard count == other.count, let start = baseAddress else { return count == other.count }
        return memcmp(start, other, count) == 0
    }
}
