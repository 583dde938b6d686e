package import APNsRules

/// One push in the journal: what was sent, what was answered, what became of it.
///
/// Made on the push path, so it holds what is decided there and the request's own bytes; everything that
/// can be read from those bytes (topic, push type, payload, warnings) is read when somebody looks.
package struct Entry: Sendable {
    /// Orders everything; never repeats, never goes back.
    package var sequence: UInt64
    /// When the request was complete.
    package var receivedAt: Instant
    /// The service that was asked.
    package var environment: APNsEnvironment
    /// The connection, by the number the server gave it.
    package var connection: UInt64
    /// The HTTP/2 stream, 0 over HTTP/1.1.
    package var stream: Int32
    /// The credential, shared with all pushes that used it.
    package var credential: JudgedCredential
    /// The device token, when the path had a well-formed one.
    package var token: DeviceToken?
    /// The `apns-id` of the reply, the sender's or a generated one.
    package var notificationID: NotificationID
    /// Whether the sender gave `apns-id`, so that a repeated push can be told by it.
    package var hasOwnID: Bool
    /// The `apns-unique-id` of the reply.
    package var uniqueID: NotificationID?
    /// The encoded ``HeaderBlock``, and after it the body.
    package var bytes: [UInt8]
    /// How many of `bytes` are the header block.
    package var headerByteCount: Int32
    /// The size of the whole body, of which `bytes` has only the beginning when it was larger than a payload may be.
    package var bodyByteCount: Int32
    /// The status answered; `nil` while or when nothing is.
    package var status: Int16?
    /// The reason answered, a fault's own included.
    package var reason: Reason?
    /// When the token was unregistered, with 410.
    package var timestamp: Instant?
    /// What became of it.
    package var outcome: Outcome
    /// Whether the user saw it; `nil` where nothing but the payload decides that.
    package var shown: Bool?
    /// Whose it is, where more than the token says that.
    package var label: DeviceLabel?
    /// Counts the pushes with this `apns-id` up to this one, where the sender gave it; 1 without one.
    ///
    /// Set by the journal.
    package var attempt: Int32 = 1
    // 0 for none.
    private var repeatedSequence: UInt64 = 0
    // What most entries lack.
    private var notes = Rare<Notes>()

    private struct Notes: Sendable {
        var detail: String?
        var deviceWarnings: [String] = []
        var timeline: [TimelineEvent]?
        var fault: String?
        var oddReason: String?
        var presentation: Rare<Presentation> = Rare()
    }

    /// The latest earlier push with the same token and body within ``Journal/repeatWindow``.
    ///
    /// Set by the journal when it is read; see ``Journal/findRepeats(countMax:)``.
    package var repeats: UInt64? {
        get { repeatedSequence == 0 ? nil : repeatedSequence }
        set { repeatedSequence = newValue ?? 0 }
    }

    /// What the user saw and heard, for a device that has a screen.
    var presentation: Rare<Presentation> {
        get { notes.value?.presentation ?? Rare() }
        set { if !newValue.isAbsent || !notes.isAbsent { notes[orMaking: Notes()].presentation = newValue } }
    }

    /// Why it was refused or what is odd about it, for people.
    package var detail: String? {
        get { notes.value?.detail }
        set { if newValue != nil || !notes.isAbsent { notes[orMaking: Notes()].detail = newValue } }
    }

    /// What the device found wrong with it.
    package var deviceWarnings: [String] {
        get { notes.value?.deviceWarnings ?? [] }
        set { if !newValue.isEmpty || !notes.isAbsent { notes[orMaking: Notes()].deviceWarnings = newValue } }
    }

    /// What happened after it was received, when that is more than being delivered or refused at once.
    package var timeline: [TimelineEvent]? {
        get { notes.value?.timeline }
        set { if newValue != nil || !notes.isAbsent { notes[orMaking: Notes()].timeline = newValue } }
    }

    /// The text of a reason that APNs does not have; a fault may answer any.
    package var oddReason: String? {
        get { notes.value?.oddReason }
        set { if newValue != nil || !notes.isAbsent { notes[orMaking: Notes()].oddReason = newValue } }
    }

    /// The reason as it was answered, but for the spelling that ``Reason/documentedText`` is about.
    package var reasonText: String? { reason?.rawValue ?? oddReason }

    /// The fault rule that acted, by its id.
    package var fault: String? {
        get { notes.value?.fault }
        set { if newValue != nil || !notes.isAbsent { notes[orMaking: Notes()].fault = newValue } }
    }

    /// One step in the life of a push.
    package struct TimelineEvent: Sendable, Equatable {
        /// When.
        package let at: Instant
        /// What: `received`, or an ``Outcome``, or `shown` or `notShown`.
        package let event: String
        /// Why, for people.
        package let detail: String?

        /// A step.
        package init(at: Instant, event: String, detail: String?) {
            self.at = at
            self.event = event
            self.detail = detail
        }
    }

    /// An entry whose `sequence` is set later; without `bodyByteCount` the bytes have the whole body.
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
    /// The request's fields.
    package var headers: HeaderBlock { HeaderBlock(bytes: bytes, count: Int(headerByteCount)) }

    /// The request's body, as much of it as was kept.
    package var body: ArraySlice<UInt8> { bytes[Int(headerByteCount)...] }

    /// Whether ``body`` is only the beginning of what was sent.
    package var isBodyCut: Bool { Int(bodyByteCount) > bytes.count - Int(headerByteCount) }
}
