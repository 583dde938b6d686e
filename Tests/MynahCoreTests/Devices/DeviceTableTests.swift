import APNsRules
import Testing

@testable import MynahCore

@Suite("A table of devices")
struct DeviceTableTests {
    static let now = Instant(milliseconds: 1_795_253_400_000)
    static let plain: @Sendable (String) -> Instant = { _ in now }

    /// A push to a token, of the usual app.
    static func push(_ token: DeviceToken, _ fields: (String, String)...) throws -> Push {
        try DeviceStage.push(token, .sandbox, [("apns-topic", "com.example.app")] + fields, ["aps": ["alert": "hi"]])
    }

    static func token(_ number: Int) -> DeviceToken {
        DeviceToken(bytes: Array(repeating: 0x5A, count: 30) + [UInt8(number >> 8), UInt8(number & 0xFF)])
    }

    static func device(_ id: String, scope: String? = nil, online: Bool = true) -> DeviceSpecification {
        var device = DeviceSpecification(id: id)
        device.scope = scope
        device.isOnline = online
        device.registrations = [RegistrationSpecification(topic: "com.example.app")]
        return device
    }

    static func firstToken(_ table: DeviceTable, _ id: String) throws -> DeviceToken {
        var table = table
        return try #require(table.view(of: id, at: now, clock: plain).value.registrations.first?.token)
    }

    @Test("power holds 100 alerts of an app and discards the oldest of more")
    func powerHoldsAHundredAlertsOfAnApp() throws {
        var table = DeviceTable()
        _ = try table.create(Self.device("phone"), id: "phone", at: Self.now, clock: Self.plain)
        _ = try table.change("phone", try DevicePatch(json: ["power": "low"]), at: Self.now, clock: Self.plain)
        let push = try Self.push(try Self.firstToken(table, "phone"), ("apns-priority", "5"))
        var discarded: [EntryChange] = []
        for sequence in UInt64(1)...102 {
            let answer = table.accept(push, at: Self.now, clock: Self.plain) { sequence }
            guard case .accepted(let decision) = answer else {
                Issue.record("\(answer)")
                continue
            }
            #expect(decision.outcome == .deferred)
            discarded += decision.effects.changes
        }
        #expect(discarded.map(\.sequence) == [1, 2])
        #expect(discarded.map(\.outcome) == [.discarded, .discarded])
        #expect(discarded.last?.detail == "push 102 to the app took its place: at most 100 wait")
        #expect(table.deferredCount == 100)
        let normal = try DevicePatch(json: ["power": "normal"])
        let effects = try table.change("phone", normal, at: Self.now, clock: Self.plain)
        #expect(effects.changes.map(\.sequence) == Array(3...102))
        #expect(effects.changes.allSatisfy { $0.outcome == .delivered })
        #expect(table.deferredCount == 0)
    }

    // MARK: - Tokens and shards

    @Test("issued tokens fall into the shard of their device's id", arguments: [1, 2, 64])
    func issuedTokensFallIntoTheShardOfTheirDevice(shardCount: Int) throws {
        for number in 0..<200 {
            let id = "phone-\(number)"
            let shard = DeviceTable.shard(ofID: id, of: shardCount)
            var table = DeviceTable(shard: shard, of: shardCount, random: SeededGenerator(seed: 3))
            _ = try table.create(Self.device(id), id: id, at: Self.now, clock: Self.plain)
            #expect(try Self.firstToken(table, id).shard(of: shardCount) == shard)
        }
    }

    @Test("a token depends on the seed, the device and the app, not on the order of calls")
    func tokenDependsOnTheSeedTheDeviceAndTheApp() throws {
        func tokens(_ ids: [String], seed: UInt64) throws -> [String: DeviceToken] {
            var table = DeviceTable(random: SeededGenerator(seed: seed))
            for id in ids { _ = try table.create(Self.device(id), id: id, at: Self.now, clock: Self.plain) }
            return try Dictionary(uniqueKeysWithValues: ids.map { ($0, try Self.firstToken(table, $0)) })
        }
        let first = try tokens(["a", "b", "c"], seed: 1)
        #expect(try tokens(["c", "a", "b"], seed: 1) == first)
        #expect(Set(first.values).count == 3)
        #expect(try tokens(["a"], seed: 2)["a"] != first["a"])
    }

    @Test("issued tokens have the length of the settings", arguments: [32, 33, 80, 100])
    func issuedTokensHaveTheLengthOfTheSettings(byteCount: Int) throws {
        var settings = DeviceSettings()
        settings.issuedTokenByteCount = byteCount
        let shard = DeviceTable.shard(ofID: "phone", of: 64)
        var table = DeviceTable(settings: settings, shard: shard, of: 64)
        _ = try table.create(Self.device("phone"), id: "phone", at: Self.now, clock: Self.plain)
        let token = try Self.firstToken(table, "phone")
        #expect(token.byteCount == byteCount)
        #expect(token.shard(of: 64) == shard)
    }

    @Test("a push to a given token of another shard is forwarded to its device's shard")
    func givenTokenOfAnotherShardIsForwarded() throws {
        var tables = (0..<4).map { DeviceTable(shard: $0, of: 4) }
        let home = DeviceTable.shard(ofID: "phone", of: 4)
        let token = try #require((0..<100).map(Self.token).first { $0.shard(of: 4) != home })
        let other = token.shard(of: 4)
        var device = Self.device("phone")
        device.registrations[0].token = token
        #expect(device.registrations.compactMap(\.token).map { $0.shard(of: 4) } == [other])

        _ = try tables[other].claim(token, for: home, at: Self.now)
        _ = try tables[home].create(device, id: "phone", at: Self.now, clock: Self.plain)
        let push = try Self.push(token)
        guard case .elsewhere(home) = tables[other].accept(push, at: Self.now, clock: Self.plain, takeSequence: { 1 })
        else {
            Issue.record("the token's shard must name the device's")
            return
        }
        guard
            case .accepted(let decision) = tables[home].accept(
                push, at: Self.now, clock: Self.plain, isForwarded: true, takeSequence: { 1 })
        else {
            Issue.record("the device's shard must take the push")
            return
        }
        #expect(decision.device == "phone")
        #expect(throws: InputError.self) {
            try tables[other].claim(token, for: (home + 1) % 4, at: Self.now)
        }

        let removed = tables[home].remove("phone", at: Self.now, clock: Self.plain)
        let removal = try #require(removed)
        #expect(removal.foreignTokens == [token])
        tables[other].unclaim(token)
        guard
            case .accepted(let again) = tables[other].accept(push, at: Self.now, clock: Self.plain, takeSequence: { 2 })
        else {
            Issue.record("a token that nobody has is a device of its own again")
            return
        }
        #expect(again.device == nil)
    }

    @Test("a forwarded push to an unknown token makes no device")
    func forwardedPushMakesNoDevice() throws {
        var table = DeviceTable()
        let answer = table.accept(
            try Self.push(Self.token(1)), at: Self.now, clock: Self.plain, isForwarded: true, takeSequence: { 1 })
        guard case .refused(let refusal) = answer else {
            Issue.record("it must be refused")
            return
        }
        #expect(refusal.reason == .badDeviceToken)
        #expect(table.count == 0)
    }

    @Test("only an accepted push takes a number")
    func onlyAnAcceptedPushTakesANumber() throws {
        var settings = DeviceSettings()
        settings.policy = .strict
        var table = DeviceTable(settings: settings)
        var taken = 0
        _ = table.accept(try Self.push(Self.token(1)), at: Self.now, clock: Self.plain) {
            taken += 1
            return 1
        }
        #expect(taken == 0)
    }

    // MARK: - Scopes

    @Test("a device in a scope uses the scope's clock, others the server's")
    func deviceInAScopeLivesByTheScopesClock() throws {
        var table = DeviceTable()
        for (id, scope) in [("mine", "t42"), ("yours", nil)] {
            _ = try table.create(Self.device(id, scope: scope), id: id, at: Self.now, clock: Self.plain)
            _ = try table.change(id, .online(false), at: Self.now, clock: Self.plain)
            let push = try Self.push(Self.firstToken(table, id), ("apns-expiration", "1795257000"))
            let sequence: UInt64 = scope == nil ? 2 : 1
            let answer = table.accept(push, at: Self.now, clock: Self.plain, takeSequence: { sequence })
            guard case .accepted(let decision) = answer else {
                Issue.record("accepted")
                return
            }
            #expect(decision.outcome == .stored)
            #expect(decision.scope == scope)
        }
        let later = Self.now.advanced(by: .seconds(7200))
        #expect(table.nextDue(on: { $0 == "t42" }) == Instant(seconds: 1_795_257_000))
        let effects = table.advance(to: Self.now) { $0 == "t42" ? later : Self.now }
        #expect(effects.changes.map(\.sequence) == [1])
        #expect(effects.changes.map(\.outcome) == [.expired])
        #expect(table.nextDue(on: { $0 == "t42" }) == nil)
        #expect(table.nextDue(on: { $0 == nil }) == Instant(seconds: 1_795_257_000))
        #expect(table.brokenInvariants() == [])
    }

    @Test("one scope can be advanced alone")
    func advancingOneScope() throws {
        var table = DeviceTable()
        let owners: [(UInt64, String?)] = [(1, "t1"), (2, "t2"), (3, nil)]
        for (number, scope) in owners {
            let id = "phone-\(number)"
            _ = try table.create(Self.device(id, scope: scope), id: id, at: Self.now, clock: Self.plain)
            _ = try table.change(id, .online(false), at: Self.now, clock: Self.plain)
            let push = try Self.push(Self.firstToken(table, id), ("apns-expiration", "1795257000"))
            _ = table.accept(push, at: Self.now, clock: Self.plain) { number }
        }
        let later = Self.now.advanced(by: .seconds(7200))
        func advanced(_ isAsked: (String?) -> Bool) -> [UInt64] {
            table.advance(to: later, clock: { _ in later }, on: isAsked).changes.map(\.sequence)
        }
        let first = advanced { $0 == "t1" }
        let ofNobody = advanced { $0 == nil }
        let rest = advanced { _ in true }
        #expect([first, ofNobody, rest] == [[1], [3], [2]])
        #expect(table.brokenInvariants() == [])
    }

    @Test("removing a scope removes its devices and discards their waiting pushes, and nothing else")
    func removingAScopeRemovesItsDevices() throws {
        var table = DeviceTable()
        for (id, scope) in [("a", "one"), ("b", "two"), ("c", nil)] {
            _ = try table.create(Self.device(id, scope: scope), id: id, at: Self.now, clock: Self.plain)
        }
        #expect(table.scopeCounts() == ["one": 1, "two": 1])
        _ = try table.change("a", .online(false), at: Self.now, clock: Self.plain)
        _ = table.accept(try Self.push(Self.firstToken(table, "a")), at: Self.now, clock: Self.plain) { 7 }
        let removal = table.removeAll(scope: "one", at: Self.now, clock: Self.plain)
        #expect(removal.count == 1)
        #expect(removal.effects.changes.map(\.sequence) == [7])
        #expect(removal.effects.changes.map(\.outcome) == [.discarded])
        #expect(table.removeAll(scope: "nobody's", at: Self.now, clock: Self.plain).count == 0)
        #expect(table.count == 2)
        #expect(table.brokenInvariants() == [])
        #expect(table.removeAll(at: Self.now, clock: Self.plain).count == 2)
        #expect(table.count == 0)
    }

    // MARK: - Advancing

    @Test("advancing reports what fell due on many devices by time and acceptance")
    func advancingReportsByTimeAndAcceptance() throws {
        var table = DeviceTable()
        for number in 1...50 {
            let id = "phone-\(number)"
            _ = try table.create(Self.device(id), id: id, at: Self.now, clock: Self.plain)
            _ = try table.change(id, .online(false), at: Self.now, clock: Self.plain)
            let end = String(1_795_253_400 + 60 * (number % 7 + 1))
            let push = try Self.push(Self.firstToken(table, id), ("apns-expiration", end))
            _ = table.accept(push, at: Self.now, clock: Self.plain) { UInt64(number) }
        }
        let before = table.advance(to: Self.now.advanced(by: .seconds(59)), clock: Self.plain)
        #expect(before.isEmpty)
        let changes = table.advance(to: Self.now.advanced(by: .seconds(3600)), clock: Self.plain).changes
        #expect(changes.count == 50)
        let order = changes.map { ($0.at, $0.sequence) }
        #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 })
        #expect(table.storedCount == 0)
        #expect(table.brokenInvariants() == [])
    }

    @Test("a redelivered push goes through the same steps")
    func redeliveredPushTakesTheSameWay() throws {
        var table = DeviceTable()
        _ = try table.create(Self.device("phone"), id: "phone", at: Self.now, clock: Self.plain)
        let push = try Self.push(Self.firstToken(table, "phone"))
        let decision = table.redeliver(push, sequence: 4, at: Self.now, clock: Self.plain)
        #expect(decision?.outcome == .delivered)
        #expect(try table.inbox(of: "phone", at: Self.now, clock: Self.plain).value.items.map(\.sequence) == [4])
        #expect(table.redeliver(try Self.push(Self.token(9)), sequence: 5, at: Self.now, clock: Self.plain) == nil)
    }

    @Test("an entry's timeline has all its changes")
    func entrysTimelineTellsWhatBecameOfIt() {
        var entry = Entry.made(7, outcome: .stored)
        entry.detail = "device offline"
        let at = entry.receivedAt.advanced(by: .seconds(60))
        entry.apply(EntryChange(sequence: 7, outcome: .deferred, at: at, detail: "low power mode"))
        entry.apply(EntryChange(sequence: 7, outcome: .delivered, at: at, detail: nil))
        #expect(entry.outcome == .delivered)
        #expect(entry.timeline?.map(\.event) == ["received", "stored", "deferred", "delivered"])
        #expect(entry.timeline?.map(\.detail) == [nil, "device offline", "low power mode", nil])
    }
}
