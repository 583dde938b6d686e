package import APNsRules

/// One push in the journal: what was sent, what was answered, what became of it.
///
/// Made on the push path, so it holds what is decided there and the request's own bytes; what can be read from those
/// bytes (topic, push type, payload, warnings) is read by ``PushView`` when it is needed.
package struct Entry: Sendable {
    /// Orders all pushes and events; never repeats, never goes back.
    package var sequence: UInt64 = 0
    /// When the request was complete.
    package var receivedAt: Instant
    package var environment: APNsEnvironment
    package var connection: UInt64
    /// The HTTP/2 stream, 0 over HTTP/1.1.
    package var stream: Int32
    /// Shared with all pushes that used it.
    package var credential: JudgedCredential
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
    /// The size of the whole body; `bytes` has only the beginning of one larger than a payload may be.
    package var bodyByteCount: Int32
    /// The answered status; `nil` if nothing is answered, or not yet.
    package var status: Int16?
    /// The answered reason, by a fault or by APNs' rules.
    package var reason: Reason?
    /// The timestamp of a 410.
    package var timestamp: Instant?
    package var outcome = Outcome.pending
    /// Whether the user saw it; `nil` if the payload alone decides that.
    package var shown: Bool?
    /// The device, if it is named.
    package var label: DeviceLabel?
    /// The number of pushes with this `apns-id` up to this one, if the sender gave it, else 1; set by the journal.
    package var attempt: Int32 = 1
    // 0 for none.
    private var repeatedSequence: UInt64 = 0
    // What few entries have.
    private var notes = Boxed<Notes>()

    private struct Notes: Sendable, DefaultInitializable {
        var detail: String?
        var deviceWarnings: [String] = []
        var timeline: [TimelineEvent]?
        var fault: String?
        var oddReason: String?
        var presentation = Boxed<Presentation>()
    }

    /// The latest earlier push with the same token and body; set by ``Journal/findRepeats(countMax:)``.
    package var repeats: UInt64? {
        get { repeatedSequence == 0 ? nil : repeatedSequence }
        set { repeatedSequence = newValue ?? 0 }
    }

    /// What the user saw and heard, if the device has a screen.
    var presentation: Boxed<Presentation> {
        get { notes.value?.presentation ?? Boxed() }
        set { if !newValue.isAbsent || !notes.isAbsent { notes.orDefault.presentation = newValue } }
    }

    /// Why it was refused, or what is unusual about it, for people.
    package var detail: String? {
        get { notes.value?.detail }
        set { if newValue != nil || !notes.isAbsent { notes.orDefault.detail = newValue } }
    }

    /// What the device found wrong with it.
    var deviceWarnings: [String] {
        get { notes.value?.deviceWarnings ?? [] }
        set { if !newValue.isEmpty || !notes.isAbsent { notes.orDefault.deviceWarnings = newValue } }
    }

    /// What happened after it was received, if that is more than being delivered or refused at once.
    package var timeline: [TimelineEvent]? {
        get { notes.value?.timeline }
        set { if newValue != nil || !notes.isAbsent { notes.orDefault.timeline = newValue } }
    }

    /// The text of a reason that APNs does not have, which a fault answered.
    var oddReason: String? {
        get { notes.value?.oddReason }
        set { if newValue != nil || !notes.isAbsent { notes.orDefault.oddReason = newValue } }
    }

    /// The reason as it was answered, apart from the spelling of ``Reason/documentedText``.
    package var reasonText: String? { reason?.rawValue ?? oddReason }

    /// The id of the fault rule that acted.
    package var fault: String? {
        get { notes.value?.fault }
        set { if newValue != nil || !notes.isAbsent { notes.orDefault.fault = newValue } }
    }

    package struct TimelineEvent: Sendable, Equatable {
        let at: Instant
        /// `received`, `fault`, an ``Outcome``, `shown` or `notShown`.
        let event: String
        /// Why, for people.
        var detail: String?
    }

    /// Makes the entry of a request that is not answered yet.
    ///
    /// - Parameters:
    ///   - id: The `apns-id` of the reply.
    ///   - bytes: The request's header block, followed by its body.
    package init(
        _ request: borrowing Candidate, id: NotificationID, bytes: [UInt8], connection: UInt64, stream: Int32
    ) {
        self.receivedAt = request.receivedAt
        self.environment = request.environment
        self.connection = connection
        self.stream = stream
        self.credential = request.credential
        self.token = request.token
        self.notificationID = id
        self.hasOwnID = request.notificationID != nil
        self.bytes = bytes
        self.headerByteCount = Int32(request.headers.bytes.count)
        self.bodyByteCount = Int32(clamping: request.bodyByteCount)
    }
}

// MARK: - Reading

extension Entry {
    package var headers: HeaderBlock { HeaderBlock(bytes: bytes, count: Int(headerByteCount)) }

    /// The request's body, as much as was kept.
    package var body: ArraySlice<UInt8> { bytes[Int(headerByteCount)...] }

    /// Whether ``body`` is only the beginning of the request's body.
    package var isBodyCut: Bool { Int(bodyByteCount) > bytes.count - Int(headerByteCount) }

    /// What had happened when the push was answered.
    var firstEvents: [TimelineEvent] {
        let received = TimelineEvent(at: receivedAt, event: "received")
        guard outcome != .pending else { return [received] }
        return [received, TimelineEvent(at: receivedAt, event: outcome.rawValue, detail: detail)]
    }
}

// MARK: - Cost

extension Entry {
    /// The cost of an entry apart from its bytes, in round figures: its slot in the ring (240), its keys in the indexes
    /// (16 to 42), and the header of the array of its bytes with malloc's own (48).
    private static let overheadBytes = 300
    private static let timelineEventBytes = 64
    /// The cost of a presentation apart from its texts.
    static let presentationBytes = 500

    /// The bytes for which this entry counts in ``JournalBounds/bytesMax``.
    package var cost: Int {
        let timelineCost = (timeline?.count ?? 0) * Entry.timelineEventBytes
        return Entry.overheadBytes + bytes.count + timelineCost + presentationCost
    }

    private var presentationCost: Int {
        guard let presentation = presentation.value else { return 0 }
        let content = presentation.content
        let texts = [content.title, content.subtitle, content.body, presentation.reason]
        return Entry.presentationBytes + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}

// MARK: - Changes

extension Entry {
    package mutating func note(_ refusal: Refusal) {
        reason = refusal.reason
        timestamp = refusal.timestamp
        detail = refusal.detail
    }

    /// Notes what became of a push after it was received.
    ///
    /// A final outcome stays: of two changes that crossed on their way, the device decided the first one.
    mutating func apply(_ change: EntryChange) {
        if change.isOnlyShown, let shown = change.shown { return noteLater(shown) }
        guard !outcome.isFinal else { return }
        let step = TimelineEvent(at: change.at, event: change.outcome.rawValue, detail: change.detail)
        timeline = (timeline ?? firstEvents) + [step]
        outcome = change.outcome
        shown = nil
        presentation = Boxed()
        deviceWarnings = []
        if outcome == .delivered, let shown = change.shown { note(shown, at: change.at) }
    }

    /// Notes what the device showed of a push that was delivered to it at a time.
    package mutating func note(_ shown: ShownOutcome, at time: Instant) {
        self.shown = shown.isShown
        presentation = shown.presentation
        deviceWarnings = shown.warnings
        timeline = timeline ?? firstEvents
        guard !shown.isAwaited else { return }
        timeline?.append(
            TimelineEvent(
                at: shown.isShown ? shown.at : time, event: shown.isShown ? "shown" : "notShown", detail: shown.reason))
    }

    /// Notes what the device showed of a delivered push after its service extension had run.
    mutating func noteLater(_ shown: ShownOutcome) {
        guard outcome == .delivered else { return }
        note(shown, at: shown.at)
    }
}
