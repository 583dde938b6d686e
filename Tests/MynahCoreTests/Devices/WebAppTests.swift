import APNsRules
import Testing

@testable import MynahCore

@Suite("Web apps on a device")
struct WebAppTests {
    private static let now = DeviceTableTests.now
    private static let topic = "https://shop.example"
    private static let service = WebPushService(
        origin: { WebPushOrigin(host: "localhost", port: 2198) }, publicKey: { [0x04] + $0 + $0 },
        isOnCurve: { $0 != key(0) })

    private static func key(_ byte: UInt8) -> [UInt8] { [0x04] + Array(repeating: byte, count: 64) }
    private static func key64(_ byte: UInt8) -> JSONValue { .string(Base64.encode(key(byte), url: true)) }

    /// A table with a device that has a web app, and its token.
    private static func table(
        _ app: [JSONMember] = [], seed: UInt64 = 1
    ) throws -> (table: DeviceTable, token: DeviceToken) {
        var settings = DeviceSettings()
        settings.webPush = service
        var table = DeviceTable(settings: settings, random: SeededGenerator(seed: seed))
        let web: [JSONMember] = [
            JSONMember("topic", .string(topic)), JSONMember("kind", "web"),
            JSONMember("applicationServerKey", key64(1)),
        ]
        let device = try DeviceSpecification(json: ["id": "phone", "registrations": [.object(web + app)]])
        _ = try table.create(device, id: "phone", at: now, clock: DeviceTableTests.plain)
        return (table, try DeviceTableTests.firstToken(table, "phone"))
    }

    private static func push(
        _ token: DeviceToken, _ text: String?, timeToLive: Duration = .seconds(60), queueTopic: String? = nil,
        problem: String? = nil
    ) -> Push {
        var record = WebPushRecord(WebPushFindings())
        record.plaintext = text.map { Array($0.utf8) }
        record.problem = problem
        return Push(
            token: token, topic: topic, timeToLive: timeToLive, queueTopic: queueTopic, record: record,
            id: NotificationID(generated: 1))
    }

    /// Gives a push to a table; returns the decision, or the refusal.
    private static func give(
        _ push: Push, to table: inout DeviceTable, _ sequence: UInt64 = 1, after time: Duration = .zero
    ) throws -> Decision {
        let answer = table.accept(push, at: now.advanced(by: time), clock: DeviceTableTests.plain) { sequence }
        guard case .accepted(let decision) = answer else {
            Issue.record("\(answer)")
            throw CodingProblem("the push was refused")
        }
        return decision
    }

    private static func app(_ table: DeviceTable) throws -> RegistrationView {
        var table = table
        return try #require(table.view(of: "phone", at: now, clock: DeviceTableTests.plain).value.registrations.first)
    }

    @Test("the subscription is what a browser prints, and follows from the seed")
    func subscription() throws {
        let (table, token) = try Self.table()
        let subscription = try #require(try Self.app(table).json["webPush"])
        #expect(subscription.object?.map(\.name) == ["endpoint", "expirationTime", "keys"])
        #expect(subscription["expirationTime"] == .null)
        let endpoint = try #require(subscription["endpoint"]?.string)
        #expect(endpoint.hasPrefix("https://localhost:2198/Q"))
        let segment = String(endpoint.dropFirst("https://localhost:2198/".utf8.count))
        #expect(segment.utf8.count == WebPushLimits.segmentCharacters)
        #expect(WebPushSubscription.token(ofSegment: segment) == token)
        #expect(Base64.decode((subscription["keys"]?["auth"]?.string ?? "").utf8)?.bytes.count == 16)
        #expect(try Self.app(Self.table().table).json["webPush"] == subscription)
        #expect(try Self.app(Self.table(seed: 2).table).json["webPush"] != subscription)
        // An answer can be sent back, with the token that makes the same keys.
        let again = try RegistrationSpecification(json: try Self.app(table).json)
        #expect(again.token == token)
        #expect(again.applicationServerKey == Self.key(1))
    }

    @Test("a web app that an earlier version had in the sandbox is read as one of production")
    func sandbox() throws {
        let now = Self.now
        var settings = DeviceSettings()
        settings.webPush = Self.service
        var table = DeviceTable(settings: settings, random: SeededGenerator(seed: 1))
        var device = try DeviceSpecification(json: [
            "id": "phone",
            "registrations": [
                ["topic": .string(Self.topic), "kind": "web", "applicationServerKey": Self.key64(1)],
                ["topic": "com.example.app"],
            ],
        ])
        device.registrations[0].environment = .sandbox
        _ = try table.create(device, id: "phone", at: now, clock: DeviceTableTests.plain)
        #expect(try Self.app(table).environment == .sandbox)
        let pieces = table.pieces.map { ByteReader($0) }
        var read = try DeviceTable(settings: settings, random: SeededGenerator(seed: 1), pieces: pieces)
        let apps = try read.view(of: "phone", at: now, clock: DeviceTableTests.plain).value.registrations
        #expect(apps.map(\.environment) == [.production, .sandbox])
        let view = try #require(apps.first)
        #expect(view.json["webPush"] == (try Self.app(table).json["webPush"]))
        _ = try read.uninstall("phone", topic: Self.topic, at: now, clock: DeviceTableTests.plain)
    }

    @Test("registering again keeps the subscription, and another key is a conflict until the app is uninstalled")
    func otherKey() throws {
        var (table, token) = try Self.table()
        func register(_ byte: UInt8, _ more: [JSONMember] = []) throws -> DeviceTable.Registered {
            let json: JSONValue = .object(
                [
                    JSONMember("topic", .string(Self.topic)), JSONMember("kind", "web"),
                    JSONMember("applicationServerKey", Self.key64(byte)),
                ] + more)
            return try table.register(
                RegistrationSpecification(json: json), on: "phone", at: Self.now, clock: DeviceTableTests.plain)
        }
        #expect(try register(1).registration.token == token)
        let conflict = #expect(throws: InputError.self) { try register(2) }
        #expect(conflict?.field == "/applicationServerKey")
        #expect(conflict?.problem.contains("InvalidStateError") == true)
        let rotated = try register(2, [JSONMember("rotate", "reinstall")])
        #expect(rotated.registration.token != token)
        #expect(rotated.registration.web?.applicationServerKey == Self.key(2))
        #expect(throws: InputError.self) { try register(0) }
    }

    @Test(
        "bad documents of web apps are refused with the member and what was expected",
        arguments: [
            (#"{"topic":"https://shop.example","kind":"web"}"#, "/applicationServerKey", "base64url"),
            (
                #"{"topic":"https://shop.example","kind":"web","applicationServerKey":"AAAA"}"#,
                "/applicationServerKey", "65"
            ),
            (#"{"topic":"com.example.app","kind":"web","applicationServerKey":"AAAA"}"#, "/topic", "origin"),
            (#"{"topic":"http://shop.example","kind":"web","applicationServerKey":"AAAA"}"#, "/topic", "origin"),
            (#"{"topic":"https://shop.example/","kind":"web","applicationServerKey":"AAAA"}"#, "/topic", "origin"),
            (#"{"topic":"https://Shop.example","kind":"web","applicationServerKey":"AAAA"}"#, "/topic", "origin"),
            (#"{"topic":"https://shop.voip","kind":"web","applicationServerKey":"AAAA"}"#, "/topic", "origin"),
            (#"{"topic":"https://shop.example"}"#, "/topic", "a topic"),
            (#"{"topic":"com.example.app","applicationServerKey":"AAAA"}"#, "/applicationServerKey", "kind web"),
            (#"{"topic":"com.example.app","worker":"silent"}"#, "/worker", "kind web"),
            (#"{"topic":"com.example.app","kind":"webs"}"#, "/kind", "web"),
        ])
    func badDocuments(json: String, field: String, words: String) throws {
        let document = try JSONValue(parsing: Array(json.utf8))
        let error = #expect(throws: InputError.self) { try RegistrationSpecification(json: document) }
        #expect(error?.field == field)
        #expect(error.map { "\($0)" }?.contains(words) == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test("a push is shown on a device that has no screen, too")
    func shown() throws {
        var (table, token) = try Self.table()
        let decision = try Self.give(
            Self.push(token, #"{"title":"Hi","body":"there","url":"https://shop.example/a"}"#), to: &table)
        #expect(decision.outcome == .delivered)
        #expect(decision.shown?.isShown == true)
        #expect(decision.shown?.presentation.value?.content.title == "Hi")
    }

    @Test("a push that can't be decrypted never arrives, and the cause is said")
    func undecryptable() throws {
        var (table, token) = try Self.table()
        let decision = try Self.give(Self.push(token, nil, problem: "no known keys decrypt it"), to: &table)
        #expect(decision.outcome == .discarded)
        #expect(decision.detail == "the browser can't decrypt it: no known keys decrypt it")
        #expect(decision.shown == nil)
    }

    @Test("only the newest push waits for an offline device, until its time to live is over")
    func queueOfOne() throws {
        var (table, token) = try Self.table()
        func online(_ isOnline: Bool, after time: Duration) throws -> Effects {
            try table.change(
                "phone", .online(isOnline), at: Self.now.advanced(by: time), clock: DeviceTableTests.plain)
        }
        _ = try online(false, after: .zero)
        let first = try Self.give(Self.push(token, "one", queueTopic: "abcd"), to: &table, 1)
        #expect(first.outcome == .stored)
        let second = try Self.give(Self.push(token, "two", queueTopic: "efgh"), to: &table, 2)
        #expect(second.effects.changes.map(\.outcome) == [.discarded])
        let third = try Self.give(Self.push(token, "three", queueTopic: "efgh"), to: &table, 3)
        #expect(third.effects.changes.map(\.outcome) == [.coalesced])
        #expect(try online(true, after: .seconds(59)).changes.map(\.outcome) == [.delivered])
        _ = try online(false, after: .seconds(59))
        _ = try Self.give(Self.push(token, "four"), to: &table, 4, after: .seconds(59))
        #expect(try online(true, after: .seconds(119)).changes.map(\.outcome) == [.expired])
        _ = try online(false, after: .seconds(119))
        let once = try Self.give(Self.push(token, "five", timeToLive: .zero), to: &table, 5, after: .seconds(119))
        #expect(once.outcome == .expired)
    }

    @Test("three pushes that show nothing cost the origin its subscription, 30 seconds after the third")
    func silent() throws {
        var (table, token) = try Self.table([JSONMember("worker", "silent")])
        for sequence in UInt64(1)...3 {
            let decision = try Self.give(Self.push(token, "hi"), to: &table, sequence)
            #expect(decision.outcome == .delivered)
            #expect(decision.shown?.isShown == false)
        }
        // A declarative push is never silent.
        let declared = #"{"web_push":8030,"notification":{"title":"T","navigate":"https://shop.example/"}}"#
        #expect(try Self.give(Self.push(token, declared), to: &table, 4).shown?.isShown == true)
        #expect(table.nextDue() == Self.now.advanced(by: .seconds(30)))
        _ = table.advance(to: Self.now.advanced(by: .seconds(29)), clock: DeviceTableTests.plain)
        #expect(try Self.app(table).state == .active)
        _ = table.advance(to: Self.now.advanced(by: .seconds(30)), clock: DeviceTableTests.plain)
        #expect(try Self.app(table).state == .unregistered)
        let ended = table.subscribed(token, at: Self.now.advanced(by: .seconds(31)), clock: DeviceTableTests.plain)
        #expect(ended?.endCause == "Safari removed the subscription after 3 pushes that showed nothing")
        #expect(table.brokenInvariants().isEmpty)
    }

    @Test("a table with a web app comes back from its bytes, and goes on")
    func coding() throws {
        var (table, token) = try Self.table([JSONMember("worker", "silent")])
        for sequence in UInt64(1)...2 { _ = try Self.give(Self.push(token, "hi"), to: &table, sequence) }
        let pieces = table.pieces.map { ByteReader($0) }
        var settings = DeviceSettings()
        settings.webPush = Self.service
        var read = try DeviceTable(settings: settings, random: SeededGenerator(seed: 1), pieces: pieces)
        #expect(read.webAppCount == 1)
        #expect(try Self.app(read) == Self.app(table))
        _ = try Self.give(Self.push(token, "hi"), to: &read, 3)
        _ = read.advance(to: Self.now.advanced(by: .seconds(30)), clock: DeviceTableTests.plain)
        #expect(try Self.app(read).state == .unregistered)
    }
}
