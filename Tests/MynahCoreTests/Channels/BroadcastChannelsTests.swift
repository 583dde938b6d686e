import APNsRules
import Testing

@testable import MynahCore

@Suite("Broadcast channels")
struct BroadcastChannelsTests {
    private static let now = Instant(milliseconds: 1_767_225_600_000)
    private static let app = ChannelOwner(bundleID: "com.example.app", environment: .sandbox)

    private static let later = Expiration.until(now.advanced(by: .seconds(3600)))

    private func broadcast(_ sequence: UInt64, to channel: ChannelID) throws -> Broadcast {
        try Broadcast(
            sequence, to: channel, ofApp: Self.app.bundleID, in: .sandbox,
            payload: ["aps": ["event": "update", "timestamp": 1_767_225_600, "content-state": ["score": 1]]],
            at: Self.now)
    }

    @Test("an id is 24 characters of standard base64, and is written as it was read")
    func ids() throws {
        let id = try #require(ChannelID("tvI2UK0vEfEAAA6GFnjo2Q=="))
        #expect((id.high, id.low) == (0xb6f2_3650_ad2f_11f1, 0x0000_0e86_1678_e8d9))
        #expect(id.text == "tvI2UK0vEfEAAA6GFnjo2Q==")
        for text in ["", "tvI2UK0vEfEAAA6GFnjo2Q", "tvI2UK0vEfEAAA6GFnjo2R==", "tvI2UK0vEfEAAA6GFnjo2Q==="] {
            #expect(ChannelID(text) == nil, "\(text)")
        }
    }

    @Test("the same seed generates the same ids, none twice, and a reset starts over")
    func generatedIDs() throws {
        var channels = BroadcastChannels(seed: 7)
        var others = BroadcastChannels(seed: 8)
        var ids: [ChannelID] = []
        for _ in 0..<100 { ids.append(try channels.create(.none, for: Self.app, at: Self.now).id) }
        #expect(Set(ids).count == 100)
        #expect(try others.create(.none, for: Self.app, at: Self.now).id != ids[0])
        channels.removeAll(startsOver: false)
        #expect(channels.list().isEmpty && channels.count == 0)
        let next = try channels.create(.none, for: Self.app, at: Self.now).id
        #expect(!ids.contains(next))
        channels.removeAll(startsOver: true)
        #expect(try channels.create(.none, for: Self.app, at: Self.now).id == ids[0])
    }

    @Test("the limit holds for each app and environment, and a deletion makes room")
    func limit() throws {
        var channels = BroadcastChannels(seed: 1)
        let first = try channels.create(.none, for: Self.app, at: Self.now).id
        for _ in 1..<Limits.channelsMax { _ = try channels.create(.none, for: Self.app, at: Self.now) }
        let refusal = #expect(throws: Refusal.self) { try channels.create(.none, for: Self.app, at: Self.now) }
        #expect(refusal?.reason == .cannotCreateChannelConfig)
        for other in [
            ChannelOwner(bundleID: "com.example.app", environment: .production),
            ChannelOwner(bundleID: "com.example.other", environment: .sandbox),
        ] {
            #expect(throws: Never.self) { try channels.create(.none, for: other, at: Self.now) }
        }
        try channels.delete(first, of: Self.app)
        #expect(throws: Never.self) { try channels.create(.none, for: Self.app, at: Self.now) }
    }

    @Test("only so many deleted ids are remembered, the newest")
    func deletedIDs() throws {
        var channels = BroadcastChannels(seed: 1)
        var ids: [ChannelID] = []
        for _ in 0...BroadcastChannels.deletedMax {
            let id = try channels.create(.none, for: Self.app, at: Self.now).id
            try channels.delete(id, of: Self.app)
            ids.append(id)
        }
        func reason(_ id: ChannelID) -> Reason? {
            #expect(throws: Refusal.self) { try channels.admit(to: id, of: Self.app, expiration: .once) }?.reason
        }
        #expect(reason(ids[0]) == .badChannelID)
        #expect(reason(ids[1]) == .channelNotRegistered)
        #expect(try reason(#require(ids.last)) == .channelNotRegistered)
    }

    @Test(
        "a channel keeps its most recent message until the earlier of its expiration and 8 hours",
        arguments: [
            (MessageStoragePolicy.mostRecent, Expiration.until(now.advanced(by: .seconds(60))), Duration.seconds(60)),
            (.mostRecent, .until(now.advanced(by: .seconds(100_000))), .seconds(8 * 3600)),
            (.mostRecent, .until(now), nil), (.mostRecent, .once, nil),
            (MessageStoragePolicy.none, .once, nil),
        ] as [(MessageStoragePolicy, Expiration, Duration?)])
    func storage(policy: MessageStoragePolicy, expiration: Expiration, kept: Duration?) throws {
        var channels = BroadcastChannels(seed: 1)
        let id = try channels.create(policy, for: Self.app, at: Self.now).id
        let sent = try broadcast(1, to: id)
        let noted = channels.take(sent, expiration, at: Self.now)
        let end = kept.map { Self.now.advanced(by: $0) }
        #expect(noted.stored?.expiresAt == end)
        #expect(noted.replaced == nil)
        _ = channels.endSpreading(of: sent, in: id, isDelivered: false)
        #expect(channels.channel(id)?.broadcastCount == 1)
        guard let end else { return }
        let channel = try #require(channels.channel(id))
        #expect(channel.stored(at: end.advanced(by: .milliseconds(-1)))?.broadcast.sequence == 1)
        #expect(channel.stored(at: end) == nil)
        #expect(channels.expire(at: end.advanced(by: .milliseconds(-1))).isEmpty)
        #expect(channels.expire(at: end).map(\.broadcast.sequence) == [1])
        #expect(channels.expire(at: end).isEmpty)
    }

    @Test("the first device that catches up with the stored message is told from further ones")
    func deliveries() throws {
        var channels = BroadcastChannels(seed: 1)
        let id = try channels.create(.mostRecent, for: Self.app, at: Self.now).id
        let first = try broadcast(1, to: id)
        let second = try broadcast(2, to: id)
        _ = channels.take(first, Self.later, at: Self.now)
        #expect(channels.endSpreading(of: first, in: id, isDelivered: false) == (false, false))
        #expect(channels.recordCatchUp(with: first, of: id) == true)
        let replaced = channels.take(second, Self.later, at: Self.now).replaced
        #expect(replaced?.isDelivered == true)
        #expect(channels.recordCatchUp(with: first, of: id) == false, "the channel has a newer message")
        #expect(channels.channel(id)?.stored(at: Self.now)?.isDelivered == false)
        #expect(channels.endSpreading(of: second, in: id, isDelivered: false) == (false, false))
        #expect(channels.recordCatchUp(with: second, of: id) == true)
        #expect(channels.recordCatchUp(with: second, of: id) == false)
        let expired = channels.expire(at: Self.now.advanced(by: .seconds(3600)))
        #expect(expired.map(\.isDelivered) == [true])
    }

    @Test("a device that catches up while a broadcast is on its way is not the first, and the broadcast is delivered")
    func catchUpMeanwhile() throws {
        var channels = BroadcastChannels(seed: 1)
        let id = try channels.create(.mostRecent, for: Self.app, at: Self.now).id
        let sent = try broadcast(1, to: id)
        _ = channels.take(sent, Self.later, at: Self.now)
        #expect(channels.recordCatchUp(with: sent, of: id) == false)
        #expect(channels.endSpreading(of: sent, in: id, isDelivered: false) == (true, false))
        #expect(channels.recordCatchUp(with: sent, of: id) == false)
        #expect(channels.channel(id)?.stored(at: Self.now)?.isDelivered == true)
    }

    @Test("a broadcast that is replaced or expires on its way is reported once it has gone to its followers")
    func replacementMeanwhile() throws {
        var channels = BroadcastChannels(seed: 1)
        let id = try channels.create(.mostRecent, for: Self.app, at: Self.now).id
        let first = try broadcast(1, to: id)
        let second = try broadcast(2, to: id)
        _ = channels.take(first, Self.later, at: Self.now)
        #expect(channels.take(second, Self.later, at: Self.now).replaced == nil)
        #expect(channels.endSpreading(of: first, in: id, isDelivered: false) == (false, true))
        let end = Self.now.advanced(by: .seconds(3600))
        #expect(channels.expire(at: end).isEmpty)
        #expect(channels.endSpreading(of: second, in: id, isDelivered: false) == (false, false))
        #expect(channels.expire(at: end).map(\.broadcast.sequence) == [2])
    }

    @Test("a newer message replaces the stored one, even if it is not stored itself")
    func replacement() throws {
        var channels = BroadcastChannels(seed: 1)
        let id = try channels.create(.mostRecent, for: Self.app, at: Self.now).id
        for (number, expiration) in [(1, Self.later), (2, Self.later), (3, .once)] as [(UInt64, Expiration)] {
            let sent = try broadcast(number, to: id)
            let (stored, replaced) = channels.take(sent, expiration, at: Self.now)
            #expect(replaced?.broadcast.sequence == (number == 1 ? nil : number - 1))
            #expect(stored?.broadcast.sequence == (number == 3 ? nil : number))
            _ = channels.endSpreading(of: sent, in: id, isDelivered: false)
        }
        #expect(channels.channel(id)?.stored(at: Self.now) == nil)
        #expect(channels.channel(id)?.broadcastCount == 3)
    }

    @Test("a broadcast that comes late is kept from then on, as long as after its acceptance, unless a later one came")
    func late() throws {
        var channels = BroadcastChannels(seed: 1)
        let id = try channels.create(.mostRecent, for: Self.app, at: Self.now).id
        let sent = try broadcast(1, to: id)
        let place = channels.countBroadcast(to: id)
        let comes = Self.now.advanced(by: .seconds(60))
        func keep(at now: Instant) -> BroadcastChannel.StoredMessage? {
            channels.keep(sent, in: id, place: place, expiration: Self.later, acceptedAt: Self.now, at: now).stored
        }
        var other = channels
        #expect(keep(at: comes)?.expiresAt == Self.now.advanced(by: .seconds(3600)))
        _ = other.take(try broadcast(2, to: id), .once, at: Self.now)
        swap(&channels, &other)
        #expect(keep(at: comes) == nil, "a later one came, although it is not stored")
        swap(&channels, &other)
        #expect(keep(at: comes) == nil, "it is kept already")
    }

    @Test("a broadcast that comes when it would have expired is not kept")
    func tooLate() throws {
        var channels = BroadcastChannels(seed: 1)
        let id = try channels.create(.mostRecent, for: Self.app, at: Self.now).id
        let place = channels.countBroadcast(to: id)
        let end = Self.now.advanced(by: .seconds(3600))
        let kept = channels.keep(
            try broadcast(1, to: id), in: id, place: place, expiration: Self.later, acceptedAt: Self.now, at: end)
        #expect(kept.stored == nil && channels.channel(id)?.stored(at: Self.now) == nil)
    }

    @Test("a described channel's errors name the member and what was expected")
    func specification() throws {
        let good = try ChannelSpecification(json: ["bundleId": "com.example.app"])
        #expect((good.id, good.owner, good.policy) == (nil, Self.app, .none))
        for (json, field) in [
            ([:], "/bundleId"), (["bundleId": ""], "/bundleId"), (["bundleId": "com.example.app.voip"], "/bundleId"),
            (["bundleId": "a b"], "/bundleId"), (["bundleId": "a", "id": "x"], "/id"),
            (["bundleId": "a", "id": .string(MagicTokens.channel(for: .badPath).text)], "/id"),
            (["bundleId": "a", "messageStoragePolicy": 2], "/messageStoragePolicy"),
            (["bundleId": "a", "environment": "test"], "/environment"), (["bundleId": "a", "name": "x"], "/name"),
        ] as [(JSONValue, String)] {
            let error = #expect(throws: InputError.self) { try ChannelSpecification(json: json) }
            #expect(error?.field == field, "\(json.encodedText)")
        }
    }
}

extension BroadcastChannels {
    /// Counts a broadcast, and keeps it if its channel does.
    fileprivate mutating func take(
        _ broadcast: Broadcast, _ expiration: Expiration, at now: Instant
    ) -> (stored: BroadcastChannel.StoredMessage?, replaced: BroadcastChannel.StoredMessage?) {
        guard let id = ChannelID(broadcast.channel) else { return (nil, nil) }
        let place = countBroadcast(to: id)
        return keep(broadcast, in: id, place: place, expiration: expiration, acceptedAt: now, at: now)
    }
}
