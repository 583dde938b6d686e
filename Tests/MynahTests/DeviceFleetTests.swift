import APNsRules
import MynahCore
import NIOCore
import NIOPosix
import Testing

@testable import Mynah

@Suite("Devices over all shards")
struct DeviceFleetTests {
    private static let now = Instant(milliseconds: 1_795_253_400_000)

    private func fleet() throws -> DeviceFleet {
        var clock = ClockState()
        try clock.set(.frozen, now: Self.now, wall: Self.now)
        return DeviceFleet(
            settings: DeviceSettings(), seed: 1, clock: clock, wall: Wall(),
            journal: JournalStore(bounds: JournalBounds(entriesMax: 10, bytesMax: 10_000)) { _ in })
    }

    private func push(_ token: DeviceToken) -> Push {
        var block = HeaderBlock()
        block.append("apns-topic", "com.example.app")
        let bytes = block.bytes + Array(#"{"aps":{"alert":"hi"}}"#.utf8)
        return Push(
            token: token, environment: .sandbox, id: NotificationID(generated: 1), bytes: bytes,
            headerByteCount: block.bytes.count)
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

    private func outcome(_ fleet: DeviceFleet, _ token: DeviceToken, _ sequence: UInt64) throws -> Decision {
        let decided = fleet.shards.accept(
            push(token), at: Self.now, clock: { _ in Self.now }, takeSequence: { sequence })
        let accepted: Decision? = if case .accepted(let decision) = decided { decision } else { nil }
        return try #require(accepted)
    }

    @Test("a push finds its device by a token of any shard")
    func pushFindsItsDeviceByATokenOfAnyShard() throws {
        let fleet = try fleet()
        for number in 0..<100 {
            let id = "phone-\(number)"
            _ = try fleet.create(device(id, tokens: [token(number)]), id: id, wantsView: false)
            #expect(try outcome(fleet, token(number), UInt64(number + 1)).device == id)
        }
        #expect(fleet.shards.count == 100)
        let page = fleet.list(where: DeviceFilter(), after: DevicePlace(id: "phone-10"), limit: 3)
        #expect(page.devices.map(\.id) == ["phone-11", "phone-12", "phone-13"])
        #expect(page.matched == 100)
    }

    @Test("a removed device's tokens can be used by another")
    func removedDevicesTokensAreFree() throws {
        let fleet = try fleet()
        for number in 0..<20 {
            _ = try fleet.create(device("a", tokens: [token(number)]), id: "a", wantsView: false)
            #expect(throws: InputError.self) {
                try fleet.create(device("b", tokens: [token(number)]), id: "b", wantsView: false)
            }
            #expect(fleet.remove("a")?.id == "a")
            _ = try fleet.create(device("b", tokens: [token(number)]), id: "b", wantsView: false)
            #expect(try outcome(fleet, token(number), 1).device == "b")
            #expect(fleet.removeAll() == 1)
        }
    }

    @Test("a device that can't be made leaves its tokens to their owners")
    func deviceThatCannotBeMadeLeavesTheTokens() throws {
        let fleet = try fleet()
        _ = try fleet.create(device("phone"), id: "phone", wantsView: false)
        for number in 0..<20 {
            _ = try outcome(fleet, token(number), 1)
            #expect(throws: InputError.self) {
                try fleet.create(device("phone", tokens: [token(number)]), id: "phone", wantsView: false)
            }
            #expect(try outcome(fleet, token(number), 2).device == nil)
        }
        #expect(fleet.shards.count == 21)
    }

    @Test("effects of all shards are ordered together")
    func whatFallsDueComesInOneOrder() throws {
        let fleet = try fleet()
        let offline = try DevicePatch(json: ["online": false])
        for number in 1...100 {
            let id = "phone-\(number)"
            _ = try fleet.create(device(id), id: id, wantsView: false)
            let token = try fleet.shards.withShard(ofID: id) { table throws(InputError) in
                _ = try table.change(id, offline, at: Self.now, clock: { _ in Self.now })
                return try table.view(of: id, at: Self.now, clock: { _ in Self.now }).value.registrations.first?.token
            }
            #expect(try outcome(fleet, try #require(token), UInt64(number)).outcome == .stored)
        }
        #expect(fleet.shards.storedCount == 100)
        let end = Self.now.advanced(by: Limits.storageMax)
        #expect(fleet.nextDue(ofScope: nil) == end)
        _ = try fleet.changeClocks { clocks, wall throws(InputError) in
            try clocks.change(ofScope: nil) { clock throws(InputError) in
                try clock.advance(to: end, wall: wall)
            }
        }
        let effects = fleet.settle(at: fleet.time)
        #expect(effects.changes.map(\.sequence) == Array(1...100))
        #expect(effects.changes.allSatisfy { $0.outcome == .expired && $0.at == end })
        #expect(fleet.shards.storedCount + fleet.shards.deferredCount == 0)
        #expect(fleet.nextDue(ofScope: nil) == nil)
    }

    @Test("due work is processed in a task, not on the timer's loop")
    func timerLeavesTheLoop() async throws {
        let loop = NIOSingletons.posixEventLoopGroup.next()
        let (looks, look) = AsyncStream.makeStream(of: Bool.self)
        let timer = DeviceTimer(on: loop) { look.yield(loop.inEventLoop) }
        timer.scheduleLook(within: .zero)
        for await isOnLoop in looks {
            #expect(!isOnLoop)
            break
        }
        timer.end()
    }

    @Test("a live client finds its device online, however many connect and disconnect at once")
    func liveClients() async throws {
        try await ServerInABox.with { box in
            let server = box.server
            _ = try await server.createDevices([device("a")])
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<100 {
                            let client = try await server.connectDevice("a")
                            let isOnline = try await server.device("a").isOnline
                            try #require(isOnline)
                            server.disconnectDevice("a", client: client)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let isOnline = try await server.device("a").isOnline
            #expect(!isOnline)
        }
    }
}
