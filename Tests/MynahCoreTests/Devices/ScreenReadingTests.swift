import APNsRules
import Testing

@testable import MynahCore

/// Watching a screen changes nothing; changing one makes it part of the device (`DeviceBehaviour#What-the-user-sees`).
@Suite("Who looks at a screen, and who changes it")
struct ScreenReadingTests {
    private static let now = Instant(milliseconds: 1_795_253_400_000)
    private static let topic = "com.example.app"

    /// A device with an app, whose screen the payloads alone determine.
    private struct World {
        var table = DeviceTable()
        var token = DeviceToken.placeholder
        var pushes: [UInt64: Push] = [:]

        init() throws {
            let device = try DeviceSpecification(
                json: try JSONValue(parsing: #"{"registrations":[{"topic":"\#(ScreenReadingTests.topic)"}]}"#))
            _ = try table.create(device, id: "a", at: now, clock: clock)
            token = try #require(try table.view(of: "a", at: now, clock: clock).value.registrations.first?.token)
        }

        let now = ScreenReadingTests.now
        let clock: (String) -> Instant = { _ in ScreenReadingTests.now }

        mutating func send(_ sequence: UInt64, badge: Int, order: DeliveryOrder = .deliver) throws -> Decision {
            var headers = HeaderBlock()
            headers.append("apns-topic", ScreenReadingTests.topic)
            let payload = #"{"aps":{"alert":{"title":"n\#(sequence)"},"badge":\#(badge)}}"#
            let push = Push(
                token: token, environment: .sandbox, id: NotificationID(generated: UInt128(sequence)),
                bytes: headers.bytes + Array(payload.utf8), headerByteCount: headers.bytes.count)
            pushes[sequence] = push
            let answer = table.accept(push, at: now, clock: clock, order: order, takeSequence: { sequence })
            guard case .accepted(let decision) = answer else {
                throw InputError(.conflict, "the push was not accepted")
            }
            return decision
        }

        func past(_ items: [InboxItem]?) -> [DeviceTable.PastPush]? { items?.map { ($0, pushes[$0.sequence]) } }

        mutating func screen() throws -> JSONValue {
            switch try table.seen(of: "a", at: now, clock: clock).value {
            case .screen(let screen): screen
            case .copy(let copy, let received):
                try copy.screen(inCopyOf: "a", from: past(received) ?? [], at: now, clock: clock)
            }
        }

        mutating func setBadge(_ badge: Int, of topic: String = ScreenReadingTests.topic) throws {
            let patch = try ScreenPatch(json: ["badges": .object([JSONMember(topic, .whole(badge))])])
            let past = past(try table.inboxWithoutScreen(of: "a"))
            let now = now
            let clock = clock
            _ = try table.withScreen(of: "a", from: past, at: now, clock: clock) { table throws(InputError) in
                try table.changeScreen(of: "a", patch, at: now, clock: clock)
            }
        }
    }

    @Test("looking shows what has arrived, and the device and its next pushes are as if nobody had looked")
    func looking() throws {
        var world = try World()
        _ = try world.send(1, badge: 4)
        let screen = try world.screen()
        #expect(screen["badges"]?[Self.topic]?.integer == 4)
        #expect(screen["notifications"]?.array?.first?["title"]?.string == "n1")
        #expect(try world.table.inboxWithoutScreen(of: "a")?.map(\.sequence) == [1])
        #expect(try world.send(2, badge: 5).shown == nil)
        #expect(try world.screen()["badges"]?[Self.topic]?.integer == 5)
        #expect(world.table.brokenInvariants() == [])
    }

    @Test("a push that the journal no longer has is counted as evicted")
    func evicted() throws {
        var world = try World()
        _ = try world.send(1, badge: 4)
        _ = try world.send(2, badge: 5)
        world.pushes[1] = nil
        let screen = try world.screen()
        #expect(screen["evicted"]?.integer == 1 && screen["notifications"]?.array?.count == 1)
    }

    @Test("a change makes the screen, with what had arrived, and later pushes are presented on it")
    func changing() throws {
        var world = try World()
        _ = try world.send(1, badge: 4)
        try world.setBadge(9)
        #expect(try world.table.inboxWithoutScreen(of: "a") == nil)
        #expect(try world.screen()["badges"]?[Self.topic]?.integer == 9)
        #expect(try world.screen()["notifications"]?.array?.count == 1)
        #expect(try world.send(2, badge: 5).shown?.isShown == true)
    }

    @Test("a change that is refused makes no screen")
    func refused() throws {
        var world = try World()
        _ = try world.send(1, badge: 4)
        #expect(throws: InputError.self) { try world.setBadge(1, of: "com.example.other") }
        #expect(try world.table.inboxWithoutScreen(of: "a")?.count == 1)
        #expect(try world.send(2, badge: 5).shown == nil)
        #expect(world.table.brokenInvariants() == [])
    }

    @Test("what is due when a change is refused is done all the same, once")
    func dueAtRefusal() throws {
        var world = try World()
        #expect(try world.send(1, badge: 4, order: .hold(.seconds(10))).outcome == .deferred)
        let later = Self.now.advanced(by: .seconds(20))
        func change() throws -> Int? {
            let past = world.past(try world.table.inboxWithoutScreen(of: "a"))
            return try world.table.withScreen(of: "a", from: past, at: later, clock: { _ in later }) {
                _ throws(InputError) in
                throw InputError(.conflict, "refused")
            }
        }
        // The push arrives, so that the screen has to be made from something else.
        #expect(try change() == nil)
        #expect(throws: InputError.self) { try change() }
        #expect(try world.table.inboxWithoutScreen(of: "a")?.map(\.sequence) == [1])
        #expect(world.table.deferredCount == 0 && world.table.brokenInvariants() == [])
        let changes = world.table.advance(to: later, clock: { _ in later }).changes
        #expect(changes.map(\.outcome) == [.delivered] && changes.first?.shown == nil)
        #expect(changes.first?.at == Self.now.advanced(by: .seconds(10)))
    }

    @Test("a screen is not made from what has arrived when another push has arrived since")
    func outdated() throws {
        var world = try World()
        _ = try world.send(1, badge: 4)
        let past = world.past(try world.table.inboxWithoutScreen(of: "a"))
        _ = try world.send(2, badge: 5)
        var wasCalled = false
        let now = world.now
        let clock = world.clock
        let value: Int? = try world.table.withScreen(of: "a", from: past, at: now, clock: clock) {
            _ throws(InputError) in
            wasCalled = true
            return 1
        }
        #expect(value == nil && !wasCalled)
    }
}
