package import APNsRules

// Live Activities of many devices (`Documents#Live-Activities`).
extension DeviceTable {
    /// A device on which an activity can't be started, and why.
    package struct ActivityRefusal: Sendable, Equatable {
        package let device: String
        package let problem: String

        fileprivate static let fields: Fields<ActivityRefusal> = [
            Field(shown: "device", .anyText, "The device's ID.") { .string($0.device) },
            Field(shown: "reason", .anyText, "Why it can't be started there.") { .string($0.problem) },
        ]
    }

    /// What starting or dismissing activities did to some devices.
    package struct ActivityChanges: Sendable {
        /// The most refusals that are kept with their reasons.
        package static let refusalsMax = 10

        /// The activities that were started or dismissed.
        package private(set) var places: [ActivityPlace] = []
        /// The devices of ``places``, each once.
        package private(set) var devices: [String] = []
        package private(set) var refusedCount = 0
        /// The refusals of the first devices by id, up to ``refusalsMax``.
        package private(set) var refusals: [ActivityRefusal] = []
        package private(set) var effects = Effects()

        package init() {}

        fileprivate mutating func add(_ places: [ActivityPlace], of id: String) {
            guard !places.isEmpty else { return }
            self.places += places
            devices.append(id)
        }

        fileprivate mutating func add(_ refusal: ActivityRefusal) {
            refusedCount += 1
            refusals.append(refusal)
        }

        fileprivate mutating func merge(_ effects: Effects) { self.effects.merge(effects) }

        package mutating func merge(_ other: ActivityChanges) {
            places += other.places
            devices += other.devices
            refusedCount += other.refusedCount
            effects.merge(other.effects)
            guard !other.refusals.isEmpty else { return }
            refusals = Array(
                (refusals + other.refusals).sorted { $0.device < $1.device }.prefix(ActivityChanges.refusalsMax))
        }
    }

    /// What `POST /v1/activities` answers.
    package struct StartedActivities: Sendable {
        private let changes: ActivityChanges
        package init(_ changes: ActivityChanges) { self.changes = changes }

        package var json: JSONValue { .object(StartedActivities.fields.members(of: self)) }

        package static let fields: Fields<StartedActivities> = [
            Field(shown: "started", .object(started.showing), "What was started.") {
                .object(started.members(of: $0))
            },
            Field(shown: "refused", .object(refused.showing), "Where it could not be started.") {
                .object(refused.members(of: $0))
            },
            Field(
                shown: "refusals", .array(of: .object(ActivityRefusal.fields.showing)),
                "The first devices by ID on which it can't be started, at most \(ActivityChanges.refusalsMax)."
            ) { .array($0.changes.refusals.map { .object(ActivityRefusal.fields.members(of: $0)) }) },
        ]

        private static let started: Fields<StartedActivities> = [
            Field(shown: "activities", .whole, "How many activities.") { .whole($0.changes.places.count) }
        ]
        private static let refused: Fields<StartedActivities> = [
            Field(shown: "devices", .whole, "How many devices.") { .whole($0.changes.refusedCount) }
        ]
    }

    /// Starts an activity on each of some devices, as their apps do; leaves out devices that are no longer there.
    package mutating func startActivities(
        _ specification: ActivitySpecification, on ids: some Sequence<String>, at now: Instant,
        clock: (String) -> Instant
    ) -> ActivityChanges {
        var changes = ActivityChanges()
        for id in ids {
            guard let device = find(id: id) else { continue }
            let time = settled(device, at: now, clock)
            do throws(InputError) {
                let started = try start(specification, on: device, at: time)
                changes.add([ActivityPlace(device: device, number: started.number)], of: id)
            } catch {
                changes.add(ActivityRefusal(device: id, problem: error.problem))
            }
        }
        changes.merge(takeEffects())
        return changes
    }

    /// Takes the activities of some devices that a filter matches off the screen, as their users do; leaves out
    /// devices that are no longer there.
    package mutating func dismissActivities(
        where filter: ActivityFilter, on ids: some Sequence<String>, at now: Instant, clock: (String) -> Instant
    ) -> ActivityChanges {
        var changes = ActivityChanges()
        for id in ids {
            guard let device = find(id: id), self[device: device].detail.value?.activities.isEmpty == false
            else { continue }
            let time = settled(device, at: now, clock)
            let dismissed = (self[device: device].detail.value?.activities.all ?? []).filter {
                $0.isShown && filter.holds($0)
            }
            for activity in dismissed { dismiss(activity, of: device, at: time) }
            changes.add(dismissed.map { ActivityPlace(device: device, number: $0.number) }, of: id)
        }
        changes.merge(takeEffects())
        return changes
    }
}
