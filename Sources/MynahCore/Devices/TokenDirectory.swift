internal import APNsRules

/// An app of a device in one environment, with its token.
struct Registration: SlabElement {
    /// Meaningless while ``RegistrationState/lacksToken``.
    fileprivate(set) var token: DeviceToken
    /// When the token was issued, or the app installed while it has none.
    fileprivate(set) var since: Instant
    var detail = Boxed<RegistrationDetail>()
    /// The topic's number in the directory.
    let topic: Int32
    /// The device's place.
    let device: Int32
    /// The place of the device's next registration, or -1.
    fileprivate(set) var next: Int32 = -1
    var state: RegistrationState
    let environment: APNsEnvironment

    static var vacant: Registration {
        Registration(
            token: .placeholder, since: Instant(milliseconds: 0), topic: 0, device: -1, state: .expired,
            environment: .sandbox)
    }
}

/// The tokens of one shard: which app on which device each belongs to (`DeviceBehaviour#Registration-and-tokens`).
struct TokenDirectory: Sendable {
    private let shard: Int
    private let shardCount: Int
    private let settings: DeviceSettings
    // Never drawn from: each token has a stream of its own, so that it does not depend on the order of calls.
    private let random: SeededGenerator
    private var registrations = Slab<Registration>()
    private var byToken = HashIndex(capacity: 16, usedQuartersMax: 3)
    // Tokens that fall into this shard and were given to a device in another one.
    private var shardsOfForeignDevices: [DeviceToken: Int] = [:]
    private(set) var topics = SharedValues<[UInt8]>()
    // The topic used last, which the next push to an unknown token probably names as well.
    private var lastTopic: Int32?
    // Topics of complications, whose pushes are counted (`DeviceBehaviour#Pushes-that-are-not-alerts`).
    private var complicationTopics: Set<Int32> = []
    // Topics of Live Activities, which pushes change.
    private var activityTopics: Set<Int32> = []
    /// The registrations of web apps, in no order.
    private(set) var webApps: Set<Int32> = []

    init(settings: DeviceSettings, shard: Int, of shardCount: Int, random: SeededGenerator) {
        precondition((0..<shardCount).contains(shard), "there is no shard \(shard) of \(shardCount)")
        self.settings = settings
        self.shard = shard
        self.shardCount = shardCount
        self.random = random
    }

    @inline(__always)
    subscript(slot: Int32) -> Registration {
        _read { yield registrations[slot] }
        _modify { yield &registrations[slot] }
    }

    @inline(__always)
    func find(_ token: DeviceToken) -> Int32? {
        byToken.find(HashIndex.tag(token.spread)) { registrations[Int32($0)].token == token }.map(Int32.init)
    }

    // MARK: - A device's registrations

    /// The registrations of a device, oldest first.
    func slots(of device: Device) -> [Int32] {
        var slots: [Int32] = []
        var slot = device.firstRegistration
        while slot >= 0 {
            slots.append(slot)
            slot = registrations[slot].next
        }
        return slots
    }

    func registrationCount(of device: Device) -> Int {
        var count = 0
        var slot = device.firstRegistration
        while slot >= 0 {
            count = count + 1
            slot = registrations[slot].next
        }
        return count
    }

    /// Adds a registration to the end of its device's list.
    mutating func add(_ registration: consuming Registration, to device: inout Device) -> Int32 {
        let slot = registrations.insert(registration)
        if !registrations[slot].state.lacksToken { index(slot) }
        if registrations[slot].detail.value?.web != nil { webApps.insert(slot) }
        if let last = slots(of: device).last {
            registrations[last].next = slot
        } else {
            device.firstRegistration = slot
        }
        return slot
    }

    mutating func remove(_ slot: Int32, from device: inout Device) {
        if !webApps.isEmpty { webApps.remove(slot) }
        if device.firstRegistration == slot {
            device.firstRegistration = registrations[slot].next
        } else {
            for before in slots(of: device) where registrations[before].next == slot {
                registrations[before].next = registrations[slot].next
            }
        }
        if !registrations[slot].state.lacksToken {
            byToken.remove(HashIndex.tag(registrations[slot].token.spread), UInt32(slot))
        }
        releaseTopic(registrations[slot].topic)
        registrations.remove(slot)
    }

    mutating func setToken(_ token: DeviceToken, of slot: Int32, at now: Instant) {
        registrations[slot].token = token
        registrations[slot].state = .active
        registrations[slot].since = now
        index(slot)
    }

    private mutating func index(_ slot: Int32) {
        byToken.insert(HashIndex.tag(registrations[slot].token.spread), UInt32(slot))
    }

    /// The registration of an app that has, or will have, a token that reaches it.
    func current(_ topic: String, _ environment: APNsEnvironment, on device: Device) -> Int32? {
        guard let topic = topics.number(of: Array(topic.utf8)) else { return nil }
        return slots(of: device).last {
            registrations[$0].topic == topic && registrations[$0].environment == environment
                && registrations[$0].state.isCurrent && activity(of: $0) == nil
        }
    }

    func siblings(of slot: Int32, on device: Device) -> [Int32] {
        slots(of: device).filter {
            $0 != slot && registrations[$0].topic == registrations[slot].topic
                && registrations[$0].environment == registrations[slot].environment
                && activity(of: $0) == activity(of: slot)
        }
    }

    /// The registrations of apps, without the tokens of Live Activities.
    func apps(of device: Device) -> [Int32] { slots(of: device).filter { activity(of: $0) == nil } }

    // MARK: - Issuing

    /// Draws a token that depends on the seed and the name alone, and falls into this shard.
    func issue(for name: String, byteCount: Int? = nil) -> DeviceToken {
        var generator = random.split(for: DeviceDirectory.hash(name))
        let byteCount = byteCount ?? settings.issuedTokenByteCount
        while true {
            let drawn = DeviceToken(bytes: (0..<byteCount).map { _ in generator.byte() })
            // With 64 shards nearly every draw has a last byte with which its token falls into this shard.
            for token in (UInt8.min ... .max).lazy.map(drawn.withLastByte) where isHome(to: token) {
                let isTaken = find(token) != nil || shardOfForeignDevice(with: token) != nil
                if !isTaken, !settings.reservedTokens.contains(token) { return token }
            }
        }
    }

    /// The subscription of a web app, which its token and the seed determine, so that nothing secret is kept: the rest of
    /// its endpoint, its key pair and its secret.
    func subscription(of slot: Int32, in service: WebPushService) -> WebPushSubscription {
        let token = registrations[slot].token
        var generator = random.split(for: DeviceDirectory.hash("web push \(token.hex)"))
        func draw(_ count: Int) -> [UInt8] { (0..<count).map { _ in generator.byte() } }
        let restBytes = WebPushSubscription.segmentBytes - WebPushSubscription.tokenBytes
        let segment = WebPushSubscription.segment(random: draw(restBytes) + token.bytes)
        var number = draw(32)
        // Any number above 0 and below the order of P-256, which is nearly 2^256, is a private key.
        number[0] &= 0x7F
        return WebPushSubscription(
            segment: segment, privateNumber: number, publicKey: service.publicKey(of: number),
            authenticationSecret: draw(WebPushLimits.authenticationSecretBytes))
    }

    /// When APNs notices that a token has ended: ``DeviceSettings/unregisterDelay`` later, drawn from the seed.
    func noticed(_ slot: Int32, after now: Instant) -> Instant {
        let delay = settings.unregisterDelay
        guard delay.lowerBound < delay.upperBound else { return now.advanced(by: delay.lowerBound) }
        var generator = random.split(for: registrations[slot].token.spread)
        let drawn = generator.number(in: delay.lowerBound.wholeMilliseconds...delay.upperBound.wholeMilliseconds)
        return now.advanced(by: .milliseconds(drawn))
    }

    // MARK: - Tokens of devices in other shards

    /// Whether pushes to a token come to this shard.
    func isHome(to token: DeviceToken) -> Bool { token.shard(of: shardCount) == shard }

    func shardOfForeignDevice(with token: DeviceToken) -> Int? {
        shardsOfForeignDevices.isEmpty ? nil : shardsOfForeignDevices[token]
    }

    mutating func setShardOfForeignDevice(with token: DeviceToken, _ shard: Int?) {
        shardsOfForeignDevices[token] = shard
    }

    /// Forgets everything but the tokens of devices in other shards, which are unclaimed with their devices.
    mutating func removeAll() {
        let foreign = shardsOfForeignDevices
        self = TokenDirectory(settings: settings, shard: shard, of: shardCount, random: random)
        shardsOfForeignDevices = foreign
    }

    // MARK: - Topics

    /// Returns the number of a topic for a registration that is about to be added.
    mutating func retainTopic(_ topic: Span<UInt8>) -> Int32 {
        if let lastTopic, topic.equals(topics[lastTopic]) { return topics.retain(number: lastTopic) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(topic.count)
        for index in topic.indices { bytes.append(topic[index]) }
        let number = topics.retain(bytes)
        lastTopic = number
        classifyTopic(number, topic)
        return number
    }

    private mutating func classifyTopic(_ number: Int32, _ topic: Span<UInt8>) {
        switch Topic.suffixedPushType(of: topic) {
        case .complication: complicationTopics.insert(number)
        case .liveactivity: activityTopics.insert(number)
        default: break
        }
    }

    private mutating func releaseTopic(_ number: Int32) {
        guard topics.release(number) else { return }
        if lastTopic == number { lastTopic = nil }
        complicationTopics.remove(number)
        activityTopics.remove(number)
    }

    @inline(__always)
    func topic(of slot: Int32) -> [UInt8] { topics[registrations[slot].topic] }
    func topicText(of slot: Int32) -> String { String(decoding: topic(of: slot), as: UTF8.self) }
    /// Whether a registration's pushes are counted because they update a complication.
    @inline(__always)
    func isComplication(_ slot: Int32) -> Bool { complicationTopics.contains(registrations[slot].topic) }
    /// Whether a registration's pushes change Live Activities.
    @inline(__always)
    func isForActivities(_ slot: Int32) -> Bool { activityTopics.contains(registrations[slot].topic) }
    /// The Live Activity that a token updates; `nil` for an app's own token.
    func activity(of slot: Int32) -> Int32? { registrations[slot].detail.value?.activity }

    /// The broken invariants, a sentence each; for tests.
    func brokenInvariants() -> [String] {
        let withToken = registrations.places.filter { !registrations[$0].state.lacksToken }
        var broken = withToken.filter { find(registrations[$0].token) != $0 }
            .map { "the registration at \($0) is not found by its token" }
        if byToken.count != withToken.count {
            broken.append("\(byToken.count) tokens are indexed, \(withToken.count) are there")
        }
        return broken
    }
}

// Registrations are written with their devices, without their slots.
extension TokenDirectory {
    /// What doesn't belong to one device.
    struct Head: ByteRecord {
        fileprivate let shard: Int
        fileprivate let shardCount: Int
        fileprivate let topics: SharedValues<[UInt8]>
        fileprivate let shardsOfForeignDevices: [DeviceToken: Int]

        static let members = ByteMembers(Head.init) {
            ($0.shard, $0.shardCount, $0.topics, $0.shardsOfForeignDevices)
        }
    }

    var head: Head {
        Head(shard: shard, shardCount: shardCount, topics: topics, shardsOfForeignDevices: shardsOfForeignDevices)
    }

    /// Begins with what was read, while there are no registrations.
    mutating func begin(with head: Head) throws(CodingProblem) {
        guard head.shard == shard, head.shardCount == shardCount else {
            throw CodingProblem(
                "these are the devices of shard \(head.shard) of \(head.shardCount): expected \(shard) of "
                    + "\(shardCount)")
        }
        topics = head.topics
        for (number, topic) in topics.all { classifyTopic(number, topic.span) }
        shardsOfForeignDevices = head.shardsOfForeignDevices
        for (token, other) in shardsOfForeignDevices {
            guard isHome(to: token), (0..<shardCount).contains(other), other != shard else {
                throw CodingProblem("the token \(token.hex) can't belong to a device of shard \(other)")
            }
        }
    }

    /// Reads a registration and adds it behind the device's `last` one; returns its slot.
    mutating func restore(
        from reader: inout ByteReader, behind last: Int32?, to device: inout Device, at place: Int32
    ) throws(CodingProblem) -> Int32 {
        let topic = try topics.retain(from: &reader)
        let registration = try Registration(from: &reader, topic: topic, device: place)
        if !registration.state.lacksToken, find(registration.token) != nil {
            throw reader.problem("the token \(registration.token.hex) is there twice")
        }
        let slot = registrations.insert(registration)
        if !registrations[slot].state.lacksToken { index(slot) }
        if registrations[slot].detail.value?.web != nil { webApps.insert(slot) }
        if let last { registrations[last].next = slot } else { device.firstRegistration = slot }
        return slot
    }
}
