package import APNsRules

/// An app in one environment, whose channels are its own (`ProviderAPI#Broadcasts`).
package struct ChannelOwner: Hashable, Sendable {
    package let bundleID: String
    package let environment: APNsEnvironment

    package init(bundleID: String, environment: APNsEnvironment) {
        self.bundleID = bundleID
        self.environment = environment
    }
}

/// A broadcast channel (`ProviderAPI#Channel-management`).
package struct BroadcastChannel: Sendable, Equatable {
    /// The most recent message of a channel, for devices that were offline or begin to follow it.
    package struct StoredMessage: Sendable, Equatable {
        package let broadcast: Broadcast
        package let expiresAt: Instant
        /// Whether a device has got the message.
        package fileprivate(set) var isDelivered = false
    }

    package let id: ChannelID
    package let owner: ChannelOwner
    package let policy: MessageStoragePolicy
    package let createdAt: Instant
    /// The number of accepted broadcasts to it so far.
    package fileprivate(set) var broadcastCount = 0
    fileprivate var stored: StoredMessage?
    // The place, among its broadcasts, of the newest that it was to keep.
    fileprivate var newestPlace = 0
    /// The channel's place in the order of creation, in which channels are listed.
    package let number: UInt64

    /// The channel's configuration as a provider reads it.
    package var configuration: JSONValue {
        ["message-storage-policy": .whole(policy.rawValue), "push-type": "LiveActivity"]
    }

    /// The message that the channel stores at a time.
    package func stored(at now: Instant) -> StoredMessage? { stored.flatMap { now < $0.expiresAt ? $0 : nil } }
}

/// The broadcast channels of a server, and the ids of deleted ones (`ProviderAPI#Broadcasts`).
///
/// A channel belongs to one app in one environment; for any other it is an id that never existed.
package struct BroadcastChannels: Sendable {
    /// The deleted ids that are remembered, so that broadcasts to them are ChannelNotRegistered and not BadChannelId.
    package static let deletedMax = 100_000

    // The deleted channels that are always tolerated in the order of creation.
    private static let deletedInOrderMax = 64
    // The ids' stream of random numbers; devices have another one, and connections are numbered from 1.
    private static let purpose: UInt64 = .max - 1
    private var seed: UInt64
    private var random: SeededGenerator
    private struct Created {
        let number: UInt64
        let id: ChannelID
    }

    private var channels: [ChannelID: BroadcastChannel] = [:]
    // In the order of creation; deleted ones are removed together, so that each is moved a few times at most.
    private var order: [Created] = []
    private var counts: [ChannelOwner: Int] = [:]
    private var created: UInt64 = 0
    // How often all were removed.
    private var removals = 0
    // A time before which no stored message expires.
    private var earliestExpiry: Instant?
    // The stored messages that are on their way to their followers, by number, and whether a device has got them
    // meanwhile because it caught up.
    private var spreading: [UInt64: Bool] = [:]
    private var deleted: [ChannelID: ChannelOwner] = [:]
    // The deleted channels whose message has not expired, and still goes to devices.
    private var deletedKeeping: [ChannelID: BroadcastChannel] = [:]
    // In the order of deletion, in a circle once there are `deletedMax`.
    private var deletedIDs: [ChannelID] = []
    private var oldestDeleted = 0

    package init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed).split(for: BroadcastChannels.purpose)
    }

    package var count: Int { channels.count }

    /// Differs after each creation and each removal.
    package var listVersion: ListVersion {
        ListVersion(created: created, count: channels.count, removals: removals)
    }

    /// Which channels there are, as a number of changes.
    package struct ListVersion: Equatable, Sendable {
        fileprivate let created: UInt64
        fileprivate let count: Int
        fileprivate let removals: Int
    }

    /// Makes a channel, with a generated id or a given one; throws CannotCreateChannelConfig at the limit of channels.
    package mutating func create(
        _ policy: MessageStoragePolicy, for owner: ChannelOwner, id: ChannelID? = nil, at now: Instant
    ) throws(Refusal) -> BroadcastChannel {
        guard counts[owner, default: 0] < Limits.channelsMax else {
            throw Refusal(
                .cannotCreateChannelConfig,
                "the app \(owner.bundleID) has \(Limits.channelsMax) channels in \(owner.environment.rawValue), the most "
                    + "that an app may have")
        }
        created += 1
        let channel = BroadcastChannel(
            id: id ?? freshID(), owner: owner, policy: policy, createdAt: now, number: created)
        channels[channel.id] = channel
        order.append(Created(number: channel.number, id: channel.id))
        counts[owner, default: 0] += 1
        return channel
    }

    /// Whether an id can't be given to a new channel: a channel has it, had it, or it is a magic one.
    package func isTaken(_ id: ChannelID) -> Bool {
        channels[id] != nil || deleted[id] != nil || id.high == ChannelID.magicWord
    }

    private mutating func freshID() -> ChannelID {
        while true {
            let id = ChannelID(high: random.next(), low: random.next())
            if !isTaken(id) { return id }
        }
    }

    /// The channel with an id, of any app and environment.
    package func channel(_ id: ChannelID) -> BroadcastChannel? { channels[id] }

    /// The channel of an app for a call of channel management; BadPath without one (`ProviderAPI#Channel-management`).
    package func channel(_ id: ChannelID, of owner: ChannelOwner) throws(Refusal) -> BroadcastChannel {
        if let channel = channels[id], channel.owner == owner { return channel }
        throw Refusal(.badPath, absence(of: id, from: owner))
    }

    /// Removes a channel of an app, and returns it; BadPath without one.
    @discardableResult
    package mutating func delete(_ id: ChannelID, of owner: ChannelOwner) throws(Refusal) -> BroadcastChannel {
        let channel = try channel(id, of: owner)
        remove(id)
        return channel
    }

    /// Removes a channel, whosever it is; `nil` without one.
    ///
    /// The message that it keeps still goes to devices.
    @discardableResult
    package mutating func remove(_ id: ChannelID) -> BroadcastChannel? {
        guard let channel = forget(id) else { return nil }
        deleted[id] = channel.owner
        if channel.stored != nil { deletedKeeping[id] = channel }
        if deletedIDs.count < BroadcastChannels.deletedMax {
            deletedIDs.append(id)
        } else {
            deleted[deletedIDs[oldestDeleted]] = nil
            deletedIDs[oldestDeleted] = id
            oldestDeleted = (oldestDeleted + 1) % BroadcastChannels.deletedMax
        }
        return channel
    }

    /// Removes a channel as if it had never been, so that its id may be given again; `nil` without one.
    @discardableResult
    package mutating func forget(_ id: ChannelID) -> BroadcastChannel? {
        guard let channel = channels.removeValue(forKey: id) else { return nil }
        if order.count > 2 * channels.count + BroadcastChannels.deletedInOrderMax {
            order.removeAll { channels[$0.id]?.number != $0.number }
        }
        counts[channel.owner, default: 1] -= 1
        if counts[channel.owner] == 0 { counts[channel.owner] = nil }
        return channel
    }

    /// Up to `limit` channels in the order of creation or, newest first, in the reverse one, from the one past `number`
    /// on; of an app and of an environment, if those are given.
    package func list(
        ofApp bundleID: String? = nil, in environment: APNsEnvironment? = nil, newestFirst: Bool = false,
        past number: UInt64? = nil, limit: Int = .max
    ) -> [BroadcastChannel] {
        func listed(_ created: Created) -> BroadcastChannel? {
            guard let channel = channels[created.id], channel.number == created.number,
                bundleID == nil || channel.owner.bundleID == bundleID,
                environment == nil || channel.owner.environment == environment
            else { return nil }
            return channel
        }
        guard newestFirst else {
            let start = number.map { number in order.firstIndexInOrder { $0.number > number } } ?? 0
            return Array(order[start...].lazy.compactMap(listed).prefix(limit))
        }
        let end = number.map { number in order.firstIndexInOrder { $0.number >= number } } ?? order.count
        return Array(order[..<end].reversed().lazy.compactMap(listed).prefix(limit))
    }

    /// How many channels there are, of an app and of an environment, if those are given.
    package func count(ofApp bundleID: String? = nil, in environment: APNsEnvironment? = nil) -> Int {
        counts.reduce(0) { sum, app in
            let isAsked =
                (bundleID == nil || app.key.bundleID == bundleID)
                && (environment == nil || app.key.environment == environment)
            return isAsked ? sum + app.value : sum
        }
    }

    /// Judges a broadcast; ChannelNotRegistered for a deleted channel, BadChannelId for an unknown one, and
    /// BadExpirationDate for a channel that stores nothing unless the expiration is 0 (`ProviderAPI#Sending-a-broadcast`).
    package func admit(
        to id: ChannelID, of owner: ChannelOwner, expiration: Expiration
    ) throws(Refusal) -> BroadcastChannel {
        guard let channel = channels[id], channel.owner == owner else {
            throw Refusal(
                deleted[id] == owner ? .channelNotRegistered : .badChannelID, absence(of: id, from: owner))
        }
        guard channel.policy != .none || expiration == .once else {
            throw Refusal(
                .badExpirationDate, "the channel \(id.text) stores no message; apns-expiration 0 was expected")
        }
        return channel
    }

    private func absence(of id: ChannelID, from owner: ChannelOwner) -> String {
        deleted[id] == owner
            ? "the channel \(id.text) was deleted"
            : "the app \(owner.bundleID) has no channel \(id.text) in \(owner.environment.rawValue)"
    }

    /// Counts an accepted broadcast; returns its place among the broadcasts of its channel, from 1.
    package mutating func countBroadcast(to id: ChannelID) -> Int {
        channels[id]?.broadcastCount += 1
        return channels[id]?.broadcastCount ?? 0
    }

    /// Has a channel keep an accepted broadcast, by its place, in place of the message that it keeps, unless it was to
    /// keep one that was accepted later; returns what the channel keeps of it, and what it kept before.
    ///
    /// The broadcast is on its way to its followers until ``endSpreading(of:in:isDelivered:)``.
    package mutating func keep(
        _ broadcast: Broadcast, in id: ChannelID, place: Int, expiration: Expiration, acceptedAt: Instant,
        at now: Instant
    ) -> (stored: BroadcastChannel.StoredMessage?, replaced: BroadcastChannel.StoredMessage?) {
        guard var channel = channels[id], place > channel.newestPlace else { return (nil, nil) }
        let replaced = channel.stored(at: now)
        channel.newestPlace = place
        let end = BroadcastChannels.storageEnd(channel.policy, expiration, at: acceptedAt)
        channel.stored = end.flatMap {
            $0 <= now ? nil : BroadcastChannel.StoredMessage(broadcast: broadcast, expiresAt: $0)
        }
        channels[id] = channel
        if let end = channel.stored?.expiresAt {
            earliestExpiry = min(earliestExpiry ?? end, end)
            spreading[broadcast.sequence] = false
        }
        return (channel.stored, replaced.flatMap { spreading[$0.broadcast.sequence] == nil ? $0 : nil })
    }

    /// Records that a device has caught up with the message that a channel stores; returns whether it is the first
    /// device to have it, after the message went to the channel's followers.
    package mutating func recordCatchUp(with broadcast: Broadcast, of id: ChannelID) -> Bool {
        let isSpreading = spreading[broadcast.sequence] != nil
        if isSpreading { spreading[broadcast.sequence] = true }
        return recordDelivery(of: broadcast, from: id) && !isSpreading
    }

    /// Records that a broadcast has gone to its followers, and whether any of them got it; returns whether a device has
    /// got it, perhaps because it caught up, and whether a newer broadcast has replaced it meanwhile.
    package mutating func endSpreading(
        of broadcast: Broadcast, in id: ChannelID, isDelivered: Bool
    ) -> (isDelivered: Bool, isReplaced: Bool) {
        guard let hasCaughtUp = spreading.removeValue(forKey: broadcast.sequence) else { return (isDelivered, false) }
        if isDelivered { _ = recordDelivery(of: broadcast, from: id) }
        let channel = channels[id] ?? deletedKeeping[id]
        let isReplaced = channel.map { $0.stored?.broadcast.sequence != broadcast.sequence } ?? false
        return (isDelivered || hasCaughtUp, isReplaced)
    }

    // Returns whether it is the first delivery of what the channel keeps.
    private mutating func recordDelivery(of broadcast: Broadcast, from id: ChannelID) -> Bool {
        guard let stored = stored(in: id), stored.broadcast.sequence == broadcast.sequence, !stored.isDelivered
        else { return false }
        channels[id]?.stored?.isDelivered = true
        deletedKeeping[id]?.stored?.isDelivered = true
        return true
    }

    private func stored(in id: ChannelID) -> BroadcastChannel.StoredMessage? {
        (channels[id] ?? deletedKeeping[id])?.stored
    }

    private var storedMessages: [(id: ChannelID, message: BroadcastChannel.StoredMessage)] {
        [channels, deletedKeeping].flatMap { channels in
            channels.compactMap { id, channel in channel.stored.map { (id, $0) } }
        }
    }

    /// The message that a channel keeps at a time, or kept when it was deleted.
    package func stored(in id: ChannelID, at now: Instant) -> BroadcastChannel.StoredMessage? {
        stored(in: id).flatMap { now < $0.expiresAt ? $0 : nil }
    }

    /// The messages that are kept at a time and that no device has got, also messages of deleted channels.
    package func undelivered(at now: Instant) -> [BroadcastChannel.StoredMessage] {
        storedMessages.map(\.message).filter { now < $0.expiresAt && !$0.isDelivered }
            .sorted { $0.broadcast.sequence < $1.broadcast.sequence }
    }

    /// When a stored message may expire next.
    package var nextExpiry: Instant? { earliestExpiry }

    /// Forgets the stored messages that have expired; returns them.
    package mutating func expire(at now: Instant) -> [BroadcastChannel.StoredMessage] {
        guard let earliest = earliestExpiry, earliest <= now else { return [] }
        var expired: [BroadcastChannel.StoredMessage] = []
        earliestExpiry = nil
        for (id, stored) in storedMessages {
            if stored.expiresAt <= now, spreading[stored.broadcast.sequence] == nil {
                expired.append(stored)
                channels[id]?.stored = nil
                deletedKeeping[id] = nil
            } else {
                earliestExpiry = min(earliestExpiry ?? stored.expiresAt, stored.expiresAt)
            }
        }
        return expired.sorted { ($0.expiresAt, $0.broadcast.sequence) < ($1.expiresAt, $1.broadcast.sequence) }
    }

    // The earlier of the expiration and 8 hours; `nil` for a message that is not kept.
    private static func storageEnd(
        _ policy: MessageStoragePolicy, _ expiration: Expiration, at now: Instant
    ) -> Instant? {
        guard policy == .mostRecent else { return nil }
        let longest = now.advanced(by: Limits.channelStorageMax)
        switch expiration {
        case .once: return nil
        case .storagePolicy: return longest
        case .until(let end): return end <= now ? nil : min(end, longest)
        }
    }

    /// Removes everything, the memory of deleted channels too; if it starts over, the same ids are generated again.
    package mutating func removeAll(startsOver: Bool) {
        let random = random
        let created = created
        let removals = removals
        self = BroadcastChannels(seed: seed)
        self.removals = removals + 1
        if !startsOver {
            self.random = random
            self.created = created
        }
    }
}

/// Everything but the seed, which ``proceed(to:)`` keeps.
extension BroadcastChannels: VersionedRecord {
    package static let version: UInt8 = 1

    package static let members = CheckedMembers(
        BroadcastChannels.init(random:created:list:spreading:deleted:deletedKeeping:)
    ) { all in
        (
            all.random, all.created, all.list(), all.spreading,
            // The oldest first.
            (all.deletedIDs[all.oldestDeleted...] + all.deletedIDs[..<all.oldestDeleted])
                .map { Row($0, all.deleted[$0]) },
            all.deletedKeeping.values.sorted { $0.number < $1.number }
        )
    }

    private init(
        random: SeededGenerator, created: UInt64, list: [BroadcastChannel], spreading: [UInt64: Bool],
        deleted: [Row<ChannelID, ChannelOwner?>], deletedKeeping: [BroadcastChannel]
    ) throws(CodingProblem) {
        self.init(seed: 0)
        self.random = random
        self.created = created
        var last: UInt64 = 0
        for channel in list {
            guard last < channel.number, channel.number <= created,
                channels.updateValue(channel, forKey: channel.id) == nil
            else { throw CodingProblem("channel \(channel.number) comes after channel \(last) of \(created)") }
            last = channel.number
            order.append(Created(number: channel.number, id: channel.id))
            counts[channel.owner, default: 0] += 1
        }
        self.spreading = spreading
        guard deleted.count <= BroadcastChannels.deletedMax else {
            throw CodingProblem("\(deleted.count) deleted channels are too many")
        }
        for row in deleted {
            let (id, owner) = row.values
            self.deleted[id] = owner
            deletedIDs.append(id)
        }
        for channel in deletedKeeping { self.deletedKeeping[channel.id] = channel }
        earliestExpiry = storedMessages.map(\.message.expiresAt).min()
    }

    /// Takes over channels that were read from a snapshot of a server with the same seed.
    package mutating func proceed(to channels: BroadcastChannels) {
        let seed = seed
        self = channels
        self.seed = seed
    }
}

extension BroadcastChannel: ByteRecord {
    package static let members = ByteMembers(BroadcastChannel.init) {
        (
            $0.id, $0.owner, $0.policy, $0.createdAt, $0.broadcastCount, $0.stored, $0.newestPlace, $0.number
        )
    }
}

extension BroadcastChannel.StoredMessage: ByteRecord {
    package static let members = ByteMembers(BroadcastChannel.StoredMessage.init) {
        ($0.broadcast, $0.expiresAt, $0.isDelivered)
    }
}

extension ChannelOwner: ByteRecord {
    package static let members = ByteMembers(ChannelOwner.init) { ($0.bundleID, $0.environment) }
}

extension ChannelID {
    /// The first half of the ids of magic channels, which no channel has (`Documents#Magic-tokens`).
    package static let magicWord: UInt64 = 0xbadc_0ffe_e0dd_f00d
}
