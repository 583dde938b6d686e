import APNsRules
import Mynah
import MynahTestSupport
import MynahTesting
import Testing

@Suite("Broadcast channels and the Live Activities of many devices, as a test sees them", .mynah)
struct ChannelTests {
    private static let bundleID = "com.example.app"
    private static let topic = bundleID + ".push-type.liveactivity"

    private func game(following channel: ChannelView) -> NewActivity {
        NewActivity("Game", of: Self.topic, contentState: ["score": 0], pushType: .channel(channel))
    }

    @Test("a broadcast reaches the activities that follow its channel, and is expected and read as a push")
    func broadcast() async throws {
        let apns = try MynahScope.current
        let channel = try await apns.server.createChannel(Self.bundleID)
        let kim = try await apns.addDevice(app: .init(Self.bundleID))
        let activity = try await kim.startActivity(game(following: channel))
        #expect(activity.channel == channel.id.text)
        try await apns.addDevice(app: .init(Self.bundleID)).startActivity(
            "Game", of: Self.topic, pushType: .channel(channel.id))
        #expect(try apns.server.channel(channel.id).followerCount == 2)

        // It is still to come when the test begins to wait.
        async let expected = apns.server.expect(
            .channel(channel), .outcome(.delivered), count: 1, within: Patience.duration)
        #expect(try await apns.broadcast(["score": 7], to: channel.id).status == 200)

        let push = try #require(try await expected.first)
        #expect(push.isBroadcast)
        #expect(push.channel == channel.id.text)
        #expect(push.deviceCount == 2)
        #expect(push.topic == Self.bundleID)
        #expect(push.description.hasSuffix("200 delivered, com.example.app, channel \(channel.id.text)"))
        #expect(try await kim.activities().map(\.contentState) == [["score": 7]])
        #expect(try await kim.inbox().map(\.sequence) == [push.sequence])
        #expect(try await apns.server.pushes(.channel(.equal(.string(channel.id.text)))).count == 1)
        #expect(try await apns.server.pushes(!.channel(channel)).allSatisfy { $0.sequence != push.sequence })
        let seen = try apns.server.channel(channel.id)
        #expect((seen.broadcastCount, seen.storedUntil) == (1, nil))
    }

    @Test("a broadcast is of no scope, and an expectation of a scope says so")
    func scope() async throws {
        let apns = try MynahScope.current
        let channel = try await apns.server.createChannel(Self.bundleID)
        try await apns.broadcast(["score": 1], to: channel.id)
        let impossible = await #expect(throws: MynahError.self) {
            try await apns.expect(.channel(channel), within: .milliseconds(10))
        }
        #expect(impossible?.description.contains("a broadcast has no scope") == true)
        let refused = await #expect(throws: MynahError.self) {
            try await apns.addFault(Fault(.lose, matching: .channel(channel)))
        }
        #expect(refused?.description.contains("a broadcast belongs to no scope") == true)
        try await apns.addFault(Fault(.lose, matching: !.channel(channel)))
    }

    @Test("a channel is created as asked, listed, and deleted")
    func lifeOfAChannel() async throws {
        let server = try MynahScope.current.server
        let id = try #require(ChannelID("tvI2UK0vEfEAAA6GFnjo2Q=="))
        let bundleID = "com.example.life-of-a-channel"
        let storing = try await server.createChannel(
            bundleID, environment: .production, messageStoragePolicy: .mostRecent, id: id)
        #expect(storing.id == id)
        #expect(storing.messageStoragePolicy == .mostRecent)
        #expect(storing.document["createdAt"]?.string == storing.createdAt.rfc3339)
        let other = try await server.createChannel(bundleID)
        #expect((other.environment, other.messageStoragePolicy) == (.sandbox, .none))
        #expect(server.channels(of: bundleID).map(\.id) == [id, other.id])
        #expect(server.channels(of: bundleID, in: .production).map(\.description) == ["\(storing)"])
        #expect(try await server.broadcast([:], to: id, of: bundleID) == (400, "BadChannelId"), "of production")

        #expect(try await server.deleteChannel(other.id).id == other.id)
        #expect(try await server.broadcast([:], to: other.id, of: bundleID) == (400, "ChannelNotRegistered"))
        try await server.deleteChannel(id)
        #expect(server.channels(of: bundleID).isEmpty)
    }

    @Test("a channel keeps its message for a device that follows it later")
    func storedMessage() async throws {
        let apns = try MynahScope.current
        let channel = try await apns.server.createChannel(Self.bundleID, messageStoragePolicy: .mostRecent)
        let hour = String(apns.server.now.milliseconds / 1000 + 3600)
        try await apns.broadcast(["score": 3], to: channel.id, expiration: hour)
        let stored = try #require(try apns.server.channel(channel.id).storedUntil)
        #expect(stored.milliseconds == Int64(hour).map { $0 * 1000 })
        let kim = try await apns.addDevice(app: .init(Self.bundleID))
        try await kim.startActivity(game(following: channel))
        #expect(try await kim.activities().first?.contentState == ["score": 3])
    }

    @Test("what no channel can be is an error that says what is expected")
    func badChannels() async throws {
        let server = try MynahScope.current.server
        let gone = try await server.createChannel(Self.bundleID)
        try await server.deleteChannel(gone.id)
        func expect(_ code: MynahError.Code, _ mentions: String, _ body: () async throws -> Void) async {
            let error = await #expect(throws: MynahError.self) { try await body() }
            #expect(error?.code == code)
            #expect(error?.description.contains(mentions) == true, "\(error?.description ?? "")")
        }
        await expect(.invalid, "a bundle ID like com.example.app") {
            _ = try await server.createChannel(Self.bundleID + ".voip")
        }
        await expect(.conflict, "never used") { _ = try await server.createChannel(Self.bundleID, id: gone.id) }
        await expect(.notFound, "no channel \(gone.id.text)") { _ = try server.channel(gone.id) }
        await expect(.notFound, "no channel \(gone.id.text)") { try await server.deleteChannel(gone.id) }
    }

    @Test("activities of many devices are started and dismissed by filters, in a scope on its own devices only")
    func manyActivities() async throws {
        let apns = try MynahScope.current
        let channel = try await apns.server.createChannel(Self.bundleID)
        let stranger = try await apns.server.addDevice(app: .init(Self.bundleID))
        var devices: [SimulatedDevice] = []
        for user in ["kim", "kim", "lee"] {
            var device = NewDevice(apps: [.init(Self.bundleID)])
            device.user = user
            devices.append(try await apns.addDevice(device))
        }
        try await apns.addDevice(app: "com.example.other")

        let started = try await apns.startActivities(game(following: channel))
        #expect((started.count, started.refusedCount) == (3, 1))
        #expect(
            started.refusals.first?.reason.contains("has no app com.example.app in sandbox") == true,
            "\(started.refusals)")
        #expect(try await stranger.activities().isEmpty)
        var ride = NewActivity("Ride", of: Self.topic)
        ride.relevanceScore = 2
        ride.staleDate = apns.now.advanced(by: .seconds(60))
        #expect(try await apns.startActivities(ride, on: .user("kim"), !.device(devices[0])).count == 1)
        let first = try #require(try await devices[1].screen().activities.first)
        #expect((first.attributesType, first.document["relevanceScore"]) == ("Ride", 2))

        #expect(try await apns.dismissActivities(.channel(channel), on: .user("lee")) == 1)
        #expect(try apns.server.channel(channel.id).followerCount == 2)
        #expect(try await apns.dismissActivities(.channel(nil), .attributesType("Ride", "Walk")) == 1)
        #expect(try await apns.dismissActivities(!.channel(channel)) == 0)
        #expect(try await apns.dismissActivities() == 2)
        #expect(try apns.server.channel(channel.id).followerCount == 0)
        try await stranger.remove()
    }

    @Test(
        "a filter of devices selects the one that it means, and its opposite does not",
        arguments: [
            .user("lee", "kim"), .topic(bundleID), .environment(.production), .platform(.iPadOS), .state(\.power, .low),
            .state(\.isOnline, false), .named(),
        ] as [SimulatedDevice.Filter])
    func deviceFilters(filter: SimulatedDevice.Filter) async throws {
        let apns = try MynahScope.current
        var tablet = NewDevice(apps: [.init(Self.bundleID)], environment: .production)
        tablet.user = "kim"
        tablet.platform = .iPadOS
        tablet.power = .low
        let device = try await apns.addDevice(tablet)
        try await device.goOffline()
        let game = NewActivity("Game", of: Self.topic)
        #expect(try await apns.startActivities(game, on: filter).count == 1)
        #expect(try await apns.startActivities(game, on: !filter).count == 0)
        #expect(try await apns.startActivities(game, on: !(!filter), .device(device)).count == 1)
        #expect(try await apns.startActivities(game, on: .device(device.id), .token(try device.token)).count == 1)
        #expect(try await apns.dismissActivities(on: filter) == 3)
    }

    @Test("filters that would mean more than they say are errors")
    func badFilters() async throws {
        let apns = try MynahScope.current
        func expectInvalid(_ mentions: String, _ body: () async throws -> Void) async {
            let error = await #expect(throws: MynahError.self) { try await body() }
            #expect(error?.code == .invalid)
            #expect(error?.description.contains(mentions) == true, "\(error?.description ?? "")")
        }
        await expectInvalid("user is given twice: expected all values at once") {
            try await apns.dismissActivities(on: .user("kim"), .user("lee"))
        }
        await expectInvalid("scope is given twice") { try await apns.dismissActivities(on: .scope("another")) }
        await expectInvalid("topic has no value: expected at least one") {
            try await apns.dismissActivities(on: .topic())
        }
        await expectInvalid("attributesType has no value") { try await apns.dismissActivities(.attributesType()) }
        var game = NewActivity("Game", of: Self.topic)
        game.relevanceScore = .infinity
        await expectInvalid("relevanceScore is inf: expected a finite number") { try await apns.startActivities(game) }
        await expectInvalid("expected com.example.app.push-type.liveactivity") {
            try await apns.startActivities(NewActivity("Game", of: Self.bundleID))
        }
    }
}
