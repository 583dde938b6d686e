import APNsRules
import MynahCore
import Testing

@testable import Mynah

@Suite("Devices over all shards")
struct DeviceShardsTests {
    private static let now = Instant(milliseconds: 1_795_253_400_000)
    private static let clock: @Sendable (String) -> Instant = { _ in now }

    private func push(_ token: DeviceToken) throws -> Push {
        var block = HeaderBlock()
        block.append("apns-topic", "com.example.app")
        let bytes = block.bytes + Array(#"{"aps":{"alert":"hi"}}"#.utf8)
        return try #require(
            Push(token: token, environment: .sandbox, bytes: bytes, headerByteCount: block.bytes.count))
    }

    private func device(_ id: String, tokens: [DeviceToken] = []) -> DeviceSpecification {
        var device = DeviceSpecification(id: id)
        device.registrations = [RegistrationSpecification(topic: "com.example.app")]
        for (index, token) in tokens.enumerated() {
            var app = RegistrationSpecification(topic: index == 0 ? "com.example.app" : "com.example.app\(index)")
            app.token = token
            if index == 0 { device.registrations = [app] } else { device.registrations.append(app) }
        }
        return device
    }

    private func token(_ number: Int) -> DeviceToken {
        DeviceToken(bytes: Array(repeating: 0xA5, count: 31) + [UInt8(number)])
    }

    private func outcome(_ shards: DeviceShards, _ token: DeviceToken, _ sequence: UInt64) throws -> Decision {
        try shards.accept(try push(token), at: Self.now, clock: Self.clock, takeSequence: { sequence }).get()
    }

    @Test("a push finds its device by a token of any shard")
    func pushFindsItsDeviceByATokenOfAnyShard() throws {
        let shards = DeviceShards(settings: DeviceSettings(), seed: 1)
        for number in 0..<100 {
            let id = "phone-\(number)"
            _ = try shards.create(device(id, tokens: [token(number)]), id: id, at: Self.now, clock: Self.clock)
            #expect(try outcome(shards, token(number), UInt64(number + 1)).device == id)
        }
        #expect(shards.count == 100)
        let page = shards.list(after: "phone-10", limit: 3, at: Self.now, clock: Self.clock)
        #expect(page.devices.map(\.id) == ["phone-11", "phone-12", "phone-13"])
        #expect(page.matched == 100)
    }

    @Test("a removed device's tokens are free for another")
    func removedDevicesTokensAreFree() throws {
        let shards = DeviceShards(settings: DeviceSettings(), seed: 1)
        for number in 0..<20 {
            _ = try shards.create(device("a", tokens: [token(number)]), id: "a", at: Self.now, clock: Self.clock)
            #expect(throws: DeviceError.self) {
                try shards.create(device("b", tokens: [token(number)]), id: "b", at: Self.now, clock: Self.clock)
            }
            _ = try shards.remove("a", at: Self.now, clock: Self.clock)
            _ = try shards.create(device("b", tokens: [token(number)]), id: "b", at: Self.now, clock: Self.clock)
            #expect(try outcome(shards, token(number), 1).device == "b")
            #expect(shards.removeAll(at: Self.now, clock: Self.clock).count == 1)
        }
    }

    @Test("a device that cannot be made leaves the tokens it named to whom they belong")
    func deviceThatCannotBeMadeLeavesTheTokens() throws {
        let shards = DeviceShards(settings: DeviceSettings(), seed: 1)
        _ = try shards.create(device("phone"), id: "phone", at: Self.now, clock: Self.clock)
        for number in 0..<20 {
            _ = try outcome(shards, token(number), 1)
            #expect(throws: DeviceError.self) {
                try shards.create(
                    device("phone", tokens: [token(number)]), id: "phone", at: Self.now, clock: Self.clock)
            }
            #expect(try outcome(shards, token(number), 2).device == nil)
        }
        #expect(shards.count == 21)
    }

    @Test("an app may register with a token of another shard")
    func appMayRegisterWithATokenOfAnotherShard() throws {
        let shards = DeviceShards(settings: DeviceSettings(), seed: 1)
        _ = try shards.create(DeviceSpecification(id: "phone"), id: "phone", at: Self.now, clock: Self.clock)
        for number in 0..<20 {
            var app = RegistrationSpecification(topic: "com.example.app")
            app.token = token(number)
            let registered = try shards.register(app, on: "phone", at: Self.now, clock: Self.clock).registered
            #expect(registered.isNew)
            #expect(registered.registration.token == token(number))
            #expect(try outcome(shards, token(number), 1).device == "phone")
        }
    }

    @Test("what falls due on all shards comes in one order")
    func whatFallsDueComesInOneOrder() throws {
        let shards = DeviceShards(settings: DeviceSettings(), seed: 1)
        var offline = DevicePatch()
        offline.isOnline = false
        for number in 1...100 {
            let id = "phone-\(number)"
            _ = try shards.create(device(id), id: id, at: Self.now, clock: Self.clock)
            let token = try shards.decide(id) { [offline] table throws(DeviceError) in
                _ = try table.change(id, offline, at: Self.now, clock: Self.clock)
                return try table.view(of: id, at: Self.now, clock: Self.clock).value.registrations.first?.token
            }
            #expect(try outcome(shards, try #require(token), UInt64(number)).outcome == .stored)
        }
        #expect(shards.storedCount == 100)
        let end = Self.now.advanced(by: Limits.storageMax)
        #expect(shards.nextDue() == end)
        let effects = shards.advance(to: end, clock: Self.clock)
        #expect(effects.changes.map(\.sequence) == Array(1...100))
        #expect(effects.changes.allSatisfy { $0.outcome == .expired && $0.at == end })
        #expect(shards.storedCount + shards.deferredCount == 0)
        #expect(shards.nextDue() == nil)
    }
}
