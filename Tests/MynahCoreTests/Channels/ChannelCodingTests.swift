import APNsRules
import Testing

@testable import MynahCore

/// Channels that are driven by random numbers, and can be driven on in two copies.
private struct DrivenChannels {
    /// What a change returned, or what can be seen: values, since text made of them takes many times as long.
    enum Answer: Equatable {
        case channel(BroadcastChannel, BroadcastChannel.StoredMessage?)
        case flag(Bool)
        case spread(isDelivered: Bool, isReplaced: Bool)
        case kept(BroadcastChannel.StoredMessage?, replaced: BroadcastChannel.StoredMessage?)
        case messages([BroadcastChannel.StoredMessage])
        case counts(Int, Int)
    }

    var channels: BroadcastChannels
    var random: SeededGenerator
    private var now = noon
    private var sequence: UInt64 = 0
    private var spreading: [(Broadcast, ChannelID)] = []
    /// What all changes returned.
    private(set) var answers: [Answer] = []

    init(seed: UInt64) {
        channels = BroadcastChannels(seed: seed)
        random = SeededGenerator(seed: seed)
    }

    mutating func step() throws {
        now = now.advanced(by: .seconds(Int.random(in: 0...900, using: &random)))
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<4:
            let policy: MessageStoragePolicy = Bool.random(using: &random) ? .mostRecent : .none
            let name = Bool.random(using: &random) ? "com.example.app" : "com.example.other"
            let owner = ChannelOwner(bundleID: name, environment: Bool.random(using: &random) ? .sandbox : .production)
            answers.append(.channel(try channels.create(policy, for: owner, at: now), nil))
        case 4, 5: if let channel = some { answers.append(.flag(channels.remove(channel.id) == nil)) }
        case 6..<12: if let channel = some { try broadcast(to: channel) }
        case 12..<16:
            guard let (broadcast, id) = spreading.popLast() else { return }
            let end = channels.endSpreading(of: broadcast, in: id, isDelivered: Bool.random(using: &random))
            answers.append(.spread(isDelivered: end.isDelivered, isReplaced: end.isReplaced))
        case 16: answers.append(.messages(channels.expire(at: now)))
        case 17:
            if Int.random(in: 0..<9, using: &random) == 0 {
                channels.removeAll(startsOver: Bool.random(using: &random))
            }
        default:
            guard let channel = some, let stored = channels.stored(in: channel.id, at: now) else { return }
            answers.append(.flag(channels.recordCatchUp(with: stored.broadcast, of: channel.id)))
        }
    }

    private var some: BroadcastChannel? {
        mutating get {
            let list = channels.list()
            return list.isEmpty ? nil : list[Int.random(in: list.indices, using: &random)]
        }
    }

    private mutating func broadcast(to channel: BroadcastChannel) throws {
        sequence += 1
        let event = Bool.random(using: &random) ? "update" : "end"
        let broadcast = try Broadcast(
            sequence, to: channel.id, ofApp: channel.owner.bundleID, in: channel.owner.environment,
            payload: [
                "aps": [
                    "event": .string(event), "timestamp": 1_795_262_400, "content-state": ["score": .whole(sequence)],
                    "stale-date": 1_795_262_500, "relevance-score": 1, "alert": ["title": "t", "body": "b"],
                    "dismissal-date": 1_795_262_600,
                ]
            ], at: now)
        let place = channels.countBroadcast(to: channel.id)
        let expiration = Expiration.until(now.advanced(by: .seconds(Int.random(in: 1...5000, using: &random))))
        let kept = channels.keep(
            broadcast, in: channel.id, place: place, expiration: expiration, acceptedAt: now, at: now)
        answers.append(.kept(kept.stored, replaced: kept.replaced))
        if kept.stored != nil { spreading.append((broadcast, channel.id)) }
    }

    var seen: [Answer] {
        (channels.list() + channels.list(newestFirst: true)).map { .channel($0, $0.stored(at: now)) }
            + [.messages(channels.undelivered(at: now))]
            + [.counts(channels.count(ofApp: "com.example.app"), channels.count)]
    }

    var bytes: [UInt8] { channels.coded }
}

@Suite("Channels as bytes") struct ChannelCodingTests {
    private func read(_ bytes: [UInt8], seed: UInt64) throws(CodingProblem) -> BroadcastChannels {
        var channels = BroadcastChannels(seed: seed)
        channels.proceed(to: try BroadcastChannels(coded: bytes))
        return channels
    }

    @Test("come back and go on as they were", arguments: 0..<40 as Range<UInt64>) func comeBack(seed: UInt64) throws {
        var one = DrivenChannels(seed: seed)
        for _ in 0..<4 {
            for _ in 0..<80 { try one.step() }
            var other = one
            other.channels = try read(one.bytes, seed: seed)
            #expect(other.bytes == one.bytes)
            #expect(other.seen == one.seen)
            for _ in 0..<80 {
                try one.step()
                try other.step()
            }
            #expect(other.answers == one.answers)
            #expect(other.seen == one.seen)
            #expect(other.bytes == one.bytes)
            one = other
        }
    }

    @Test("more deleted channels than are remembered come back, the oldest forgotten alike") func deleted() throws {
        let owner = ChannelOwner(bundleID: "com.example.app", environment: .sandbox)
        var one = BroadcastChannels(seed: 1)
        var ids: [ChannelID] = []
        func delete(_ count: Int, in channels: inout BroadcastChannels) throws {
            for _ in 0..<count {
                let id = try channels.create(.none, for: owner, at: noon).id
                channels.remove(id)
                ids.append(id)
            }
        }
        try delete(BroadcastChannels.deletedMax + 10, in: &one)
        var other = try read(one.coded, seed: 1)
        try delete(5, in: &one)
        ids.removeLast(5)
        try delete(5, in: &other)
        #expect(ids.allSatisfy { one.isTaken($0) == other.isTaken($0) })
        #expect(!other.isTaken(ids[14]) && other.isTaken(ids[15]))
    }

    @Test("damaged bytes are a problem or channels", arguments: 0..<3 as Range<UInt64>) func damage(seed: UInt64) throws
    {
        var driven = DrivenChannels(seed: seed)
        for _ in 0..<200 { try driven.step() }
        expectNoTrap(driven.bytes, count: 300, seed: seed) { bytes throws(CodingProblem) in
            _ = try read(bytes, seed: seed)
        }
    }

    @Test("another version is a newer Mynah's") func newerVersion() {
        #expect(throws: CodingProblem("version 2 was written by a newer Mynah, at byte 1 of 1")) {
            try read([2], seed: 1)
        }
        #expect(throws: CodingProblem("0 is no version, at byte 1 of 1")) { try read([0], seed: 1) }
    }
}
