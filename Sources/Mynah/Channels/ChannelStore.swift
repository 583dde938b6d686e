internal import APNsRules
internal import MynahCore
internal import Synchronization

/// The broadcast channels of a server, with the devices whose activities follow them and the journal that records what
/// became of broadcasts.
final class ChannelStore: Sendable {
    /// A broadcast that the rules and its channel admit.
    struct Accepted: Sendable {
        let sequence: UInt64
        /// When it was accepted, by the server's clock.
        let at: Instant
        /// What devices get; or why they get nothing.
        let content: Result<Broadcast, ActivityMessage.Problem>
        let expiration: Expiration
        /// Its place among the channel's broadcasts.
        let place: Int
        /// Until when the channel keeps it; `nil` if it doesn't, or a fault delivers it late.
        let storedUntil: Instant?
    }

    /// How far a broadcast has gone.
    struct Reach: Sendable {
        /// The devices that it went to now.
        let deviceCount: Int
        /// Whether a device has it, perhaps one that caught up meanwhile.
        let isDelivered: Bool
        /// Until when the channel keeps it.
        let storedUntil: Instant?
    }

    private let channels: Mutex<BroadcastChannels>
    private let fleet: DeviceFleet
    private let journal: JournalStore
    private let events: EventLog

    init(seed: UInt64, fleet: DeviceFleet, journal: JournalStore, events: EventLog) {
        channels = Mutex(BroadcastChannels(seed: seed))
        (self.fleet, self.journal, self.events) = (fleet, journal, events)
    }

    func read<Answer: Sendable>(_ body: (borrowing BroadcastChannels) -> Answer) -> Answer {
        channels.withLock { body($0) }
    }

    func change<Answer: Sendable, Failure: Error>(
        _ body: (inout BroadcastChannels) throws(Failure) -> sending Answer
    ) throws(Failure) -> Answer {
        try channels.withLock { channels throws(Failure) in try body(&channels) }
    }

    // MARK: Channel management

    /// Carries out a call that the rules admit; returns what is answered (`ProviderAPI#Channel-management`).
    func manage(
        _ request: AdmittedChannelRequest, of owner: ChannelOwner, at now: Instant
    ) throws(Refusal) -> (status: Int, channel: ChannelID?, body: [UInt8]) {
        switch request {
        case .create(let policy):
            let made = try change { channels throws(Refusal) in try channels.create(policy, for: owner, at: now) }
            report(made, .created)
            return (201, made.id, [])
        case .read(let id):
            let channel = try change { channels throws(Refusal) in try channels.channel(id, of: owner) }
            return (200, nil, channel.configuration.encoded)
        case .delete(let id):
            report(try change { channels throws(Refusal) in try channels.delete(id, of: owner) }, .removed)
            return (204, nil, [])
        case .list:
            let ids = read { $0.list(ofApp: owner.bundleID, in: owner.environment) }.map {
                JSONValue.string($0.id.text)
            }
            return (200, nil, (["channels": .array(ids)] as JSONValue).encoded)
        case .broadcast: preconditionFailure("a broadcast is no call of channel management")
        }
    }

    func view(_ channel: BroadcastChannel) -> ChannelView {
        ChannelView(
            channel: channel, followerCount: fleet.followerCount(of: channel.id),
            storedUntil: channel.stored(at: fleet.time.now)?.expiresAt)
    }

    /// Reports, as an event, a channel that a provider or a call created or removed; returns it as reported.
    @discardableResult
    func report(_ channel: BroadcastChannel, _ change: Event.Change) -> ChannelView {
        let view = view(channel)
        events.note(.channel(view.json, change))
        return view
    }

    // MARK: Broadcasts

    /// Takes a broadcast in: numbers it, and has its channel keep it if that stores messages.
    func accept(
        _ request: borrowing ChannelRequest, to id: ChannelID, order: DeliveryOrder, at now: Instant,
        takeSequence: () -> UInt64
    ) throws(Refusal) -> Accepted {
        let (owner, candidate) = (request.owner, request.candidate)
        let expiration = candidate.expiration
        let payload = try? JSONValue(parsing: candidate.body)
        let (accepted, replaced) = try channels.withLock {
            channels throws(Refusal) -> (Accepted, BroadcastChannel.StoredMessage?) in
            _ = try channels.admit(to: id, of: owner, expiration: expiration)
            let sequence = takeSequence()
            let content = Result { () throws(ActivityMessage.Problem) in
                try Broadcast(
                    sequence, to: id, ofApp: owner.bundleID, in: owner.environment, payload: payload, at: now)
            }
            let place = channels.countBroadcast(to: id)
            var kept: (stored: BroadcastChannel.StoredMessage?, replaced: BroadcastChannel.StoredMessage?) = (nil, nil)
            if order == .deliver, case .success(let broadcast) = content {
                kept = channels.keep(
                    broadcast, in: id, place: place, expiration: expiration, acceptedAt: now, at: now)
            }
            let accepted = Accepted(
                sequence: sequence, at: now, content: content, expiration: expiration, place: place,
                storedUntil: kept.stored?.expiresAt)
            return (accepted, kept.replaced)
        }
        if let replaced, !replaced.isDelivered { reportReplacement(of: replaced.broadcast, at: now) }
        return accepted
    }

    private func reportReplacement(of broadcast: Broadcast, at now: Instant) {
        journal.apply([
            EntryChange(
                broadcast: broadcast.sequence, .coalesced, at: now,
                detail: "a newer broadcast to the channel replaced it")
        ])
    }

    /// Gives a broadcast, which its channel keeps until a time, to all devices whose activities follow the channel, and
    /// `furtherCopies` of it to those that it changed.
    func deliver(_ broadcast: Broadcast, furtherCopies: Int = 0, storedUntil: Instant?) -> Reach {
        let time = fleet.time
        let count = fleet.deliver(broadcast, at: time)
        let end = channels.withLock { channels in
            ChannelID(broadcast.channel).map {
                channels.endSpreading(of: broadcast, in: $0, isDelivered: count > 0)
            }
        }
        let isDelivered = end?.isDelivered ?? (count > 0)
        if end?.isReplaced == true, !isDelivered { reportReplacement(of: broadcast, at: time.now) }
        deliverCopies(furtherCopies, of: broadcast)
        return Reach(deviceCount: count, isDelivered: isDelivered, storedUntil: storedUntil)
    }

    /// Gives a broadcast that a fault has held back to its channel, which keeps it from now on unless it has had a later
    /// one, and to the devices.
    func deliverHeld(_ broadcast: Broadcast, _ accepted: Accepted, furtherCopies: Int) -> Reach {
        let now = fleet.time.now
        let kept = channels.withLock { channels in
            ChannelID(broadcast.channel).map {
                channels.keep(
                    broadcast, in: $0, place: accepted.place, expiration: accepted.expiration,
                    acceptedAt: accepted.at, at: now)
            }
        }
        if let replaced = kept?.replaced, !replaced.isDelivered { reportReplacement(of: replaced.broadcast, at: now) }
        return deliver(broadcast, furtherCopies: furtherCopies, storedUntil: kept?.stored?.expiresAt)
    }

    /// Gives a broadcast to the activities that it has changed once more, so many times.
    func deliverCopies(_ count: Int, of broadcast: Broadcast) {
        for _ in 0..<count { _ = fleet.deliver(broadcast, isCopy: true, at: fleet.time) }
    }

    /// Ends the broadcasts that channels keep no longer.
    func settle(at now: Instant) {
        report(expired: channels.withLock { $0.expire(at: now) })
    }

    private func report(expired: [BroadcastChannel.StoredMessage]) {
        journal.apply(
            expired.filter { !$0.isDelivered }.map {
                EntryChange(
                    broadcast: $0.broadcast.sequence, .expired, at: $0.expiresAt,
                    detail: "its channel keeps it no longer")
            })
    }

    /// Gives a device, which came online or began to follow a channel, the messages that its channels keep.
    func catchUp(_ device: String) {
        let followed = fleet.shards.withShard(ofID: device) { $0.followedChannels(of: device) }
        guard !followed.isEmpty else { return }
        let time = fleet.time
        for (channel, place) in followed {
            guard let id = ChannelID(channel),
                let stored = channels.withLock({ $0.stored(in: id, at: time.now) })
            else { continue }
            let result = fleet.deliver(stored.broadcast, to: place, of: device, at: time)
            noteCatchUp(stored, id, count: result.count, "device \(device) got what its channel keeps", at: time.now)
        }
    }

    /// Gives activities, listed by shard, which began to follow a channel, the message that it keeps.
    func catchUp(_ followers: [[ActivityPlace]], on channel: String) {
        let time = fleet.time
        guard let id = ChannelID(channel), let stored = channels.withLock({ $0.stored(in: id, at: time.now) })
        else { return }
        let count = fleet.deliver(stored.broadcast, at: time) { followers[$0] }
        let devices = count == 1 ? "1 device" : "\(count) devices"
        noteCatchUp(stored, id, count: count, "\(devices) got what the channel keeps", at: time.now)
    }

    // Notes that devices got a stored broadcast, if any did.
    private func noteCatchUp(
        _ stored: BroadcastChannel.StoredMessage, _ id: ChannelID, count: Int, _ detail: String, at now: Instant
    ) {
        guard count > 0 else { return }
        let isFirst = channels.withLock { $0.noteCatchUp(with: stored.broadcast, of: id) }
        journal.apply([
            EntryChange(
                broadcast: stored.broadcast.sequence, .delivered, at: now, detail: detail, deviceCount: count,
                isFurther: !isFirst)
        ])
    }

    /// Removes all channels with what they keep; returns how many there were.
    func removeAll(startsOver: Bool) -> Int {
        let now = fleet.time.now
        let (count, undelivered) = channels.withLock { channels in
            defer { channels.removeAll(startsOver: startsOver) }
            return (channels.count, channels.undelivered(at: now))
        }
        journal.apply(
            undelivered.map {
                EntryChange(broadcast: $0.broadcast.sequence, .discarded, at: now, detail: "its channel was removed")
            })
        return count
    }
}

extension ChannelRequest {
    /// Whose channels it concerns.
    var owner: ChannelOwner { ChannelOwner(bundleID: bundleID, environment: candidate.environment) }
}
