package import APNsRules

/// A Live Activity on one device (`DeviceBehaviour#Live-Activities`).
package struct LiveActivity: Sendable, Hashable {
    /// The states of ActivityKit's `ActivityState`.
    package enum State: String, CaseIterable, Sendable {
        case active
        /// The activity's content is out of date.
        case stale
        /// The activity has ended: it is on the lock screen with its last content, and takes no more updates.
        case ended
        /// The activity is no longer shown.
        case dismissed
    }

    /// The content that the activity showed, and since when.
    package struct Update: Sendable, Hashable {
        let event: ActivityMessage.Event
        let at: Instant
        /// The push or broadcast; `nil` if its app did it.
        let sequence: UInt64?
        let contentState: JSONValue
    }

    /// How long an activity may be active (documented).
    static let activeTimeMax: Duration = .seconds(8 * 3600)
    /// How long the activity stays on the lock screen after its end (documented).
    static let lingerTimeMax: Duration = .seconds(4 * 3600)
    /// The most bytes of the activity's attributes and content state together, as JSON (documented).
    static let dataBytesMax = 4096
    /// The most updates that are remembered; of more, the oldest are dropped.
    static let historyCountMax = 50

    /// The activity's number, unique on its device, from 1.
    package let number: Int32
    /// The app's topic with the suffix of Live Activities.
    package let topic: String
    /// The app's environment, in which its token or channel is valid.
    package let environment: APNsEnvironment
    /// `nil` for one that a push to an unknown token has shown, so that nothing else is known.
    let attributesType: String?
    let attributes: JSONValue?
    let startedAt: Instant
    package private(set) var state = State.active
    private(set) var contentState: JSONValue
    /// Oldest first.
    private(set) var history: [Update]
    /// The timestamp of the newest message; `nil` before one came.
    private(set) var timestamp: Instant?
    private(set) var staleDate: Instant?
    private(set) var endedAt: Instant?
    /// When the activity leaves the lock screen, or left it; `nil` until it ends.
    private(set) var dismissalDate: Instant?
    private(set) var relevanceScore: Double?
    /// The token by which the provider updates the activity; `nil` if it has none.
    package var token: DeviceToken?
    /// The broadcast channel that the activity follows.
    package private(set) var channel: String?
    /// The number of bytes of the attributes as JSON.
    let attributesByteCount: Int
    // The newest push or broadcast that it has applied, which the history may have dropped.
    private var lastApplied: UInt64?
    // How many of the oldest updates in the history are from an export: their numbers are of another journal.
    private var importedCount = 0

    package var id: String { String(number) }
    /// The bytes of the activity's attributes and a content state, by default its own, as JSON.
    func dataByteCount(with state: JSONValue?) -> Int { attributesByteCount + (state ?? contentState).encoded.count }
    /// Whether the activity takes updates.
    package var isRunning: Bool { state == .active || state == .stale }
    /// Whether the activity is on the screen.
    package var isShown: Bool { state != .dismissed }
}

extension LiveActivity {
    /// An activity that a push starts on its device.
    init(
        _ start: ActivityMessage.Start, of message: ActivityMessage, number: Int32, topic: String,
        environment: APNsEnvironment, sequence: UInt64, at now: Instant
    ) {
        self.init(
            number: number, topic: topic, environment: environment, attributesType: start.attributesType,
            attributes: start.attributes, content: message.content, channel: start.channel, sequence: sequence,
            at: now)
        timestamp = message.timestamp
    }

    /// Makes an activity that an app started; `sequence` is given if a push reports it.
    init(
        number: Int32, topic: String, environment: APNsEnvironment, attributesType: String?, attributes: JSONValue?,
        content: Content, channel: String? = nil, sequence: UInt64? = nil, at now: Instant
    ) {
        let contentState = content.state ?? .object([])
        self.number = number
        self.topic = topic
        self.environment = environment
        startedAt = now
        self.attributesType = attributesType
        self.attributes = attributes
        self.channel = channel
        self.contentState = contentState
        attributesByteCount = attributes?.encoded.count ?? 0
        history = [Update(event: .start, at: now, sequence: sequence, contentState: contentState)]
        staleDate = content.staleDate
        relevanceScore = content.relevanceScore
        settle(at: now)
    }

    static func tooLarge(_ byteCount: Int) -> String {
        "attributes and content-state have \(byteCount) bytes: expected at most \(dataBytesMax)"
    }

    static func notAChannel(_ id: String) -> String {
        "\(id) is not a channel's id: expected \(Limits.channelIDByteCount) bytes in standard base64"
    }

    // MARK: - Messages

    /// Applies an update or an end; returns why it changes nothing, if so.
    package mutating func apply(_ message: ActivityMessage, sequence: UInt64, at now: Instant) -> String? {
        guard isRunning else { return "activity \(number) has ended" }
        guard message.event != .start else {
            return "the token is that of activity \(number): expected the push-to-start token for a start"
        }
        if let timestamp, message.timestamp < timestamp {
            return "its timestamp \(message.timestamp.rfc3339) is older than that of the last message applied, "
                + timestamp.rfc3339
        }
        let byteCount = attributesByteCount + message.contentStateByteCount
        guard byteCount <= LiveActivity.dataBytesMax else { return LiveActivity.tooLarge(byteCount) }
        timestamp = message.timestamp
        if message.event == .end {
            end(message.content, dismissedAt: message.dismissalDate, sequence: sequence, at: now)
        } else {
            update(message.content, sequence: sequence, at: now)
        }
        return nil
    }

    /// What an update brings, as ActivityKit's `ActivityContent`.
    struct Content: Sendable, Hashable {
        /// `nil` leaves what is shown.
        var state: JSONValue?
        var staleDate: Instant?
        var relevanceScore: Double?
    }

    /// Shows other content; `sequence` is `nil` if its app does it.
    mutating func update(_ content: Content, sequence: UInt64?, at now: Instant) {
        show(content, .update, sequence, at: now)
        state = .active
        settle(at: now)
    }

    /// Ends the activity; it leaves the lock screen at `dismissedAt`, by default and at the latest after
    /// ``lingerTimeMax``.
    mutating func end(_ content: Content, dismissedAt: Instant?, sequence: UInt64?, at now: Instant) {
        show(content, .end, sequence, at: now)
        end(at: now, dismissedAt: dismissedAt)
        settle(at: now)
    }

    private mutating func end(at now: Instant, dismissedAt: Instant? = nil) {
        state = .ended
        endedAt = now
        let last = now.advanced(by: LiveActivity.lingerTimeMax)
        dismissalDate = max(now, min(dismissedAt ?? last, last))
    }

    private mutating func show(
        _ content: Content, _ event: ActivityMessage.Event, _ sequence: UInt64?, at now: Instant
    ) {
        contentState = content.state ?? contentState
        staleDate = content.staleDate
        relevanceScore = content.relevanceScore
        history.append(Update(event: event, at: now, sequence: sequence, contentState: contentState))
        lastApplied = sequence ?? lastApplied
        guard history.count > LiveActivity.historyCountMax else { return }
        history.removeFirst()
        importedCount = max(0, importedCount - 1)
    }

    /// Whether the activity shows, or has shown, what a push or broadcast brought.
    func hasApplied(_ sequence: UInt64) -> Bool {
        lastApplied == sequence || history.dropFirst(importedCount).contains { $0.sequence == sequence }
    }

    /// Takes it off the screen, as its user or its app does.
    mutating func dismiss(at now: Instant) {
        if isRunning { end(at: now) }
        state = .dismissed
        dismissalDate = now
    }

    /// Brings the activity to the state of an exported one.
    mutating func restore(
        _ state: State, history: [Update], timestamp: Instant?, endedAt: Instant?, dismissalDate: Instant?
    ) {
        self.state = state
        self.history = history
        self.timestamp = timestamp
        importedCount = history.count
        self.endedAt = endedAt
        self.dismissalDate = dismissalDate
    }

    /// The activity as it became, for the journal, without its history.
    var withoutHistory: LiveActivity {
        var copy = self
        copy.history = []
        return copy
    }

    // MARK: - Time

    /// When the activity's state changes by itself.
    var nextDue: Instant? {
        let lastActive = startedAt.advanced(by: LiveActivity.activeTimeMax)
        return switch state {
        case .active: min(staleDate ?? lastActive, lastActive)
        case .stale: lastActive
        case .ended: dismissalDate
        case .dismissed: nil
        }
    }

    /// Carries out the changes of the activity's state up to a time, each at its own time.
    mutating func settle(at now: Instant) {
        while let due = nextDue, due <= now {
            if state == .ended {
                state = .dismissed
            } else if due >= startedAt.advanced(by: LiveActivity.activeTimeMax) {
                end(at: due)
            } else {
                state = .stale
            }
        }
    }
}

/// The Live Activities of one device, oldest first.
struct LiveActivities: Sendable {
    /// The most activities of a device, including dismissed ones; the oldest dismissed one makes room (inferred: Apple
    /// says that there is a limit, and no number).
    static let countMax = 100

    private(set) var all: [LiveActivity] = []
    /// The number of the newest activity.
    private(set) var lastNumber: Int32 = 0
    var isEmpty: Bool { lastNumber == 0 }
    /// When the state of one of them changes by itself.
    var nextDue: Instant? { all.compactMap(\.nextDue).min() }

    subscript(number: Int32) -> LiveActivity? { all.first { $0.number == number } }
    /// The number of the oldest that has applied a push or broadcast.
    func firstThatApplied(_ sequence: UInt64) -> Int32? { all.first { $0.hasApplied(sequence) }?.number }

    /// Removes the oldest dismissed activity if there is no room for another; returns whether there is room, and what
    /// was removed.
    mutating func makeRoom() -> (isRoom: Bool, removed: LiveActivity?) {
        guard all.count >= LiveActivities.countMax else { return (true, nil) }
        guard let index = all.firstIndex(where: { !$0.isShown }) else { return (false, nil) }
        return (true, all.remove(at: index))
    }

    /// Adds an activity whose number is the one after ``lastNumber``, or, in a device that is restored, above it.
    mutating func add(_ activity: LiveActivity) {
        all.append(activity)
        lastNumber = max(lastNumber, activity.number)
    }

    /// Changes one activity; `nil` if it is not there.
    mutating func change<Result>(_ number: Int32, _ change: (inout LiveActivity) -> Result) -> Result? {
        guard let index = all.firstIndex(where: { $0.number == number }) else { return nil }
        return change(&all[index])
    }

    /// Carries out the changes of state that are due at a time; returns the activities that have changed.
    mutating func settle(at now: Instant) -> [LiveActivity] {
        var changed: [LiveActivity] = []
        for index in all.indices where all[index].nextDue.map({ $0 <= now }) == true {
            all[index].settle(at: now)
            changed.append(all[index])
        }
        return changed
    }

    /// Those on the screen, the most relevant first, of equally relevant ones the newest; no score counts as 0.
    var shown: [LiveActivity] {
        all.filter(\.isShown).sorted {
            ($0.relevanceScore ?? 0, $0.number) > ($1.relevanceScore ?? 0, $1.number)
        }
    }
}

extension LiveActivity.State: ByteCodable {}
extension ActivityMessage.Event: ByteCodable {}

// Devices that got one broadcast have the same content, so what shows it is written once.
extension LiveActivities: ByteRecord {
    static let members: some ByteForm<LiveActivities> = ByteMembers({
        LiveActivities(all: $1.map(\.activity), lastNumber: $0)
    }) { ($0.lastNumber, $0.all.map(LiveActivity.OfDevice.init)) }

    var damage: String? {
        all.allSatisfy { (1...max(1, lastNumber)).contains($0.number) }
            ? nil : "an activity's number is above \(lastNumber)"
    }
}

extension LiveActivity: ByteCodable {
    fileprivate struct OfDevice: ByteCodable {
        let activity: LiveActivity
        init(_ activity: LiveActivity) { self.activity = activity }
        func write(to writer: inout ByteWriter) { LiveActivity.members.write(activity, to: &writer) }
        init(from reader: inout ByteReader) throws(CodingProblem) {
            activity = try LiveActivity.members.read(from: &reader)
        }
    }

    // An entry of the journal shares nothing with others.
    package func write(to writer: inout ByteWriter) { writer.writeAlone(OfDevice(self)) }
    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self = try reader.readAlone(OfDevice.self).activity
    }

    private static let members = ByteMembers({
        LiveActivity(
            number: $0, topic: $1, environment: $2, attributesType: $3, attributes: $4?.value, startedAt: $5, state: $6,
            contentState: $7.value, history: $8, timestamp: $9, staleDate: $10, endedAt: $11, dismissalDate: $12,
            relevanceScore: $13, token: $14, channel: $15, attributesByteCount: $4?.value.encoded.count ?? 0,
            lastApplied: $16, importedCount: $17.number)
    }) {
        (
            $0.number, $0.topic, $0.environment, $0.attributesType, $0.attributes.map(Shared.init), $0.startedAt,
            $0.state, Shared($0.contentState), $0.history, $0.timestamp, $0.staleDate, $0.endedAt, $0.dismissalDate,
            $0.relevanceScore, $0.token, $0.channel, $0.lastApplied, Varint($0.importedCount)
        )
    }
}

extension LiveActivity.Update: ByteRecord {
    package static let members = ByteMembers({
        LiveActivity.Update(event: $0, at: $1, sequence: $2, contentState: $3.value)
    }) { ($0.event, $0.at, $0.sequence, Shared($0.contentState)) }
}
