package import APNsRules

/// What a push or a broadcast asks of a Live Activity (`ProviderAPI#Live-Activities`), read once for all devices that
/// get it.
package struct ActivityMessage: Sendable, Hashable {
    package enum Event: String, CaseIterable, Sendable {
        case start
        case update
        case end
    }

    package let event: Event
    /// Orders the messages of an activity; an older one than the last is not applied.
    package let timestamp: Instant
    /// What the activity shows from now on; `nil` for an end that leaves it as it was.
    let contentState: JSONValue?
    let staleDate: Instant?
    /// When an activity that ends leaves the lock screen.
    let dismissalDate: Instant?
    let relevanceScore: Double?
    /// Lights up the screen and sounds.
    let alert: JSONValue?
    /// What only a start has; `nil` for other events.
    let start: Start?
    /// What an activity shows from now on.
    var content: LiveActivity.Content {
        LiveActivity.Content(state: contentState, staleDate: staleDate, relevanceScore: relevanceScore)
    }

    /// What is unusual without being a problem, a sentence each.
    package private(set) var warnings: [String]
    let contentStateByteCount: Int

    /// The activity to start.
    struct Start: Sendable, Hashable {
        let attributesType: String
        let attributes: JSONValue
        /// The broadcast channel that the started activity follows.
        let channel: String?
        /// Whether the app gets a token with which the provider updates it.
        let asksForToken: Bool
    }

    /// What a payload is read as.
    private struct Reading {
        /// `nil` for a payload that does nothing to a Live Activity.
        var message: ActivityMessage?
        /// Why the message does nothing, a sentence for each problem.
        var problems: [String] = []
        /// What is unusual about the message, a sentence each.
        var warnings: [String] = []

        /// The message; throws the first problem, which is what a timeline has room for.
        func get() throws(InputError) -> ActivityMessage {
            guard let message else { throw InputError(at: "", problems.first ?? "") }
            return message
        }
    }
}

extension ActivityMessage {
    /// Reads a payload, which is `nil` if it isn't JSON; `now` tells which dates are in the past.
    /// - Throws: ``InputError`` with the first reason why it does nothing to a Live Activity.
    package init(_ payload: JSONValue?, at now: Instant) throws(InputError) {
        self = try ActivityMessage.read(payload, at: now).get()
    }

    /// Reads the payload of a broadcast, which starts no activity.
    /// - Throws: ``InputError`` with the first reason why it does nothing to a Live Activity.
    init(broadcast payload: JSONValue?, at now: Instant) throws(InputError) {
        self = try ActivityMessage.read(broadcast: payload, at: now).get()
    }

    /// What is wrong with the payload of a Live Activity's push or of a broadcast, as the journal prints it.
    static func warnings(of payload: JSONValue?, isBroadcast: Bool, at now: Instant) -> [String] {
        let reading = isBroadcast ? read(broadcast: payload, at: now) : read(payload, at: now)
        return reading.problems.map { $0 + "; the activity is left as it was" } + reading.warnings
    }

    private static func read(broadcast payload: JSONValue?, at now: Instant) -> Reading {
        guard payload?["aps"]?["event"]?.string != Event.start.rawValue else {
            return Reading(problems: ["aps.event is start, and a broadcast starts no activity: expected update or end"])
        }
        return read(payload, among: [.update, .end], at: now)
    }

    private static func read(
        _ payload: JSONValue?, among events: [Event] = Event.allCases, at now: Instant
    ) -> Reading {
        guard let aps = payload?["aps"], aps.object != nil else {
            return Reading(problems: ["the payload has no object aps: expected one with event"])
        }
        var reader = ActivityReader(aps)
        let event = reader.event(among: events)
        let timestamp = reader.timestamp(at: now)
        let contentState = reader.contentState(of: event)
        let contentStateByteCount = contentState?.encoded.count ?? 0
        let staleDate = reader.time("stale-date")
        if let staleDate, staleDate <= now { reader.warn("aps.stale-date is past: the activity is stale at once") }
        let dismissalDate = reader.time("dismissal-date")
        if dismissalDate != nil, event == .start || event == .update {
            reader.warn("aps.dismissal-date belongs to an end: expected event end")
        }
        let relevanceScore = reader.relevanceScore()
        let alert = reader.alert(of: event)
        let start = event == .start ? reader.start() : nil
        if event == .update || event == .end { reader.warnOfMembersOfStart() }
        reader.warnOfMisspelling()
        let byteCount = contentStateByteCount + (start?.attributes.encoded.count ?? 0)
        if byteCount > LiveActivity.dataBytesMax { reader.refuse(LiveActivity.tooLarge(byteCount)) }
        guard let event, let timestamp, reader.problems.isEmpty else {
            return Reading(problems: reader.problems, warnings: reader.warnings)
        }
        let message = ActivityMessage(
            event: event, timestamp: timestamp, contentState: contentState, staleDate: staleDate,
            dismissalDate: dismissalDate, relevanceScore: relevanceScore, alert: alert, start: start,
            warnings: reader.warnings, contentStateByteCount: contentStateByteCount)
        return Reading(message: message, warnings: reader.warnings)
    }
}

/// Reads the members of a Live Activity's `aps`: a problem keeps it from being applied, a warning does not.
private struct ActivityReader {
    private let aps: JSONValue
    private var reader: PayloadReader
    private(set) var problems: [String] = []
    var warnings: [String] { reader.warnings }

    init(_ aps: JSONValue) {
        self.aps = aps
        reader = PayloadReader(aps, called: "aps")
    }

    mutating func warn(_ warning: String) { reader.warn(warning) }
    mutating func refuse(_ problem: String) { problems.append(problem) }

    private mutating func refuse(_ member: String, expected: String) {
        refuse(
            aps[member].map { "aps.\(member) is \($0.kind): expected \(expected)" }
                ?? "aps has no \(member): expected \(expected)")
    }

    mutating func event(among events: [ActivityMessage.Event]) -> ActivityMessage.Event? {
        let names = events.map(\.rawValue)
        guard let name = aps["event"]?.string else {
            refuse("event", expected: InputError.alternatives(names))
            return nil
        }
        guard let event = ActivityMessage.Event(rawValue: name) else {
            refuse("aps.event is \(PrintableText.shortened(name, to: 40)): expected \(InputError.alternatives(names))")
            return nil
        }
        return event
    }

    mutating func timestamp(at now: Instant) -> Instant? {
        guard case .number(let number)? = aps["timestamp"] else {
            refuse("timestamp", expected: "a number, Unix seconds")
            return nil
        }
        guard number.double.isFinite, let time = time("timestamp") else {
            refuse("aps.timestamp is \(PrintableText.shortened(number.text, to: 40)): expected Unix seconds")
            return nil
        }
        if time > now.advanced(by: .seconds(24 * 3600)) {
            warn("aps.timestamp is more than a day ahead: updates with an earlier one are not applied")
        }
        return time
    }

    /// Unix seconds; those after the year 9999 count as its end.
    mutating func time(_ member: String) -> Instant? {
        guard let seconds = reader.number(member) else { return nil }
        let last = 253_402_300_799.0
        if seconds > last { warn("aps.\(member) is after the year 9999: expected Unix seconds, not milliseconds") }
        if seconds < 0 { warn("aps.\(member) is below 0: expected Unix seconds") }
        return Instant(milliseconds: Int64(min(max(seconds, 0), last) * 1000))
    }

    mutating func contentState(of event: ActivityMessage.Event?) -> JSONValue? {
        let state = aps["content-state"]
        if state?.object != nil { return state }
        if state == nil, event == .end {
            warn("aps has no content-state: the activity ends as it was last shown")
        } else {
            refuse("content-state", expected: "an object")
        }
        return nil
    }

    mutating func relevanceScore() -> Double? { reader.number("relevance-score") }

    mutating func alert(of event: ActivityMessage.Event?) -> JSONValue? {
        if aps["sound"] != nil { warn("aps.sound is not played: expected sound in aps.alert") }
        guard let alert = aps["alert"] else {
            if event == .start { refuse("alert", expected: "an object with title and body") }
            return nil
        }
        guard alert.object != nil || alert.string != nil else {
            if event == .start {
                refuse("alert", expected: "an object with title and body")
            } else {
                warn("aps.alert is \(alert.kind): expected an object with title and body")
            }
            return nil
        }
        return alert
    }

    mutating func start() -> ActivityMessage.Start? {
        let type = aps["attributes-type"]?.string
        if type?.isEmpty ?? true { refuse("attributes-type", expected: "the name of a type of ActivityAttributes") }
        let attributes = aps["attributes"]
        if attributes?.object == nil { refuse("attributes", expected: "an object") }
        let asksForToken = reader.isOne("input-push-token")
        let channel = reader.text("input-push-channel").flatMap { $0.isEmpty ? nil : $0 }
        if let channel, ChannelID(channel) == nil {
            warn("aps.input-push-channel: " + LiveActivity.notAChannel(PrintableText.shortened(channel, to: 40)))
        }
        if channel != nil, asksForToken {
            warn("aps has input-push-token and input-push-channel: expected one; the activity follows the channel")
        }
        if channel == nil, !asksForToken {
            warn(
                "aps has neither input-push-token nor input-push-channel: expected one; the activity gets no token, and "
                    + "its app alone can update it")
        }
        guard let type, !type.isEmpty, let attributes, attributes.object != nil else { return nil }
        return ActivityMessage.Start(
            attributesType: type, attributes: attributes, channel: channel, asksForToken: asksForToken && channel == nil
        )
    }

    mutating func warnOfMembersOfStart() {
        for member in ["attributes-type", "attributes", "input-push-token", "input-push-channel"]
        where aps[member] != nil {
            warn("aps.\(member) belongs to a start: expected event start")
        }
    }

    mutating func warnOfMisspelling() { reader.warnOfMisspelling(among: NotificationContent.names) }
}

extension ActivityMessage: ByteRecord {
    package static let members: some ByteForm<ActivityMessage> = ByteMembers({
        ActivityMessage(
            event: $0, timestamp: $1, contentState: $2, staleDate: $3, dismissalDate: $4, relevanceScore: $5,
            alert: $6, start: $7, warnings: $8, contentStateByteCount: $2?.encoded.count ?? 0)
    }) {
        (
            $0.event, $0.timestamp, $0.contentState, $0.staleDate, $0.dismissalDate, $0.relevanceScore, $0.alert,
            $0.start, $0.warnings
        )
    }
}

extension ActivityMessage.Start: ByteRecord {
    static let members = ByteMembers(ActivityMessage.Start.init) {
        ($0.attributesType, $0.attributes, $0.channel, $0.asksForToken)
    }
}
