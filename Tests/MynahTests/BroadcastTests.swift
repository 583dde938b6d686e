import APNsRules
import MynahComparison
import MynahCore
import MynahTestSupport
import NIOHTTP1
import Testing

@testable import Mynah

/// Broadcasts to a server in this process, and the Live Activities that follow their channels.
struct BroadcastTests {
    private static let channel = "tvI2UK0vEfEAAA6GFnjo2Q=="
    private static let topic = "com.example.app.push-type.liveactivity"

    /// Calls `body` with a server that has the channel, and with a function that sends a broadcast of a score.
    private func withServer(
        storing policy: Int64 = 0, _ settings: Settings = Settings(),
        _ body:
            @escaping (Server, _ send: (_ score: Int64, _ expiration: String) async throws -> Int) async throws ->
            Void
    ) async throws {
        try await ServerInABox.with(settings) { box in
            _ = try await box.server.createChannel(
                ChannelSpecification(json: [
                    "id": .string(Self.channel), "bundleId": "com.example.app", "messageStoragePolicy": .whole(policy),
                ]))
            let authorization = try box.authorization(
                of: FixtureCase.all().first { $0.file == "broadcast-accepted" }?.step.request.credential ?? .none,
                at: RuleWorld.start)
            try await HTTP1Connection.with(port: try #require(box.server.cleartextPort)) { send in
                try await body(box.server) { score, expiration in
                    let payload: JSONValue = [
                        "aps": [
                            "event": "update", "timestamp": .whole(RuleWorld.start.milliseconds / 1000 + score),
                            "content-state": ["score": .whole(score)],
                        ]
                    ]
                    let bytes = payload.encoded
                    let head = HTTPRequestHead(
                        version: .http1_1, method: .POST, uri: "/4/broadcasts/apps/com.example.app",
                        headers: [
                            "host": "localhost", "authorization": authorization ?? "",
                            "apns-channel-id": Self.channel, "apns-push-type": "liveactivity",
                            "apns-expiration": expiration, "content-length": String(bytes.count),
                        ])
                    return try await send(head, bytes).status
                }
            }
        }
    }

    /// Makes a device whose activity follows the channel.
    private func follow(_ id: String, on server: Server, online: Bool = true, topic: String = topic) async throws {
        _ = try await server.createDevices([
            DeviceSpecification(json: [
                "id": .string(id), "registrations": [["topic": .string(topic)]],
            ])
        ])
        _ = try await server.startActivity(
            on: id,
            ActivitySpecification(json: [
                "topic": .string(topic), "attributesType": "Game", "contentState": ["score": 0],
                "pushType": ["channel": .string(Self.channel)],
            ]))
        if !online { _ = try await server.changeDevice(id, DevicePatch(json: ["online": false])) }
    }

    @Test("activities that are started on many devices get the message that their channel keeps")
    func manyCatchUp() async throws {
        try await withServer(storing: 1) { server, send in
            for id in ["lee-phone", "kim-phone"] { try await follow(id, on: server) }
            for id in ["lee-phone", "kim-phone"] { try await server.dismissActivity(1, of: id) }
            #expect(try await send(7, "2147483647") == 200)
            let changes = try await server.startActivities(
                where: DeviceFilter(),
                ActivitySpecification(json: [
                    "topic": .string(Self.topic), "attributesType": "Game", "contentState": ["score": 0],
                    "pushType": ["channel": .string(Self.channel)],
                ]))
            #expect(changes.places.count == 2)
            for id in ["lee-phone", "kim-phone"] { #expect(try await score(id, on: server) == 7) }
            let push = await lastPush(server)
            #expect(push?["outcome"] == "delivered", "\(push?.encodedText ?? "")")
        }
    }

    private func score(_ id: String, on server: Server) async throws -> Int64? {
        try await server.activities(of: id).first?.json["contentState"]?["score"]?.integer
    }

    private func pushes(_ server: Server) async -> [JSONValue] {
        _ = await server.journal.settled()
        return server.journal.read { $0.entries(after: 0, limit: 1000).entries }.map { PushView($0).json }
    }

    private func lastPush(_ server: Server) async -> JSONValue? { await pushes(server).last }

    @Test("a broadcast updates the activities that follow its channel, and is one push in the journal")
    func followers() async throws {
        try await withServer { server, send in
            for id in ["phone", "tablet"] { try await follow(id, on: server) }
            try await follow("other", on: server, topic: "com.example.other.push-type.liveactivity")
            #expect(try await send(3, "0") == 200)
            #expect(try await score("phone", on: server) == 3)
            #expect(try await score("tablet", on: server) == 3)
            #expect(try await score("other", on: server) == 0, "another app's activity")
            let push = await lastPush(server)
            #expect(push?["outcome"] == "delivered")
            #expect(push?["devices"] == 2)
            #expect(push?["channel"]?.string == Self.channel)
            #expect(push?["topic"] == "com.example.app")
            #expect(server.journal.read { $0.counters.received } == 1)
            let inbox = try await server.inbox(of: "phone").items
            #expect(inbox.last.map { JSONValue.whole($0.sequence) } == push?["sequence"])
            #expect(server.channels().first?.followerCount == 3)
        }
    }

    @Test("a device that is offline misses what its channel doesn't store")
    func offline() async throws {
        try await withServer { server, send in
            try await follow("phone", on: server, online: false)
            #expect(try await send(3, "0") == 200)
            let push = await lastPush(server)
            #expect(push?["outcome"] == "discarded")
            #expect(push?["devices"] == 0)
            _ = try await server.changeDevice("phone", DevicePatch(json: ["online": true]))
            #expect(try await score("phone", on: server) == 0)
        }
    }

    @Test("a device that comes online, and one that begins to follow, get the most recent message that is stored")
    func storedMessage() async throws {
        let later = String(RuleWorld.start.milliseconds / 1000 + 3600)
        try await withServer(storing: 1) { server, send in
            try await follow("phone", on: server, online: false)
            #expect(try await send(3, later) == 200)
            #expect(await lastPush(server)?["outcome"] == "stored")
            #expect(try await send(4, later) == 200)
            _ = await server.journal.settled()
            let first = server.journal.read { $0.entries(after: 0, limit: 1000).entries }.first
            #expect(first.map { PushView($0).json["outcome"] } == "coalesced")
            _ = try await server.changeDevice("phone", DevicePatch(json: ["online": true]))
            #expect(try await score("phone", on: server) == 4)
            try await follow("tablet", on: server)
            #expect(try await score("tablet", on: server) == 4)
            let push = await lastPush(server)
            #expect(push?["outcome"] == "delivered")
            #expect(push?["devices"] == 2)
            // Neither gets it twice.
            for online in [false, true] {
                _ = try await server.changeDevice("phone", DevicePatch(json: ["online": .bool(online)]))
            }
            #expect(await lastPush(server)?["devices"] == 2)
            #expect(try await server.activities(of: "phone").first?.json["history"]?.array?.count == 2)
        }
    }

    @Test("a message that a channel keeps outlives its deletion until it expires")
    func deletedChannel() async throws {
        try await withServer(storing: 1) { server, send in
            for id in ["phone", "tablet"] { try await follow(id, on: server, online: false) }
            let end = RuleWorld.start.advanced(by: .seconds(60))
            #expect(try await send(3, String(end.milliseconds / 1000)) == 200)
            #expect(try await server.removeChannel(try #require(ChannelID(Self.channel)))?.storedUntil == end)
            #expect(try await send(4, "0") == 400)
            _ = try await server.changeDevice("phone", DevicePatch(json: ["online": true]))
            #expect(try await score("phone", on: server) == 3)
            let delivered = try #require(await pushes(server).first)
            #expect(delivered["outcome"] == "delivered" && delivered["devices"] == 1)
            try await server.setClock(try ServerInABox.frozen(at: end.advanced(by: .seconds(1))))
            _ = try await server.changeDevice("tablet", DevicePatch(json: ["online": true]))
            #expect(try await score("tablet", on: server) == 0)
        }
    }

    @Test("a message that a deleted channel keeps expires if no device has come")
    func expirationAfterDeletion() async throws {
        try await withServer(storing: 1) { server, send in
            try await follow("phone", on: server, online: false)
            let end = RuleWorld.start.advanced(by: .seconds(60))
            #expect(try await send(3, String(end.milliseconds / 1000)) == 200)
            _ = try await server.removeChannel(try #require(ChannelID(Self.channel)))
            try await server.setClock(try ServerInABox.frozen(at: end.advanced(by: .seconds(1))))
            #expect(await lastPush(server)?["outcome"] == "expired")
        }
    }

    @Test("what channels keep is discarded when all are forgotten, also of deleted ones", arguments: [false, true])
    func forgottenChannels(isDeletedBefore: Bool) async throws {
        try await withServer(storing: 1) { server, send in
            try await follow("phone", on: server, online: false)
            #expect(try await send(3, "2147483647") == 200)
            if isDeletedBefore { _ = try await server.removeChannel(try #require(ChannelID(Self.channel))) }
            #expect(try await server.forgetChannels() == (isDeletedBefore ? 0 : 1))
            let push = await lastPush(server)
            #expect(push?["outcome"] == "discarded")
            #expect(push?["timeline"]?.array?.last?["detail"] == "its channel was removed")
            _ = try await server.changeDevice("phone", DevicePatch(json: ["online": true]))
            #expect(try await score("phone", on: server) == 0)
        }
    }

    @Test("a stored message expires by its expiration, as of that time")
    func expiration() async throws {
        try await withServer(storing: 1) { server, send in
            try await follow("phone", on: server, online: false)
            let end = RuleWorld.start.advanced(by: .seconds(60))
            #expect(try await send(3, String(end.milliseconds / 1000)) == 200)
            try await server.setClock(try ServerInABox.frozen(at: end.advanced(by: .seconds(1))))
            let push = await lastPush(server)
            #expect(push?["outcome"] == "expired")
            #expect(push?["timeline"]?.array?.last?["at"]?.string == end.rfc3339)
            _ = try await server.changeDevice("phone", DevicePatch(json: ["online": true]))
            #expect(try await score("phone", on: server) == 0)
        }
    }

    @Test("a broadcast to many followers is answered when all have it")
    func manyFollowers() async throws {
        try await withServer { server, send in
            for number in 0..<300 { try await follow("phone-\(number)", on: server) }
            #expect(try await send(3, "0") == 200)
            let push = await lastPush(server)
            #expect(push?["outcome"] == "delivered")
            #expect(push?["devices"] == 300)
            for number in [0, 150, 299] { #expect(try await score("phone-\(number)", on: server) == 3) }
        }
    }

    @Test("a broadcast that is older than the last one leaves activities as they are, and says why")
    func older() async throws {
        try await withServer { server, send in
            try await follow("phone", on: server)
            #expect(try await send(5, "0") == 200)
            #expect(try await send(4, "0") == 200, "its timestamp is older")
            let push = await lastPush(server)
            #expect(push?["outcome"] == "discarded")
            #expect(push?["timeline"]?.array?.last?["detail"] == "no activity of a device that is online took it")
            #expect(try await score("phone", on: server) == 5)
        }
    }

    @Test("a fault rule matches a broadcast by its channel, and one that loses it keeps it from devices")
    func faults() async throws {
        try await withServer { server, send in
            try await follow("phone", on: server)
            let draft = try FaultDraft(json: [
                "match": ["channel": .string(Self.channel), "topic": "com.example.app", "pushType": "liveactivity"],
                "actions": [["type": "respond", "reason": "BadRequestPayload"], ["type": "lose"]],
            ])
            _ = try await server.addFaults([draft], pointers: [""])
            #expect(try await send(1, "0") == 400)
            #expect(await lastPush(server)?["reason"] == "BadRequestPayload")
            #expect(try await send(2, "0") == 200)
            #expect(await lastPush(server)?["outcome"] == "lost")
            #expect(try await score("phone", on: server) == 0)
        }
    }

    @Test(
        "a fault rule answers a broadcast with a reason of broadcasts, and no device gets it",
        arguments: [
            ("BroadcastFeatureNotEnabled", 400), ("MissingChannelId", 400), ("BadChannelId", 400),
            ("ChannelNotRegistered", 400),
            ("BadRequestParams", 400), ("BadRequestPayload", 400), ("MissingPushType", 400),
            ("CannotCreateChannelConfig", 400), ("TopicMismatch", 403),
        ])
    func reasons(reason: String, status: Int) async throws {
        try await withServer { server, send in
            try await follow("phone", on: server)
            _ = try await server.addFaults(
                [FaultDraft(json: ["action": ["type": "respond", "reason": .string(reason)]])], pointers: [""])
            #expect(try await send(1, "0") == status)
            #expect(await lastPush(server)?["reason"]?.string == reason)
            #expect(try await score("phone", on: server) == 0)
        }
    }

    @Test(
        "a stored broadcast is counted once however many devices get it, and not again when it is replaced or expires")
    func counts() async throws {
        let later = String(RuleWorld.start.milliseconds / 1000 + 3600)
        try await withServer(storing: 1) { server, send in
            for id in ["phone", "tablet"] { try await follow(id, on: server, online: false) }
            #expect(try await send(1, later) == 200)
            for id in ["phone", "tablet"] { _ = try await server.changeDevice(id, DevicePatch(json: ["online": true])) }
            var counts = try await server.counts().answers
            #expect((counts.count(of: .stored), counts.count(of: .delivered)) == (1, 1))
            #expect((counts.broadcasts.count(of: .stored), counts.broadcasts.count(of: .delivered)) == (1, 1))
            #expect(counts.broadcasts.deliveries == 2)
            #expect(try await send(2, later) == 200)
            try await server.setClock(
                try ServerInABox.frozen(at: RuleWorld.start.advanced(by: .seconds(7200))))
            _ = await server.journal.settled()
            counts = try await server.counts().answers
            #expect((counts.count(of: .coalesced), counts.count(of: .expired)) == (0, 0))
            #expect((counts.broadcasts.count(of: .delivered), counts.broadcasts.deliveries) == (2, 4))
        }
    }

    @Test("a broadcast that a fault duplicates changes each activity again, and counts each device once")
    func duplicate() async throws {
        try await withServer { server, send in
            try await follow("phone", on: server)
            try await follow("offline", on: server, online: false)
            _ = try await server.addFaults(
                [FaultDraft(json: ["action": ["type": "duplicate", "times": 3]])], pointers: [""])
            #expect(try await send(2, "0") == 200)
            let push = await lastPush(server)
            #expect((push?["outcome"], push?["devices"]) == ("delivered", 1))
            let inbox = try await server.inbox(of: "phone").items.map { JSONValue.whole($0.sequence) }
            #expect(inbox == Array(repeating: push?["sequence"], count: 3))
            #expect(try await server.inbox(of: "offline").items.isEmpty)
            #expect(try await score("phone", on: server) == 2)
            let counts = try await server.counts().answers.broadcasts
            #expect((counts.count(of: .delivered), counts.deliveries) == (1, 1))
        }
    }

    @Test("a broadcast that a fault delivers late is kept by its channel from then on, for devices that come later")
    func late() async throws {
        let later = String(RuleWorld.start.milliseconds / 1000 + 3600)
        try await withServer(storing: 1) { server, send in
            try await follow("offline", on: server, online: false)
            _ = try await server.addFaults(
                [FaultDraft(json: ["action": ["type": "deliverLate", "by": "5m"], "times": 1])], pointers: [""])
            #expect(try await send(2, later) == 200)
            #expect(await lastPush(server)?["outcome"] == "deferred")
            #expect(server.channels().first?.storedUntil == nil)
            #expect(server.channels().first?.channel.broadcastCount == 1)
            try await server.setClock(try ServerInABox.frozen(at: RuleWorld.start.advanced(by: .seconds(300))))
            var push = await lastPush(server)
            #expect((push?["outcome"], push?["devices"]) == ("stored", 0))
            #expect(
                server.channels().first?.storedUntil == RuleWorld.start.advanced(by: .seconds(3600)),
                "its expiration counts from its acceptance")
            _ = try await server.changeDevice("offline", DevicePatch(json: ["online": true]))
            try await follow("new", on: server)
            for id in ["offline", "new"] { #expect(try await score(id, on: server) == 2) }
            push = await lastPush(server)
            #expect((push?["outcome"], push?["devices"]) == ("delivered", 2))
            let counts = try await server.counts().answers.broadcasts
            let counted = [Outcome.deferred, .stored, .delivered].map { counts.count(of: $0) }
            #expect(counted == [1, 1, 1])
            #expect(counts.deliveries == 2)
        }
    }

    @Test("a late broadcast does not replace one that its channel accepted after it")
    func lateAfterNewer() async throws {
        let later = String(RuleWorld.start.milliseconds / 1000 + 3600)
        try await withServer(storing: 1) { server, send in
            _ = try await server.addFaults(
                [FaultDraft(json: ["action": ["type": "deliverLate", "by": "5m"], "times": 1])], pointers: [""])
            #expect(try await send(1, later) == 200)
            #expect(try await send(2, later) == 200)
            try await server.setClock(try ServerInABox.frozen(at: RuleWorld.start.advanced(by: .seconds(300))))
            _ = await server.journal.settled()
            let pushes = server.journal.read { $0.entries(after: 0, limit: 10).entries }.map { PushView($0).json }
            #expect(pushes.map { $0["outcome"] } == ["discarded", "stored"])
            try await follow("new", on: server)
            #expect(try await score("new", on: server) == 2)
        }
    }

    @Test("a device has a broadcast once, and is counted once, however many of its activities follow the channel")
    func twoActivities() async throws {
        try await withServer(storing: 1) { server, send in
            try await follow("phone", on: server)
            let start = try ActivitySpecification(json: [
                "topic": .string(Self.topic), "attributesType": "Game", "contentState": ["score": 0],
                "pushType": ["channel": .string(Self.channel)],
            ])
            _ = try await server.startActivity(on: "phone", start)
            #expect(try await send(2, "2147483647") == 200)
            _ = try await server.startActivity(on: "phone", start)
            let scores = try await server.activities(of: "phone").map { $0.json["contentState"]?["score"] }
            #expect(scores == [2, 2, 2])
            #expect(await lastPush(server)?["devices"] == 1)
            #expect(try await server.inbox(of: "phone").items.count == 1)
            #expect(try await server.counts().answers.broadcasts.deliveries == 1)
        }
    }

    @Test("an activity whose history is from an export takes a broadcast with a number that the history has")
    func importedHistory() async throws {
        try await withServer { server, send in
            try await follow("phone", on: server)
            #expect(try await send(1, "0") == 200)
            let exported = try await server.device("phone").json
            let push = await lastPush(server)
            let number = push?["sequence"]?.integer ?? 0
            var members = exported.object ?? []
            members.removeAll { $0.name == "id" }
            // The next broadcast gets the number that is in the history of this device.
            let text = JSONValue.object(members + [JSONMember("id", "tablet")]).encodedText
                .replacing("\"sequence\":\(number)", with: "\"sequence\":\(server.journal.lastIssued + 2)")
            var document = try JSONValue(parsing: text).object ?? []
            document.removeAll { $0.name == "registrations" }
            _ = try await server.createDevices([
                DeviceSpecification(json: .object(document + [JSONMember("registrations", [])]))
            ])
            #expect(try await send(2, "0") == 200)
            #expect(try await score("tablet", on: server) == 2)
        }
    }

    @Test("a start that waited until its device was reached follows its channel from then on, and catches up")
    func storedStart() async throws {
        let later = String(RuleWorld.start.milliseconds / 1000 + 3600)
        try await withServer(storing: 1) { server, send in
            _ = try await server.createDevices([
                DeviceSpecification(json: ["id": "phone", "registrations": [["topic": .string(Self.topic)]]])
            ])
            let token = try #require(try await server.device("phone").registrations.first?.token)
            #expect(try await send(3, later) == 200)
            let start: JSONValue = [
                "aps": [
                    "event": "start", "timestamp": .whole(RuleWorld.start.milliseconds / 1000),
                    "attributes-type": "Game", "attributes": [:], "content-state": ["score": 0],
                    "input-push-channel": .string(Self.channel), "alert": ["title": "a", "body": "b"],
                ]
            ]
            var block = HeaderBlock()
            block.append("apns-topic", Self.topic)
            block.append("apns-push-type", "liveactivity")
            let sequence = server.journal.takeSequence()
            let decided = server.fleet.shards.accept(
                Push(
                    token: token, environment: .sandbox, id: NotificationID(generated: 1),
                    bytes: block.bytes + start.encoded, headerByteCount: block.bytes.count),
                at: server.now, clock: { _ in RuleWorld.start }, order: .hold(.seconds(60)), takeSequence: { sequence })
            if case .refused(let refusal, _) = decided { Issue.record("the start was refused: \(refusal.detail)") }
            server.journal.skip([sequence])
            try await server.setClock(try ServerInABox.frozen(at: RuleWorld.start.advanced(by: .seconds(60))))
            #expect(try await score("phone", on: server) == 3)
        }
    }

    @Test("10,000 channels of an app are listed with their followers, which no call counts channel by channel")
    func manyChannels() async throws {
        try await withServer { server, _ in
            try await follow("phone", on: server)
            for _ in 1..<Limits.channelsMax {
                _ = try await server.createChannel(ChannelSpecification(json: ["bundleId": "com.example.app"]))
            }
            let all = server.channels()
            #expect(all.count == Limits.channelsMax)
            #expect(all.map(\.followerCount) == [1] + Array(repeating: 0, count: Limits.channelsMax - 1))
            var pages: [ChannelID] = []
            while true {
                let past = pages.last.flatMap { server.channel($0)?.channel.number }
                let (page, matched) = server.channels(
                    ofApp: "com.example.app", in: nil, newestFirst: true, past: past, limit: 1000)
                #expect(matched == Limits.channelsMax)
                guard !page.isEmpty else { break }
                pages += page.map(\.channel.id)
            }
            #expect(pages == all.reversed().map(\.channel.id))
            #expect(
                server.channels(ofApp: "com.example.app", in: .production, newestFirst: false, past: nil, limit: 1)
                    .matched == 0)
            #expect(server.channelFollowerCount == 1)
        }
    }

    @Test("a reset removes the channels, and restores those of the start")
    func reset() async throws {
        try await ServerInABox.with { box in
            let specification = try ChannelSpecification(json: ["bundleId": "com.example.app"])
            try await box.server.load(channels: [specification])
            let kept = box.server.channels().map(\.channel.id)
            _ = try await box.server.createChannel(specification)
            let removed = try await box.server.reset([.channels])
            #expect(removed["channels"] == 2)
            #expect(box.server.channels().map(\.channel.id) == kept)
        }
    }
}
