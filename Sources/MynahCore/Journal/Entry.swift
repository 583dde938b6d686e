package import APNsRules

/// A push in the journal: what was sent, what was answered, what became of it; topic, push type, payload and warnings
/// are read from the bytes when they are needed, by ``PushView``, because an entry is made on the push path.
package struct Entry: Sendable {
    /// Orders all pushes and events; never repeats, never goes back.
    package var sequence: UInt64 = 0
    /// When the request was complete.
    package var receivedAt: Instant
    package var environment: APNsEnvironment
    package var connection: UInt64
    /// The HTTP/2 stream, 0 over HTTP/1.1.
    package var stream: Int32
    /// The credential, which all pushes that used it share.
    package var credential: RecordedCredential
    /// The device token, if the path had a well-formed one.
    package var token: DeviceToken?
    /// The `apns-id` of the reply, the sender's or a generated one.
    package var notificationID: NotificationID
    /// Whether the sender gave the `apns-id`, by which a repeated push is recognised.
    package var hasOwnID: Bool
    /// The `apns-unique-id` of the reply.
    package var uniqueID: NotificationID?
    /// The encoded ``HeaderBlock``, followed by the body.
    package var bytes: [UInt8]
    /// The size of the header block in `bytes`.
    package var headerByteCount: Int32
    /// The size of the whole body; of one that exceeds the payload limit `bytes` has only the beginning.
    package var bodyByteCount: Int32
    // The place of `apns-topic` in `bytes`, so that a list by topic need not look for it.
    private var topicStart: UInt16
    private var topicCount: UInt16
    /// The answered status; `nil` if nothing is answered, or not yet.
    package var status: Int16?
    /// The answered reason, by a fault or by APNs' rules.
    package var reason: Reason?
    /// The timestamp of a 410.
    package var timestamp: Instant?
    package var outcome = Outcome.pending
    /// Whether the user saw it; `nil` if the payload alone decides that.
    package var shown: Bool?
    /// The id and scope of the token's device; `nil` for a device without an id, as for an unknown token.
    package var label: DeviceLabel?
    /// The number of pushes with this `apns-id` up to this one, if the sender gave it, else 1; set by the journal.
    package var attempt: Int32 = 1
    // 0 for none.
    private var repeatedSequence: UInt64 = 0
    private var notes = Boxed<Notes>()

    // What few entries have.
    fileprivate struct Notes: Sendable, DefaultInitializable {
        var detail: String?
        var timeline: [TimelineEvent]?
        var fault: String?
        // The text of a reason that APNs does not have, which a fault answered.
        var oddReason: String?
        var presentation = Boxed<Presentation>()
        var activity = Boxed<LiveActivity>()
        var broadcast: Broadcast?
        var web: WebPushRecord?
    }

    /// What only the entry of a broadcast has.
    package struct Broadcast: Sendable, Equatable {
        /// How many devices the broadcast went to, each counted as often as it follows the channel.
        package var deviceCount = 0
    }

    /// The latest earlier push with the same token and body, while the journal has it; set by
    /// ``Journal/findRepeats(countMax:)``.
    package var repeats: UInt64? {
        get { repeatedSequence == 0 ? nil : repeatedSequence }
        set { repeatedSequence = newValue ?? 0 }
    }

    /// Whether the entry has notes, which few entries have, such as a reason that APNs does not have.
    var hasNotes: Bool { !notes.isAbsent }

    /// Why the push was refused, or what is unusual about it, in words.
    package var detail: String? {
        get { notes.value?.detail }
        set { if newValue != nil || !notes.isAbsent { notes.orDefault.detail = newValue } }
    }

    /// What happened after it was received, if that is more than being delivered or refused at once.
    package var timeline: [TimelineEvent]? {
        get { notes.value?.timeline }
        set { if newValue != nil || !notes.isAbsent { notes.orDefault.timeline = newValue } }
    }

    /// What the user saw and heard, if the device has a screen.
    var presentation: Presentation? { notes.value?.presentation.value }
    /// The Live Activity that the push started, updated or ended, as it became.
    var activity: LiveActivity? { notes.value?.activity.value }
    /// The id of the fault rule that acted.
    package var fault: String? { notes.value?.fault }
    /// `nil` for a push to a device.
    package var broadcast: Broadcast? {
        get { notes.value?.broadcast }
        set { if newValue != nil || !notes.isAbsent { notes.orDefault.broadcast = newValue } }
    }
    /// What is kept of a web push; `nil` for any other.
    package var web: WebPushRecord? {
        get { notes.value?.web }
        set { if newValue != nil || !notes.isAbsent { notes.orDefault.web = newValue } }
    }
    /// The reason as it was answered, apart from the spelling of ``Reason/documentedText``.
    package var reasonText: String? { reason?.rawValue ?? notes.value?.oddReason }

    package struct TimelineEvent: Sendable, Equatable {
        package let at: Instant
        /// `received`, `fault`, an ``Outcome``, `shown` or `notShown`, `sounded`.
        package let event: String
        /// Why, in words.
        package internal(set) var detail: String?
    }

    /// The entry of a request that is not answered yet.
    package init(
        _ request: borrowing Candidate, id: NotificationID, bytes: [UInt8], connection: UInt64, stream: Int32
    ) {
        let place = request.topicPlace
        let topic = place.flatMap { UInt16(exactly: $0.upperBound) == nil ? nil : $0 } ?? 0..<0
        self.receivedAt = request.receivedAt
        self.environment = request.environment
        self.connection = connection
        self.stream = stream
        self.credential = request.credential.recorded
        self.token = request.token
        self.notificationID = id
        self.hasOwnID = request.notificationID != nil
        self.bytes = bytes
        self.headerByteCount = Int32(request.headers.byteCount)
        self.bodyByteCount = Int32(clamping: request.bodyByteCount)
        self.topicStart = UInt16(topic.lowerBound)
        self.topicCount = UInt16(topic.count)
    }

    /// The entry of a broadcast that is not answered yet; its topic is the bundle id in its path.
    package init(
        broadcast request: borrowing ChannelRequest, id: NotificationID, bytes: [UInt8], connection: UInt64,
        stream: Int32
    ) {
        self.init(request.candidate, id: id, bytes: bytes, connection: connection, stream: stream)
        hasOwnID = request.requestID != nil
        topicStart = 0
        topicCount = 0
        if let end = UInt16(exactly: request.bundleIDPlace.upperBound) {
            topicStart = end - UInt16(request.bundleIDPlace.count)
            topicCount = UInt16(request.bundleIDPlace.count)
        }
        broadcast = Broadcast()
    }

    /// The entry of a web push that is not answered yet; `token` is what its endpoint ends in.
    package init(
        web request: borrowing Candidate, _ record: WebPushRecord, token: DeviceToken?, id: NotificationID,
        bytes: [UInt8], connection: UInt64, stream: Int32
    ) {
        self.init(request, id: id, bytes: bytes, connection: connection, stream: stream)
        hasOwnID = false
        self.token = token
        topicStart = 0
        topicCount = 0
        web = record
    }

    // MARK: - Reading

    /// The range of `apns-topic` in ``bytes``, or for a broadcast the range of the bundle id in its path; `nil` if the
    /// topic wasn't sent: it may then be the topic of a certificate.
    var topicPlace: Range<Int>? { topicStart == 0 ? nil : Int(topicStart)..<Int(topicStart) + Int(topicCount) }
    package var headers: HeaderBlock { HeaderBlock(bytes: bytes, count: Int(headerByteCount)) }
    /// The request's body, as much as was kept.
    package var body: ArraySlice<UInt8> { bytes[Int(headerByteCount)...] }
    /// Whether ``body`` is only the beginning of the request's body.
    package var isBodyCut: Bool { Int(bodyByteCount) > bytes.count - Int(headerByteCount) }

    /// What had happened when the push was answered.
    var firstEvents: [TimelineEvent] {
        [TimelineEvent(at: receivedAt, event: "received")] + outcomeEvents(at: receivedAt)
    }

    private func outcomeEvents(at time: Instant) -> [TimelineEvent] {
        outcome == .pending ? [] : [TimelineEvent(at: time, event: outcome.rawValue, detail: detail)]
    }

    // MARK: - Cost

    // An entry apart from its bytes, in round figures: its slot in the ring (240), its keys in the indexes (16 to 42),
    // and the header of the array of its bytes with malloc's own (48).
    private static let overheadBytes = 300
    // malloc loses one byte for every `bytesPerLostByte`: the space between entries of different sizes, and what is
    // free for one event loop while another one needs memory. So a process with a full journal has little more than
    // ``JournalBounds/bytesMax`` on top of what it has without one.
    private static let bytesPerLostByte = 8
    private static let timelineEventBytes = 64
    /// The cost of a presentation apart from its texts.
    static let presentationBytes = 500

    /// The bytes for which this entry counts in ``JournalBounds/bytesMax``.
    package var cost: Int {
        let cost = Entry.overheadBytes + bytes.count + bytes.count / Entry.bytesPerLostByte
        guard let notes = notes.value else { return cost }
        return cost + (notes.timeline?.count ?? 0) * Entry.timelineEventBytes + (notes.presentation.value?.cost ?? 0)
            + (notes.web?.cost ?? 0)
            + (notes.activity.value.map { Entry.presentationBytes + $0.attributesByteCount + body.count } ?? 0)
    }

    // MARK: - Changes

    package mutating func recordRefusal(_ refusal: Refusal) {
        reason = refusal.reason
        timestamp = refusal.timestamp
        detail = refusal.detail
    }

    package mutating func recordFiring(_ firing: FaultFiring, at time: Instant) {
        notes.orDefault.fault = firing.ruleID
        timeline =
            [
                TimelineEvent(at: receivedAt, event: "received"),
                TimelineEvent(at: time, event: "fault", detail: "\(firing.ruleID): \(firing.action.type.rawValue)"),
            ] + outcomeEvents(at: time)
    }

    package mutating func recordReason(_ answered: FaultReason) {
        reason = answered.known
        timestamp = answered.timestamp
        notes.orDefault.oddReason = reason == nil ? answered.text : nil
    }

    /// Records the outcome of a push whose answer was withheld, and the device's decision if it got the push just now.
    package mutating func recordOutcome(_ outcome: Outcome, _ decision: Decision?, at time: Instant) {
        guard self.outcome == .pending else { return }
        self.outcome = outcome
        if let decision {
            label = decision.label
            detail = decision.detail
        }
        let step = TimelineEvent(at: time, event: outcome.rawValue, detail: detail)
        timeline?.append(step)
        if let shown = decision?.shown { recordShownIfDelivered(shown) }
    }

    /// Applies what became of a push after it was received; a final outcome stays, because a change that arrives after
    /// it was decided before it.
    mutating func apply(_ change: EntryChange) {
        if let count = change.broadcast?.deviceCount, count > 0 { broadcast?.deviceCount += count }
        if change.isOnlyShown, let shown = change.shown { return recordShownIfDelivered(shown) }
        guard !outcome.isFinal else { return }
        timeline = timeline ?? firstEvents
        timeline?.append(TimelineEvent(at: change.at, event: change.outcome.rawValue, detail: change.detail))
        outcome = change.outcome
        shown = nil
        notes.orDefault.presentation.remove()
        notes.orDefault.activity.remove()
        if outcome == .delivered, let shown = change.shown { recordShown(shown, at: change.at) }
    }

    package mutating func recordShown(_ shown: ShownOutcome, at time: Instant) {
        self.shown = shown.isShown
        notes.orDefault.presentation = shown.presentation
        notes.orDefault.activity = shown.activity
        timeline = timeline ?? firstEvents
        guard !shown.isAwaited else { return }
        timeline?.append(
            TimelineEvent(
                at: shown.isShown ? shown.at : time, event: shown.isShown ? "shown" : "notShown", detail: shown.reason))
        guard let sound = shown.presentation.value?.content.sound else { return }
        timeline?.append(TimelineEvent(at: shown.at, event: "sounded", detail: sound.text))
    }

    // What the device showed of a delivered push after its service extension had run.
    private mutating func recordShownIfDelivered(_ shown: ShownOutcome) {
        if outcome == .delivered { recordShown(shown, at: shown.at) }
    }
}

extension Presentation {
    fileprivate var cost: Int {
        let texts = [content.title, content.subtitle, content.body, reason]
        return Entry.presentationBytes + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}

extension Push {
    /// The push of an entry; `nil` for one that was refused for its token.
    package init?(_ entry: Entry) {
        guard let token = entry.token else { return nil }
        if let web = entry.web {
            guard let topic = web.topic, web.plaintext != nil || web.problem != nil else { return nil }
            self.init(token: token, topic: topic, record: web, id: entry.notificationID)
            return
        }
        self.init(
            token: token, environment: entry.environment, id: entry.notificationID, bytes: entry.bytes,
            headerByteCount: Int(entry.headerByteCount))
    }
}

// MARK: - Coding

/// The shared values that one reader of a journal's entries has read.
final class SharedInJournal: SharedInReader {
    fileprivate let labels = SharedRead<DeviceLabel>()
}

extension DeviceLabel: SharedValue {
    package static func read(in shared: SharedInReader?) -> SharedRead<DeviceLabel> {
        shared.expected(SharedInJournal.self).labels
    }
}

extension Entry {
    private struct Parts: OptionSet {
        let rawValue: UInt64
        static let ownID = Parts(rawValue: 1 << 0)
        static let token = Parts(rawValue: 1 << 1)
        static let uniqueID = Parts(rawValue: 1 << 2)
        static let status = Parts(rawValue: 1 << 3)
        static let reason = Parts(rawValue: 1 << 4)
        static let timestamp = Parts(rawValue: 1 << 5)
        static let shownIsKnown = Parts(rawValue: 1 << 6)
        static let shown = Parts(rawValue: 1 << 7)
        static let label = Parts(rawValue: 1 << 8)
        static let notes = Parts(rawValue: 1 << 9)
        static let all = Parts(rawValue: 1 << 10 - 1)
    }

    /// Writes everything but the number and ``repeats``, which is found anew.
    func write(to writer: inout ByteWriter) {
        var parts: Parts = []
        if hasOwnID { parts.insert(.ownID) }
        if token != nil { parts.insert(.token) }
        if uniqueID != nil { parts.insert(.uniqueID) }
        if status != nil { parts.insert(.status) }
        if reason != nil { parts.insert(.reason) }
        if timestamp != nil { parts.insert(.timestamp) }
        if let shown { parts.formUnion(shown ? [.shownIsKnown, .shown] : .shownIsKnown) }
        if label != nil { parts.insert(.label) }
        if hasNotes { parts.insert(.notes) }
        writer.write(varint: parts.rawValue)
        writer.write(receivedAt, environment, connection, stream, Shared(credential))
        if let token { writer.write(token) }
        writer.write(notificationID)
        if let uniqueID { writer.write(uniqueID) }
        writer.write(bytes, headerByteCount, bodyByteCount, Varint(topicStart), Varint(topicCount))
        if let status { writer.write(signed: Int64(status)) }
        if let reason { writer.write(reason) }
        if let timestamp { writer.write(timestamp) }
        writer.write(outcome)
        if let label { writer.write(Shared(label)) }
        writer.write(attempt)
        if let notes = notes.value { writer.write(notes) }
    }

    /// Reads the entry with a number.
    init(_ sequence: UInt64, from reader: inout ByteReader) throws(CodingProblem) {
        let parts = Parts(rawValue: try reader.varint())
        guard parts.isSubset(of: .all) else { throw reader.problem("\(parts.rawValue) has unknown parts of a push") }
        self.sequence = sequence
        receivedAt = try reader.read()
        environment = try reader.read()
        connection = try reader.varint()
        stream = try reader.read()
        credential = try Shared(from: &reader).value
        if parts.contains(.token) { token = try DeviceToken(from: &reader) }
        notificationID = try reader.read()
        hasOwnID = parts.contains(.ownID)
        if parts.contains(.uniqueID) { uniqueID = try NotificationID(from: &reader) }
        bytes = Array(try reader.bytes())
        headerByteCount = try reader.read()
        bodyByteCount = try reader.read()
        topicStart = try reader.whole()
        topicCount = try reader.whole()
        guard HeaderBlock.isWellFormed(bytes, count: Int(headerByteCount)),
            Int(topicStart) + Int(topicCount) <= Int(headerByteCount),
            Int(bodyByteCount) >= bytes.count - Int(headerByteCount)
        else { throw reader.problem("the header fields of a push are damaged") }
        if parts.contains(.status) { status = try reader.signed() }
        if parts.contains(.reason) { reason = try Reason(from: &reader) }
        if parts.contains(.timestamp) { timestamp = try Instant(from: &reader) }
        outcome = try reader.read()
        if parts.contains(.shownIsKnown) { shown = parts.contains(.shown) }
        if parts.contains(.label) { label = try Shared(from: &reader).value }
        attempt = try reader.read()
        if parts.contains(.notes) { notes.orDefault = try Notes(from: &reader) }
    }
}

extension Entry.Notes: ByteRecord {
    static let members: some ByteForm<Entry.Notes> = ByteMembers({
        Entry.Notes(
            detail: $0, timeline: $1, fault: $2, oddReason: $3, presentation: $4, activity: $5, broadcast: $6,
            web: $7.value ?? nil)
    }) {
        (
            $0.detail, $0.timeline, $0.fault, $0.oddReason, $0.presentation, $0.activity, $0.broadcast,
            Since<2, WebPushRecord?>($0.web)
        )
    }
}

extension Entry.TimelineEvent: ByteRecord {
    package static let members = ByteMembers(Entry.TimelineEvent.init) { ($0.at, $0.event, $0.detail) }
}

extension Entry.Broadcast: ByteRecord {
    package static let members = ByteMembers(Entry.Broadcast.init) { $0.deviceCount }
}
