package import APNsRules

/// An accepted broadcast, read once for all devices that it goes to (`ProviderAPI#Sending-a-broadcast`).
package struct Broadcast: Sendable, Equatable {
    /// The broadcast's sequence number in the journal.
    package let sequence: UInt64
    /// The channel's id, as activities name it.
    package let channel: String
    package let environment: APNsEnvironment
    /// The topic of the app's activities.
    let topic: String
    let message: ActivityMessage
}

extension Broadcast {
    /// Reads a broadcast; throws why it does nothing to an activity that gets it.
    package init(
        _ sequence: UInt64, to channel: ChannelID, ofApp bundleID: String, in environment: APNsEnvironment,
        payload: JSONValue?, at now: Instant
    ) throws(InputError) {
        message = try ActivityMessage(broadcast: payload, at: now)
        self.sequence = sequence
        self.channel = channel.text
        self.environment = environment
        topic = bundleID + PushType.liveactivity.topicSuffix
    }
}

extension Broadcast: ByteRecord {
    package static let members: some ByteForm<Broadcast> = ByteMembers(Broadcast.init) {
        ($0.sequence, $0.channel, $0.environment, $0.topic, $0.message)
    }
}

/// Broadcasts to the activities that follow a channel.
extension DeviceTable {
    /// What a broadcast did to some activities.
    package struct BroadcastResult: Sendable {
        /// How many devices got the broadcast.
        package private(set) var count = 0
        package private(set) var effects = Effects()
        /// When something is due next on one of their devices.
        package private(set) var dueAt: Instant?

        package init() {}

        fileprivate mutating func addDelivery(isFirstOfDevice: Bool, dueAt: Instant) {
            if isFirstOfDevice { count += 1 }
            if dueAt != Device.never { self.dueAt = min(self.dueAt ?? dueAt, dueAt) }
        }

        fileprivate mutating func merge(_ effects: Effects) { self.effects.merge(effects) }

        package mutating func merge(_ other: BroadcastResult) {
            count += other.count
            effects.merge(other.effects)
            if let due = other.dueAt { dueAt = min(dueAt ?? due, due) }
        }
    }

    /// Gives a broadcast to activities that follow its channel; activities that no longer do, or whose device is
    /// offline, miss it, and an activity that has had it already doesn't get it again.
    ///
    /// A copy goes only to activities that have had the broadcast. A device has a broadcast once in its inbox, and each
    /// copy once more, however many of its activities follow the channel.
    package mutating func deliver(
        _ broadcast: Broadcast, isCopy: Bool = false, to places: some Sequence<ActivityPlace>, at now: Instant,
        clock: (String) -> Instant
    ) -> BroadcastResult {
        var result = BroadcastResult()
        let followers = followers[broadcast.channel]
        for place in places where followers.contains(place) && self[device: place.device].state.isOnline {
            let time = settled(place.device, at: now, clock)
            guard let isFirst = isFirst(place, toGet: broadcast, isCopy: isCopy),
                case .shown = update(place, with: broadcast.message, sequence: broadcast.sequence, at: time)
            else { continue }
            if isFirst {
                self[device: place.device].inbox.append(broadcast.sequence, at: time, limit: settings.inboxCountMax)
            }
            result.addDelivery(isFirstOfDevice: isFirst, dueAt: self[device: place.device].dueAt)
        }
        result.merge(takeEffects())
        return result
    }

    /// Whether an activity is the first of its device to get a broadcast, or a copy; `nil` if it doesn't get it.
    private func isFirst(_ place: ActivityPlace, toGet broadcast: Broadcast, isCopy: Bool) -> Bool? {
        guard let activities = self[device: place.device].detail.value?.activities,
            let activity = activities[place.number], activity.environment == broadcast.environment,
            activity.topic == broadcast.topic, activity.hasApplied(broadcast.sequence) == isCopy
        else { return nil }
        let first = activities.firstThatApplied(broadcast.sequence)
        return isCopy ? first == place.number : first == nil
    }

    /// The channels that the running activities of a device follow; none if it is offline or not there.
    package func followedChannels(of id: String) -> [(channel: String, place: ActivityPlace)] {
        guard let device = find(id: id), self[device: device].state.isOnline else { return [] }
        return (self[device: device].detail.value?.activities.all ?? []).compactMap { activity in
            guard activity.isRunning, let channel = activity.channel else { return nil }
            return (channel, ActivityPlace(device: device, number: activity.number))
        }
    }
}

extension Decision {
    /// The id of the device if the push concerned an activity that follows a channel.
    package var followerID: String? {
        shown?.activity.value?.channel == nil ? nil : device ?? token.hex
    }
}
