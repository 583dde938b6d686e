internal import APNsRules
internal import MynahCore
internal import Synchronization

/// The broadcast channels of a server, with the devices whose activities follow them and the journal that records what
/// became of broadcasts.
final class ChannelStore: Sendable {
    /// A broadcast that the rules and its channel admit.
    struct Accepted: Sendable {
        let sequence: UInt64
        /// When the broadcast was accepted, by the server's clock.
        let at: Instant
        /// The broadcast that devices get, or the error because of which they get none.
        let content: Result<Broadcast, InputError>
        let expiration: Expiration
        /// The broadcast's place among the broadcasts of its channel.
        let place: Int
        /// Until when the channel keeps it; `nil` if it doesn't, or a fault delivers it late.
        let storedUntil: Instant?
    }

    /// How far a broadcast has gone.
    struct Reach: Sendable {
        /// How many devices the broadcast was delivered to.
        let deviceCount: Int
        /// Whether a device has got the broadcast, perhaps one that caught up meanwhile.
        let isDelivered: Bool
        /// Until when the channel stores the broadcast.
        let storedUntil: Instant?
    }

    // A broadcast that a fault holds back.
    fileprivate struct Held: Sendable {
        let due: Instant
        let broadcast: Broadcast
        let accepted: AcceptedBroadcast
        let furtherCopies: Int
    }

    private struct List: Sendable {
        let owner: ChannelOwner
        let version: BroadcastChannels.ListVersion
        let body: [UInt8]
    }

    private let channels: Mutex<BroadcastChannels>
    private let held = Mutex(DueQueue<Held>())
    private let lastList = Mutex<List?>(nil)
    private let fleet: DeviceFleet
    private let journal: JournalStore
    private let events: EventLog

    init(seed: UInt64, fleet: DeviceFleet, journal: JournalStore, events: EventLog) {
        channels = Mutex(BroadcastChannels(seed: seed))
        self.fleet = fleet
        self.journal = journal
        self.events = events
    }

    func read<Answer: Sendable>(_ body: (borrowing BroadcastChannels) -> Answer) -> Answer {
        channels.withLock { body($0) }
    }

    func change<Answer: Sendable, Failure: Error>(
        _ body: (inout BroadcastChannels) throws(Failure) -> sending Answer
    ) throws(Failure) -> Answer {
        try channels.withLock { channels throws(Failure) in try body(&channels) }
    }

    /// Makes channels without events, all or none; throws if an id is taken, or an app has as many as it may have; errors
    /// are below `place`, if one is given.
    func create(
        _ specifications: [ChannelSpecification], place: String? = nil
    ) throws(InputError) -> [BroadcastChannel] {
        let now = fleet.time.now
        return try change { channels throws(InputError) in
            var changed = channels
            var made: [BroadcastChannel] = []
            for (index, specification) in specifications.enumerated() {
                do throws(InputError) {
                    made.append(try ChannelStore.create(specification, in: &changed, at: now))
                } catch {
                    throw place.map { error.within("\($0)/\(index)") } ?? error
                }
            }
            channels = changed
            return made
        }
    }

    /// Makes a channel, which is an event; throws if its id is taken, or its app has as many as it may have.
    func create(_ specification: ChannelSpecification) throws(InputError) -> ChannelView {
        let now = fleet.time.now
        let made = try change { channels throws(InputError) in
            try ChannelStore.create(specification, in: &channels, at: now)
        }
        return report(made, .created)
    }

    private static func create(
        _ specification: ChannelSpecification, in channels: inout BroadcastChannels, at now: Instant
    ) throws(InputError) -> BroadcastChannel {
        if let id = specification.id, channels.isTaken(id) {
            throw InputError(
                .conflict, at: "/id", "a channel has or had the id \(id.text): expected one that was never used")
        }
        do throws(Refusal) {
            return try channels.create(specification.policy, for: specification.owner, id: specification.id, at: now)
        } catch {
            throw InputError(.conflict, error.detail)
        }
    }

    // MARK: Channel management

    /// Carries out a call that the rules admit; returns what is answered (`ProviderAPI#Channel-management`).
    func manage(
        _ request: AdmittedChannelRequest, of owner: ChannelOwner, at now: Instant
    ) throws(Refusal) -> ManagedChannel {
        switch request {
        case .create(let policy):
            let made = try change { channels throws(Refusal) in try channels.create(policy, for: owner, at: now) }
            report(made, .created)
            return ManagedChannel(status: 201, channel: made.id, body: [])
        case .read(let id):
            let channel = try change { channels throws(Refusal) in try channels.channel(id, of: owner) }
            return ManagedChannel(status: 200, channel: nil, body: channel.configuration.encoded)
        case .delete(let id):
            report(try change { channels throws(Refusal) in try channels.delete(id, of: owner) }, .removed)
            return ManagedChannel(status: 204, channel: nil, body: [])
        case .list: return ManagedChannel(status: 200, channel: nil, body: list(of: owner))
        case .broadcast: preconditionFailure("a broadcast is no call of channel management")
        }
    }

    /// The list of an app's channels as JSON; while they stay the same, all replies share its memory.
    private func list(of owner: ChannelOwner) -> [UInt8] {
        let version = read { $0.listVersion }
        if let last = lastList.withLock({ $0 }), last.owner == owner, last.version == version { return last.body }
        let (now, listed) = read { ($0.listVersion, $0.list(ofApp: owner.bundleID, in: owner.environment)) }
        let ids = listed.map { JSONValue.string($0.id.text) }
        let body = (["channels": .array(ids)] as JSONValue).encoded
        lastList.withLock { $0 = List(owner: owner, version: now, body: body) }
        return body
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
        events.record(.channel(view.json, change))
        return view
    }

    // MARK: Broadcasts

    /// Takes a broadcast in: numbers it, and has its channel keep it if that stores messages.
    func accept(
        _ request: borrowing ChannelRequest, to id: ChannelID, order: DeliveryOrder, at now: Instant,
        takeSequence: () -> UInt64
    ) throws(Refusal) -> Accepted {
        let owner = request.owner
        let candidate = request.candidate
        let expiration = candidate.expiration
        let payload = try? JSONValue(parsing: candidate.body.span)
        let (accepted, replaced) = try channels.withLock {
            channels throws(Refusal) -> (Accepted, BroadcastChannel.StoredMessage?) in
            _ = try channels.admit(to: id, of: owner, expiration: expiration)
            let sequence = takeSequence()
            let content = Result { () throws(InputError) in
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

    /// Gives a broadcast, which its channel stores until a time, to all devices whose activities follow the channel,
    /// and `furtherCopies` of it to the activities that it changed.
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

    /// Holds a broadcast back for a time of the server's clock.
    func hold(_ broadcast: Broadcast, _ accepted: AcceptedBroadcast, for time: Duration, furtherCopies: Int) {
        let held = Held(
            due: accepted.accepted.at.advanced(by: time), broadcast: broadcast, accepted: accepted,
            furtherCopies: furtherCopies)
        self.held.withLock { _ = $0.push(held, at: held.due) }
    }

    /// When the first broadcast that is held back is due.
    var nextHeldDue: Instant? { held.withLock { $0.earliest } }

    /// Gives a broadcast that was held back to its channel, which keeps it from now on unless it has had a later one, and
    /// to the devices.
    private func deliver(_ held: Held, at now: Instant) {
        let broadcast = held.broadcast
        let accepted = held.accepted.accepted
        let kept = channels.withLock { channels in
            ChannelID(broadcast.channel).map {
                channels.keep(
                    broadcast, in: $0, place: accepted.place, expiration: accepted.expiration,
                    acceptedAt: accepted.at, at: now)
            }
        }
        if let replaced = kept?.replaced, !replaced.isDelivered { reportReplacement(of: replaced.broadcast, at: now) }
        recordOutcome(
            of: held.accepted.done(
                deliver(broadcast, furtherCopies: held.furtherCopies, storedUntil: kept?.stored?.expiresAt)))
    }

    /// Records what became of a broadcast that went to its followers after it was answered.
    func recordOutcome(of broadcast: AcceptedBroadcast) {
        journal.apply([
            EntryChange(
                broadcast: broadcast.sequence, broadcast.outcome, at: fleet.time.now, detail: broadcast.detail,
                deviceCount: broadcast.deviceCount)
        ])
    }

    /// Gives further copies of a broadcast to the activities that it has changed.
    func deliverCopies(_ count: Int, of broadcast: Broadcast) {
        for _ in 0..<count { _ = fleet.deliver(broadcast, isCopy: true, at: fleet.time) }
    }

    /// Delivers the broadcasts whose delay is over, and ends the stored ones that have expired.
    func settle(at now: Instant) {
        while let held = held.withLock({ $0.popDue(at: now) }) { deliver(held, at: now) }
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
            recordCatchUp(stored, id, count: result.count, "device \(device) got what its channel keeps", at: time.now)
        }
    }

    /// Gives activities, listed by shard, which began to follow a channel, the message that it keeps.
    func catchUp(_ followers: [[ActivityPlace]], on channel: String) {
        let time = fleet.time
        guard let id = ChannelID(channel), let stored = channels.withLock({ $0.stored(in: id, at: time.now) })
        else { return }
        let count = fleet.deliver(stored.broadcast, at: time) { followers[$0] }
        let devices = count == 1 ? "1 device" : "\(count) devices"
        recordCatchUp(stored, id, count: count, "\(devices) got what the channel keeps", at: time.now)
    }

    // Records that devices got a stored broadcast, if any did.
    private func recordCatchUp(
        _ stored: BroadcastChannel.StoredMessage, _ id: ChannelID, count: Int, _ detail: String, at now: Instant
    ) {
        guard count > 0 else { return }
        let isFirst = channels.withLock { $0.recordCatchUp(with: stored.broadcast, of: id) }
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

// MARK: - Snapshots

extension ChannelStore {
    /// What a snapshot keeps of the store.
    struct Copy: Sendable {
        fileprivate let channels: BroadcastChannels
        fileprivate let held: [Held]
    }

    func copy() -> Copy { Copy(channels: read { copy $0 }, held: held.withLock { $0.all.map(\.element) }) }

    /// Goes on with the channels of a snapshot.
    func restore(_ copy: Copy) {
        channels.withLock { $0.proceed(to: copy.channels) }
        lastList.withLock { $0 = nil }
        held.withLock { held in
            held = DueQueue()
            for broadcast in copy.held { _ = held.push(broadcast, at: broadcast.due) }
        }
    }
}

extension ChannelStore.Copy: ByteRecord {
    static let members: some ByteForm<ChannelStore.Copy> = ByteMembers(ChannelStore.Copy.init) {
        ($0.channels, $0.held)
    }
}

extension ChannelStore.Held {
    /// A broadcast of a snapshot, as it was when it was held back.
    init(due: Instant, broadcast: Broadcast, at: Instant, expiration: Expiration, place: Int, furtherCopies: Int) {
        let accepted = ChannelStore.Accepted(
            sequence: broadcast.sequence, at: at, content: .success(broadcast), expiration: expiration, place: place,
            storedUntil: nil)
        self.init(
            due: due, broadcast: broadcast,
            accepted: AcceptedBroadcast(accepted: accepted, progress: .held(broadcast, due.since(at))),
            furtherCopies: furtherCopies)
    }
}

extension ChannelStore.Held: ByteRecord {
    static let members = ByteMembers(
        ChannelStore.Held.init(due:broadcast:at:expiration:place:furtherCopies:)
    ) {
        (
            $0.due, $0.broadcast, $0.accepted.accepted.at, $0.accepted.accepted.expiration,
            $0.accepted.accepted.place, $0.furtherCopies
        )
    }
}

extension ChannelRequest {
    /// The app and environment whose channels the request is about.
    var owner: ChannelOwner { ChannelOwner(bundleID: bundleID, environment: candidate.environment) }
}

/// The answer to a call of channel management that the rules admit (`ProviderAPI#Channel-management`).
struct ManagedChannel: Sendable {
    let status: Int
    let channel: ChannelID?
    let body: [UInt8]
}
