import Mynah
import MynahTesting
import Newsletter
import Testing

@Suite(.mynah)
struct NewsletterTests {
    /// A newsletter that pushes to the test's server.
    private func newsletter(for phones: SimulatedDevice...) throws -> Newsletter {
        let apns = try MynahScope.current
        let client = APNsClient(host: apns.host, port: apns.port, trustRoots: apns.trustRoots.pem) {
            try apns.providerToken()
        }
        return Newsletter(client, subscribers: try phones.map { try $0.token.hex })
    }

    @Test func everySubscriberSeesTheNews() async throws {
        let apns = try MynahScope.current
        let kim = try await apns.addDevice(app: "com.example.news")
        let lee = try await apns.addDevice(app: "com.example.news")

        try await newsletter(for: kim, lee).publish("It rains")

        try await apns.expect(.topic("com.example.news"), .payload("/aps/alert/title", "It rains"), .shown(), count: 2)
        #expect(try await kim.screen().notifications.map(\.title) == ["It rains"])
        #expect(try await lee.screen().badges == ["com.example.news": 1])
    }

    @Test func publishRetriesWhenTheServiceIsBusy() async throws {
        let apns = try MynahScope.current
        let kim = try await apns.addDevice(app: "com.example.news")
        let fault = try await apns.addFault(Fault(.respond(.serviceUnavailable), times: 2))

        try await newsletter(for: kim).publish("It pours")

        try await apns.expectInOrder([.fault(fault), .status(503)], [.fault(fault)], [.outcome(.delivered)])
        #expect(try await kim.inbox().count == 1)
    }

    @Test func subscribersWhoUninstallTheAppAreForgotten() async throws {
        let apns = try MynahScope.current
        let kim = try await apns.addDevice(app: "com.example.news")
        let newsletter = try newsletter(for: kim)
        try await kim.uninstall("com.example.news")

        try await newsletter.publish("The sun shines")
        try await newsletter.publish("It rains again")

        try await apns.expect(count: 1, settle: .milliseconds(50))
        try await apns.expect(.reason(.unregistered), .token(kim.token))
        #expect(await newsletter.subscribers.isEmpty)
    }

    @Test func anOfflinePhoneGetsTheLatestNewsOnly() async throws {
        let apns = try MynahScope.current
        let kim = try await apns.addDevice(app: "com.example.news", isOnline: false)
        let newsletter = try newsletter(for: kim)

        try await newsletter.publish("It rains")
        try await newsletter.publish("It pours")
        try await apns.advanceClock(by: .seconds(3600))
        try await kim.goOnline()

        try await apns.expect(.outcome(.delivered), .text("It pours"), count: 1)
        try await apns.expect(.outcome(.discarded), .text("It rains"), count: 1)
    }

    @Test func everybodyWhoFollowsTheMatchSeesTheScore() async throws {
        let apns = try MynahScope.current
        let match = try await apns.server.createChannel("com.example.news")
        let kim = try await apns.addDevice(app: "com.example.news")
        try await kim.startActivity("Match", of: "com.example.news.push-type.liveactivity", pushType: .channel(match))

        #expect(try await newsletter().report(score: "1:0", on: match.id.text))

        let broadcasts = try await apns.server.expect(.channel(match), .outcome(.delivered), count: 1)
        #expect(broadcasts.map(\.deviceCount) == [1])
        #expect(try await kim.screen().activities.map(\.contentState) == [["score": "1:0"]])
    }
}

@Test func aServerCanBeStartedByHand() async throws {
    let apns = try await MynahServer.start(.embedded { $0.devices = .strict })
    let client = APNsClient(host: apns.host, port: apns.port, trustRoots: apns.trustRoots.pem) {
        try apns.providerToken()
    }
    let unknown = String(repeating: "ab", count: 32)

    try await Newsletter(client, subscribers: [unknown]).publish("Nobody reads this")

    try await apns.expect(.reason(.badDeviceToken), count: 1)
    try await apns.stop()
}
