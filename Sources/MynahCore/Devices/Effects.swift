package import APNsRules

/// What became of a push after it was received, for its entry in the journal.
package struct EntryChange: Sendable, Equatable {
    package let sequence: UInt64
    package let outcome: Outcome
    /// When the change was due by the device's clock, even if it was processed later.
    package let at: Instant
    package let detail: String?
    /// What the user saw of it; `nil` if the payload alone decides that.
    package private(set) var shown: ShownOutcome?
    /// Whether the push was delivered before, and this is the result of its service extension.
    package private(set) var isOnlyShown = false
    /// What only the change of a broadcast has.
    package private(set) var broadcast: Broadcast?

    package struct Broadcast: Sendable, Equatable {
        /// How many devices the broadcast has gone to since it was answered.
        package let deviceCount: Int
        /// Whether the broadcast had been delivered to other devices before, so that this isn't a new outcome.
        package let isFurther: Bool
    }
}

extension EntryChange {
    /// A change of a broadcast that its channel keeps: further devices got it, or none will.
    package init(
        broadcast sequence: UInt64, _ outcome: Outcome, at: Instant, detail: String?, deviceCount: Int = 0,
        isFurther: Bool = false
    ) {
        self.init(sequence: sequence, outcome: outcome, at: at, detail: detail)
        broadcast = Broadcast(deviceCount: deviceCount, isFurther: isFurther)
    }
}

/// A change of a Live Activity's state that time alone brought (`Documents#Event-stream`).
package struct ActivityChange: Sendable, Equatable {
    /// The device's id.
    package let device: String
    package let scope: String?
    /// The activity as it became, without its history.
    package let activity: LiveActivity
    /// When the change was due by the device's clock, even if it was processed later.
    package let at: Instant

    package var json: JSONValue { .object(ActivityChange.fields.members(of: self)) }

    package static let fields: Fields<ActivityChange> = [
        Field(shown: "at", .time, "When the activity's state changed, by the device's clock.") {
            .string($0.at.rfc3339)
        },
        Field(shown: "device", .anyText, "The device's ID.") { .string($0.device) },
        Field(shown: "scope", .nullableText, "The device's scope; null if it belongs to none.") { .text($0.scope) },
        Field(shown: "activity", .object(LiveActivity.ownFields.showing), "The activity as it became.") {
            $0.activity.jsonOfPush
        },
    ]
}

/// What a call did to pushes that were accepted earlier, and what time has done to Live Activities.
package struct Effects: Sendable {
    // What few calls bring.
    private struct Rest: Sendable, DefaultInitializable {
        var receivers: [String] = []
        var followers: [String] = []
        var activityChanges: [ActivityChange] = []
    }

    /// Ordered by time, then by acceptance.
    package private(set) var changes: [EntryChange] = []
    private var rest = Boxed<Rest>()
    /// The ids of the devices that were given a push, once for each push.
    package var receivers: [String] { rest.value?.receivers ?? [] }
    /// The ids of the devices on which a push that had waited has started an activity that follows a channel.
    package var followers: [String] { rest.value?.followers ?? [] }
    /// Ordered by time, then by device.
    package var activityChanges: [ActivityChange] { rest.value?.activityChanges ?? [] }
    package init() {}
    package var isEmpty: Bool { changes.isEmpty && rest.isAbsent }

    mutating func record(
        _ outcome: Outcome, of sequence: UInt64, at: Instant, detail: String? = nil, shown: ShownOutcome? = nil
    ) {
        changes.append(EntryChange(sequence: sequence, outcome: outcome, at: at, detail: detail, shown: shown))
    }

    /// Records what the service extension of a delivered push made of it.
    mutating func recordShown(of sequence: UInt64, _ shown: ShownOutcome) {
        changes.append(
            EntryChange(
                sequence: sequence, outcome: .delivered, at: shown.at, detail: nil, shown: shown, isOnlyShown: true))
    }

    mutating func addReceiver(_ device: String) { rest.orDefault.receivers.append(device) }
    mutating func addFollower(_ device: String) { rest.orDefault.followers.append(device) }
    mutating func recordActivityChange(_ change: ActivityChange) { rest.orDefault.activityChanges.append(change) }

    /// Adds the effects of another device or shard; ``sort()`` afterwards.
    package mutating func merge(_ other: Effects) {
        changes += other.changes
        guard let more = other.rest.value else { return }
        rest.orDefault.receivers += more.receivers
        rest.orDefault.followers += more.followers
        rest.orDefault.activityChanges += more.activityChanges
    }

    /// Sorts by time, then by acceptance; the sort is stable, so that a push's changes at one time (from stored to
    /// deferred) stay in their order.
    package mutating func sort() {
        changes.sort { ($0.at, $0.sequence) < ($1.at, $1.sequence) }
        guard !rest.isAbsent else { return }
        rest.orDefault.receivers.sort()
        rest.orDefault.followers.sort()
        rest.orDefault.activityChanges.sort {
            ($0.at, $0.device, $0.activity.number) < ($1.at, $1.device, $1.activity.number)
        }
    }
}

extension EntryChange.Broadcast: ByteRecord {
    package static let members = ByteMembers(EntryChange.Broadcast.init) { ($0.deviceCount, $0.isFurther) }
}

extension EntryChange: ByteRecord {
    package static let members = ByteMembers(EntryChange.init) {
        ($0.sequence, $0.outcome, $0.at, $0.detail, $0.shown, $0.isOnlyShown, $0.broadcast)
    }
}

extension ActivityChange: ByteRecord {
    package static let members = ByteMembers(ActivityChange.init) { ($0.device, $0.scope, $0.activity, $0.at) }
}

extension Effects: ByteRecord {
    package static let members = ByteMembers(Effects.init(changes:receivers:followers:activityChanges:)) {
        ($0.changes, $0.receivers, $0.followers, $0.activityChanges)
    }

    private init(changes: [EntryChange], receivers: [String], followers: [String], activityChanges: [ActivityChange]) {
        self.changes = changes
        if !receivers.isEmpty || !followers.isEmpty || !activityChanges.isEmpty {
            rest = Boxed(Rest(receivers: receivers, followers: followers, activityChanges: activityChanges))
        }
    }
}
