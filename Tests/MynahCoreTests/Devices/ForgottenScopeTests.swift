import APNsRules
import Testing

@testable import MynahCore

@Suite("What removed devices leave behind")
struct ForgottenScopeTests {
    private static let now = Instant(milliseconds: 1_795_253_400_000)

    /// A scope with a device of its own name, topic and description, and a push that waits for it.
    private func use(_ table: inout DeviceTable, _ number: Int) throws {
        var device = DeviceSpecification(id: "phone-\(number)")
        device.scope = "t\(number)"
        device.traits.name = "Phone \(number)"
        device.registrations = [RegistrationSpecification(topic: "com.example.app\(number)")]
        let clock: (String) -> Instant = { _ in Self.now }
        _ = try table.create(device, id: "phone-\(number)", at: Self.now, clock: clock)
        let offline = try DevicePatch(json: ["online": false, "name": .string("Phone \(number) in a drawer")])
        _ = try table.change("phone-\(number)", offline, at: Self.now, clock: clock)
        let view = try table.view(of: "phone-\(number)", at: Self.now, clock: clock).value
        let token = try #require(view.registrations.first?.token)
        let push = try DeviceStage.push(token, .sandbox, [("apns-topic", "com.example.app\(number)")], ["aps": [:]])
        guard
            case .accepted(let decision) = table.accept(
                push, at: Self.now, clock: clock, takeSequence: { UInt64(number + 1) })
        else { throw InputError(.conflict, "the push was refused") }
        #expect(decision.outcome == .stored)
    }

    @Test("a removed scope leaves nothing, and its number is reused")
    func removedScopeLeavesNothing() throws {
        var table = DeviceTable()
        for number in 0..<5_000 {
            try use(&table, number)
            #expect(table.devices.scopes.number(of: "t\(number)") == 1)
            #expect(table.removeAll(scope: "t\(number)", at: Self.now) { _ in Self.now }.count == 1)
        }
        #expect(table.devices.scopes.count == 1)
        #expect(table.devices.traits.count == 1)
        #expect(table.tokens.topics.count == 0)
        #expect(table.devices.dueScopes.isEmpty)
        #expect(table.brokenInvariants() == [])
    }

    @Test("a scope stays while it has devices", arguments: 0..<4)
    func scopesStayWithTheirDevices(round: UInt64) throws {
        var random = SeededGenerator(seed: 0x5C_0000 + round)
        var table = DeviceTable()
        var present: Set<Int> = []
        for number in 0..<300 {
            try use(&table, number)
            present.insert(number)
            guard let gone = present.randomElement(using: &random), Bool.random(using: &random) else { continue }
            #expect(table.remove("phone-\(gone)", at: Self.now, clock: { _ in Self.now }) != nil)
            present.remove(gone)
            try #require(table.brokenInvariants() == [])
        }
        #expect(Set(table.scopeCounts().keys) == Set(present.map { "t\($0)" }))
        #expect(Set(table.nextDues().compactMap(\.scope)) == Set(present.map { "t\($0)" }))
        #expect(table.devices.scopes.count == present.count + 1)
    }

    @Test("replaced apps and descriptions are counted once and released", arguments: Rotation.allCases)
    func rotationsKeepCount(rotation: Rotation) throws {
        var table = DeviceTable()
        let clock: (String) -> Instant = { _ in Self.now }
        try use(&table, 1)
        for name in ["a", "b", "b"] {
            let patch = try DevicePatch(json: ["name": .string(name), "online": true])
            _ = try table.change("phone-1", patch, at: Self.now, clock: clock)
            var app = RegistrationSpecification(topic: "com.example.app1")
            app.rotation = rotation
            _ = try table.register(app, on: "phone-1", at: Self.now, clock: clock)
            #expect(table.brokenInvariants() == [])
        }
        #expect(table.tokens.topics.count == 1)
        #expect(table.devices.traits.count == 2)
        #expect(table.remove("phone-1", at: Self.now, clock: clock) != nil)
        #expect(table.tokens.topics.count == 0)
        #expect(table.devices.traits.count == 1)
    }

    // MARK: - Live clients

    @Test("a device is online while it has a live client; a new device of its id has none")
    func liveClients() throws {
        var table = DeviceTable()
        let clock: (String) -> Instant = { _ in Self.now }
        try use(&table, 1)
        let delivered = try table.connect(1, to: "phone-1", at: Self.now, clock: clock)
        #expect(delivered?.changes.map(\.outcome) == [.delivered])
        #expect(try table.connect(2, to: "phone-1", at: Self.now, clock: clock) == nil)
        #expect(table.disconnect(1, from: "phone-1", at: Self.now, clock: clock) == nil)
        #expect(try table.view(of: "phone-1", at: Self.now, clock: clock).value.isOnline == true)
        #expect(table.disconnect(1, from: "phone-1", at: Self.now, clock: clock) == nil)
        #expect(try table.view(of: "phone-1", at: Self.now, clock: clock).value.isOnline == true)
        #expect(table.disconnect(2, from: "phone-1", at: Self.now, clock: clock) != nil)
        #expect(try table.view(of: "phone-1", at: Self.now, clock: clock).value.isOnline == false)
        _ = try table.connect(3, to: "phone-1", at: Self.now, clock: clock)
        #expect(table.remove("phone-1", at: Self.now, clock: clock) != nil)
        _ = try table.create(DeviceSpecification(id: "phone-1"), id: "phone-1", at: Self.now, clock: clock)
        #expect(table.disconnect(3, from: "phone-1", at: Self.now, clock: clock) == nil)
        #expect(try table.view(of: "phone-1", at: Self.now, clock: clock).value.isOnline == true)
        #expect(throws: InputError.self) { try table.connect(4, to: "phone-2", at: Self.now, clock: clock) }
    }
}
