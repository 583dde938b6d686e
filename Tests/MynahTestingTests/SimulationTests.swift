import APNsRules
import Mynah
import MynahCore
import MynahTestSupport
import MynahTesting
import Testing

@Suite("What a test sees, steers and breaks", .mynah(.embedded { $0.webPushPort = 0 }))
struct SimulationTests {
    private static let topic = "com.example.app"

    // MARK: Expectations

    @Test("an expectation that is not met says what came close")
    func unmetExpectation() async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: .init(Self.topic))
        try await apns.send(["aps": ["alert": "Hi", "badge": 2]], to: phone.token)
        let unmet = await #expect(throws: UnmetExpectation.self) {
            try await apns.expect(
                .topic(Self.topic), .payload("/aps/alert", "Hello"), .payload("/aps/badge", 3),
                within: .milliseconds(10))
        }
        let error = try #require(unmet)
        let lines = error.description.split(separator: "\n").map(String.init)
        #expect(lines.first == "unmet: 0 pushes matched; expected at least 1 within 10ms")
        #expect(lines.dropFirst().first?.hasPrefix("near miss: push ") == true)
        #expect(
            lines.dropFirst(2) == [
                #"  - /payload/aps/alert "Hello""#, #"  + /payload/aps/alert "Hi""#, "  - /payload/aps/badge 3",
                "  + /payload/aps/badge 2",
            ])
        #expect(error.nearMisses.first?.differences.map(\.field) == ["/payload/aps/alert", "/payload/aps/badge"])
        #expect(error.matching.isEmpty)
    }

    @Test("too many pushes are too many at once, and hints name the first of them")
    func tooMany() async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: .init(Self.topic))
        for _ in 1...2 { try await apns.send(to: phone.token) }
        let error = await #expect(throws: UnmetExpectation.self) {
            try await apns.expect(.topic(Self.topic), count: 1, within: Patience.duration)
        }
        #expect(error?.description.hasPrefix("unmet: 2 pushes matched") == true)
        #expect(error?.matching.count == 2)
        #expect(error?.hints.first?.contains("the first excess one") == true)
    }

    @Test("an expectation waits for what is still to come")
    func waitsForWhatIsToCome() async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: .init(Self.topic))
        async let pushes = apns.expect(.device(phone), count: .between(2, 3), within: Patience.duration)
        for _ in 1...2 { try await apns.send(to: phone.token) }
        #expect(try await pushes.count == 2)
        try await apns.expect(.text("nothing of the kind"), count: .none, settle: .milliseconds(10))
    }

    @Test("a web app subscribes with its key, and its subscription is what a browser hands out")
    func webApp() async throws {
        let apns = try MynahScope.current
        let origin = "https://shop.example"
        // The public key of RFC 8291 appendix A.
        let key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        let phone = try await apns.addDevice(
            NewDevice(apps: [.init(Self.topic), .web(origin, applicationServerKey: key, worker: .silent)]))
        let subscription = try phone.subscription(of: origin)
        #expect(subscription.endpoint.hasPrefix("https://"))
        #expect(subscription.document["endpoint"]?.string == subscription.endpoint)
        #expect([subscription.p256dh.count, subscription.auth.count] == [87, 22])
        #expect(subscription.document.object?.map(\.name) == ["endpoint", "expirationTime", "keys"])
        let app = phone.document["registrations"]?.array?.last
        #expect(app?["kind"] == "web" && app?["worker"] == "silent" && app?["applicationServerKey"] == .string(key))
        #expect(throws: MynahError.self) { try phone.subscription(of: Self.topic) }
        let refused = await #expect(throws: MynahError.self) {
            try await phone.install(.web("https://other.example", applicationServerKey: "B"))
        }
        #expect(refused?.field == "/applicationServerKey")
        try await phone.uninstall(origin)
        let without = try await phone.reload()
        #expect(throws: MynahError.self) { try without.subscription(of: origin) }
        try await phone.install(.web(origin, applicationServerKey: key))
        #expect(try await phone.reload().subscription(of: origin) != subscription)
    }

    @Test("a Live Activity is started by its app, updated by its token, and dismissed")
    func liveActivity() async throws {
        let apns = try MynahScope.current
        let topic = Self.topic + ".push-type.liveactivity"
        let phone = try await apns.addDevice(app: .init(Self.topic))
        let activity = try await phone.startActivity("Game", of: topic, contentState: ["score": 0])
        let update: JSONValue = ["event": "update", "timestamp": 1_795_262_400, "content-state": ["score": 1]]
        try await apns.send(["aps": update], to: try #require(activity.token), topic: topic)
        let shown = try #require(try await phone.screen().activities.first)
        #expect(shown.contentState == ["score": 1])
        #expect(shown.state == .active)
        let ended = try await phone.changeActivity(activity, ["state": "ended"])
        #expect(ended.state == .ended)
        try await phone.dismiss(activity)
        #expect(try await phone.activities().map(\.state) == [.dismissed])
        #expect(try await phone.screen().activities.isEmpty)
        let error = await #expect(throws: MynahError.self) { try await phone.dismiss(activity) }
        #expect(error?.description.contains("already dismissed") == true)
    }

    @Test("steps in order find one push each, and name the step that has none")
    func inOrder() async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: .init(Self.topic))
        for text in ["one", "two", "three"] { try await apns.send(["aps": ["alert": .string(text)]], to: phone.token) }
        let found = try await apns.expectInOrder([.text("one")], [.text("three"), .device(phone)])
        #expect(found.map { $0.payload?["aps"]?["alert"]?.string } == ["one", "three"])
        let error = await #expect(throws: UnmetExpectation.self) {
            try await apns.expectInOrder([.text("three")], [.text("one")], within: .milliseconds(10))
        }
        #expect(error?.description.contains("step 1 of inOrder has no push") == true)
    }

    @Test("what is asked wrongly is an error at once")
    func wrongQuestions() async throws {
        let apns = try MynahScope.current
        func expectInvalid(_ body: () async throws -> Void) async {
            let error = await #expect(throws: MynahError.self) { try await body() }
            #expect(error?.code == .invalid)
        }
        await expectInvalid { try await apns.expect(.query("topik:x")) }
        await expectInvalid { try await apns.expect(count: .between(2, 1)) }
        await expectInvalid { try await apns.expect(within: .seconds(3601)) }
        await expectInvalid { try await apns.expect(settle: .seconds(-1)) }
        await expectInvalid { try await apns.expect(!.query("a")) }
        await expectInvalid { try await apns.expectInOrder() }
        await expectInvalid { _ = try await apns.pushes(.header("x", .regex("("))) }
    }

    @Test(
        "a filter finds the push that it means, and its opposite does not",
        arguments: [
            .topic("com.example.app"), .topic(.prefix("com.")), .environment(.sandbox), .pushType(.alert, .voip),
            .priority(.powerConsiderate), .collapseID("c1"), .header("Apns-Priority", "5"),
            .header("apns-priority", .not(.equal("10"))), .payload("/aps/badge", 3),
            .payload("/aps/badge", .atLeast(2)), .payload("/aps/alert/title", .contains("lo")),
            .payload("/none", .exists(false)), .status(200), .outcome(.delivered, .stored), .shown(),
            .sounded(false),
            .screen("/title", "Hello"), .text("hello"),
        ] as [PushFilter])
    func filters(filter: PushFilter) async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: .init(Self.topic))
        let payload: JSONValue = ["aps": ["alert": ["title": "Hello", "body": "World"], "badge": 3]]
        try await apns.send(
            payload, to: phone.token, headers: [("apns-priority", "5"), ("apns-collapse-id", "c1")])
        #expect(try await apns.pushes(filter).count == 1)
        #expect(try await apns.pushes(!filter).isEmpty)
        #expect(try await apns.pushes(!(!filter)).count == 1)
    }

    @Test("a push tells what was sent, what was answered and what became of it")
    func receivedPush() async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: .init(Self.topic))
        let id = "123e4567-e89b-12d3-a456-42665544000A"
        try await apns.send(to: phone.token, headers: [("apns-id", id), ("apns-expiration", "0")])
        let push = try #require(try await apns.pushes(.payload(including: ["aps": ["alert": "hi"]])).first)
        #expect(push.apnsID.text == id)
        #expect(push.token == (try phone.token))
        #expect(push.device == phone.id)
        #expect(push.scope == apns.name)
        #expect(push.topic == Self.topic)
        #expect(push.keyID == apns.signingKey.keyID)
        #expect(push.teamID == apns.signingKey.teamID)
        #expect(push.expiration == .once)
        #expect(push.priority == .immediate)
        #expect(push.status == 200)
        #expect(push.reason == nil)
        #expect(push.outcome == .delivered)
        #expect(push.isShown)
        #expect(push.headers.first { $0.name == "apns-id" }?.value == id)
        #expect(push.body == Array(#"{"aps":{"alert":"hi"}}"#.utf8))
        #expect(push.document["sequence"]?.integer == Int64(push.sequence))
        #expect(try await apns.pushes(after: push.sequence).isEmpty)
        #expect(try await apns.pushes(.apnsID(push.apnsID), .connection(push.connection)).count == 1)
    }

    @Test("an outcome is final unless the push still waits for something")
    func outcomes() {
        #expect(Outcome.allCases.filter { !$0.isFinal } == [.pending, .stored, .deferred])
    }

    // MARK: Devices and time

    @Test("what is sent to a device without network arrives when it is back, unless it expires")
    func storage() async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: .init(Self.topic), isOnline: false)
        try await apns.freezeClock()
        try await apns.send(["aps": ["alert": "old"]], to: phone.token)
        try await apns.expect(.outcome(.stored), count: 1)
        #expect(try await phone.reload().storedCount == 1)
        try await phone.goOnline()
        #expect(try await phone.inbox().map { $0.push?.payload?["aps"]?["alert"] } == ["old"])

        try await phone.goOffline()
        let soon = apns.now.advanced(by: .seconds(60)).milliseconds / 1000
        try await apns.send(to: phone.token, headers: [("apns-expiration", "\(soon)")])
        #expect(try await apns.advanceClock(by: .seconds(120)).expired == 1)
        try await phone.goOnline()
        try await apns.expect(.outcome(.expired), count: 1)
        #expect(try await phone.inbox().count == 1)
        await #expect(throws: MynahError.self) { try await apns.advanceClock(by: .seconds(-1)) }
    }

    @Test("the user sees a notification and taps it")
    func screen() async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: .init(Self.topic))
        try await apns.send(["aps": ["alert": ["title": "Hello", "body": "World"], "badge": 3]], to: phone.token)
        let screen = try await phone.screen()
        #expect(screen.badges == [Self.topic: 3])
        let notification = try #require(screen.notifications.first)
        #expect(notification.title == "Hello")
        #expect(notification.body == "World")
        try await phone.act(on: notification)
        #expect(try await phone.screen().notifications.isEmpty)
    }

    @Test("the devices of a user are changed together, and a locked phone's alert is on its watch")
    func user() async throws {
        let apns = try MynahScope.current
        var new = NewDevice(apps: [.init(Self.topic)])
        new.user = "kim"
        new.further = ["watch": ["worn": true]]
        let phone = try await apns.addDevice(new)
        #expect(phone.user == "kim")
        #expect(try await apns.changeDevices(ofUser: "kim", ["locked": true]) == 1)
        #expect(try await apns.changeDevices(ofUser: "lee", ["locked": true]) == 0)
        try await apns.send(to: phone.token)
        #expect(try await phone.screen().notifications.map(\.isOnWatch) == [true])
        #expect(try await phone.screen().notifications.map(\.sender) == [nil])
    }

    @Test("apps set badges and remove notifications, and what was heard is known")
    func badgesAndSounds() async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: .init(Self.topic))
        try await apns.send(["aps": ["sound": "default", "badge": 3]], to: phone.token)
        for id in ["a", "b", "c"] {
            try await apns.send(to: phone.token, headers: [("apns-collapse-id", id)])
        }
        let heard = try await apns.expect(.sounded(), count: 1).first?.sequence
        let screen = try await phone.screen()
        #expect(screen.soundedSequences == [heard])
        #expect(screen.notifications.map(\.identifier) == ["c", "b", "a"])
        #expect(try await phone.clearNotifications(identifiers: ["a", "c", "d"]) == 2)
        #expect(try await phone.clearNotifications(identifiers: []) == 0)
        #expect(try await phone.clearNotifications(of: Self.topic) == 1)
        try await phone.setBadge(1, of: Self.topic)
        #expect(try await phone.screen().badges == [Self.topic: 1])
        try await phone.setBadge(0, of: Self.topic)
        #expect(try await phone.screen().badges.isEmpty)
        let error = await #expect(throws: MynahError.self) { try await phone.setBadge(1, of: "com.example.none") }
        #expect(error?.code == .invalid && error?.field == "/badges/com.example.none")
    }

    @Test("an app that is uninstalled is unregistered, and one that is installed again has another token")
    func uninstalled() async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: .init(Self.topic))
        let old = try phone.token
        try await phone.uninstall(Self.topic)
        #expect(try await apns.send(to: old) == 410)
        let push = try #require(try await apns.expect(.reason(.unregistered), count: 1).first)
        #expect(push.unregisteredAt != nil)
        let app = try await phone.install(.init(Self.topic))
        #expect(app.token != old)
        #expect(try await apns.send(to: try await phone.reload().token) == 200)
        let error = await #expect(throws: MynahError.self) { try await phone.uninstall("com.example.none") }
        #expect(error?.code == .notFound)
    }

    @Test(
        "a device that cannot be made names the field",
        arguments: [
            NewDevice("a/b"), NewDevice(apps: ["no topic"]), NewDevice(apps: [.init("a.b", setup: ["colour": "red"])]),
        ])
    func badDevice(_ device: NewDevice) async throws {
        let apns = try MynahScope.current
        let error = await #expect(throws: MynahError.self) { try await apns.addDevice(device) }
        #expect(error?.code == .invalid)
        #expect(error?.field?.hasPrefix("/") == true)
    }

    @Test("power holds a push back")
    func power() async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: .init(Self.topic))
        try await phone.set(\.power, to: .low)
        try await apns.send(to: phone.token, headers: [("apns-priority", "5")])
        try await apns.expect(.outcome(.deferred), count: 1)
        try await phone.set(\.power, to: .normal)
        try await apns.expect(.outcome(.delivered), count: 1)
    }

    // MARK: Faults

    @Test("faults answer in turn, count, and go")
    func faults() async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: .init(Self.topic))
        let fault = try await apns.addFault(
            Fault(
                .respond(.serviceUnavailable), .respond(.tooManyRequests, deliver: true), .pass,
                matching: .topic(Self.topic), .payload("/aps/alert", "hi"), then: .repeat, times: 5))
        var statuses: [Int] = []
        for _ in 1...6 { statuses.append(try await apns.send(to: phone.token)) }
        #expect(statuses == [503, 429, 200, 503, 429, 200])
        let counts = try #require(fault.counts)
        #expect((counts.matched, counts.fired, counts.remaining) == (6, 5, 0))
        #expect(try await apns.pushes(.fault(fault)).count == 5)
        #expect(try await phone.inbox().count == 4)
        #expect(apns.faults == [fault])
        #expect(try await fault.remove())
        #expect(try await fault.remove() == false)
        #expect(fault.counts == nil)
        #expect(await fault.waitUntilFired() == nil)
    }

    @Test("a push is removed alone")
    func removePush() async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: .init(Self.topic))
        for _ in 1...2 { #expect(try await apns.send(to: phone.token) == 200) }
        let pushes = try await apns.pushes()
        #expect(try await apns.removePush(pushes[0].sequence))
        #expect(try await !apns.removePush(pushes[0].sequence))
        #expect(try await apns.pushes().map(\.sequence) == [pushes[1].sequence])
    }

    @Test("presets and documents make faults, too")
    func presets() async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: .init(Self.topic))
        try await apns.addFault(.preset("410", "--times", "1", matching: .device(phone)))
        #expect(try await apns.send(to: phone.token) == 410)
        try await apns.addFault(Fault(json: #"{"times":1,"action":{"type":"respond","status":500}}"#))
        #expect(try await apns.send(to: phone.token) == 500)
        #expect(try await apns.send(to: phone.token) == 200)
        #expect(try await apns.removeFaults() == 2)
    }

    @Test("every action of Fault.Action is one that the server takes")
    func actions() async throws {
        try await MynahServer.withServer { apns in
            let actions: [Fault.Action] = [
                .pass, .pass(delay: .fixed(.seconds(1))), .respond(.unregistered, timestamp: apns.now),
                .respond(.internalServerError, delay: .uniform(.zero, .seconds(1))),
                .respond(status: 502, body: "<html>", answerHeaders: ["content-type": "text/html"]),
                .respond(.shutdown, delay: .normal(mean: .seconds(1), deviation: .milliseconds(100))),
                .stall, .stallAndDeliver, .lose, .deliverLate(by: .seconds(3)), .duplicate(), .duplicate(times: 3),
                .resetStream(), .resetStream(code: .refusedStream, deliver: true), .goAway(),
                .goAway(code: .internalError, reason: .shutdown), .close(), .close(.fin), .close(.halfOpen),
                .throttle(bytesPerSecond: 100), .refuseConnections, .certificate(.expired), .certificate(.wrongHost),
                .certificate(.untrusted), .alert(.handshakeFailure),
            ]
            for action in actions {
                let fault = try await apns.addFault(Fault(action))
                #expect(fault.counts?.fired == 0)
            }
            #expect(apns.faults.count == actions.count)
        }
    }

    @Test("a fault that cannot be names the field")
    func badFaults() async throws {
        let apns = try MynahScope.current
        func expectError(_ field: String?, _ make: () throws -> Fault) async {
            let error = await #expect(throws: MynahError.self) { try await apns.addFault(try make()) }
            #expect(error?.code == .invalid)
            #expect(error?.field == field, "\(error.map { "\($0)" } ?? "")")
        }
        await expectError("/scope") { Fault(.certificate(.expired)) }
        await expectError("/times") { Fault(.lose, times: 0) }
        await expectError("/probability") { Fault(.lose, probability: 2) }
        await expectError("/match/status") { Fault(.lose, matching: .status(200)) }
        await expectError("/match/topic") { Fault(.lose, matching: .topic("a"), .topic("b")) }
        await expectError("/scope") { Fault(["scope": "another", "action": ["type": "lose"]]) }
        await expectError(nil) { try Fault(json: "{") }
        await expectError("gone") { try .preset("gone") }
        await expectError(nil) { Fault(.lose, matching: .query("a")) }
    }

    @Test("a scope's name is checked")
    func scopeName() async throws {
        let server = try MynahScope.current.server
        #expect(try server.scope("a.b_c-1").scopeName == "a.b_c-1")
        let error = #expect(throws: MynahError.self) { try server.scope("a b") }
        #expect(error?.field == "scope")
    }
}
