package import APNsRules

/// One push in the journal: what was sent, what was answered, what became of it.
///
/// Made on the push path, so it holds what is decided there and the request's own bytes; what can be read from those
/// bytes (topic, push type, payload, warnings) is read by ``PushView`` when it is asked for.
package struct Entry: Sendable {
    /// Orders all pushes and events; never repeats, never goes back.
    package var sequence: UInt64
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
    package var outcome: Outcome
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
    package var deviceWarnings: [String] {
        get { notes.value?.deviceWarnings ?? [] }
        set { if !newValue.isEmpty || !notes.isAbsent { notes.orDefault.deviceWarnings = newValue } }
    }

    /// What happened after it was received, if that is more than being delivered or refused at once.
    package var timeline: [TimelineEvent]? {
        get { notes.value?.timeline }
        set { if newValue != nil || !notes.isAbsent { notes.orDefault.timeline = newValue } }
    }

    /// The text of a reason that APNs does not have, which a fault answered.
    package var oddReason: String? {
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
        package let at: Instant
        /// `received`, `fault`, an ``Outcome``, `shown` or `notShown`.
        package let event: String
        /// Why, for people.
        package let detail: String?

        package init(at: Instant, event: String, detail: String?) {
            self.at = at
            self.event = event
            self.detail = detail
        }
    }

    /// Makes an entry; without `bodyByteCount` the bytes have the whole body.
    package init(
        sequence: UInt64 = 0, receivedAt: Instant, environment: APNsEnvironment, connection: UInt64, stream: Int32,
        credential: JudgedCredential, token: DeviceToken?, notificationID: NotificationID, hasOwnID: Bool,
        uniqueID: NotificationID?, bytes: [UInt8], headerByteCount: Int, bodyByteCount: Int? = nil, status: Int?,
        refusal: Refusal?, outcome: Outcome
    ) {
        self.sequence = sequence
        self.receivedAt = receivedAt
        self.environment = environment
        self.connection = connection
        self.stream = stream
        self.credential = credential
        self.token = token
        self.notificationID = notificationID
        self.hasOwnID = hasOwnID
        self.uniqueID = uniqueID
        self.bytes = bytes
        self.headerByteCount = Int32(headerByteCount)
        self.bodyByteCount = Int32(clamping: bodyByteCount ?? bytes.count - headerByteCount)
        self.status = status.map(Int16.init)
        self.reason = refusal?.reason
        self.timestamp = refusal?.timestamp
        self.outcome = outcome
        self.detail = refusal?.detail
    }
}

extension Entry {
    package var headers: HeaderBlock { HeaderBlock(bytes: bytes, count: Int(headerByteCount)) }

    /// The request's body, as much as was kept.
    package var body: ArraySlice<UInt8> { bytes[Int(headerByteCount)...] }

    /// Whether ``body`` is only the beginning of the request's body.
    package var isBodyCut: Bool { Int(bodyByteCount) > bytes.count - Int(headerByteCount) }
}
