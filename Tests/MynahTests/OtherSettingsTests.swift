import APNsRules
import MynahCore
import MynahTrust
import Testing

@testable import Mynah

@Suite("A run that goes on with other settings")
struct OtherSettingsTests {
    /// A world in which random things have happened, with the settings that `change` makes.
    private func world(_ seed: UInt64, _ change: (inout Settings) -> Void = { _ in }) throws -> CommandWorld {
        var commands = RandomCommands(seed: seed)
        let world = try CommandWorld(log: MemoryLog(), change)
        for _ in 0..<150 { try world.apply(commands.step()) }
        try world.carryOut()
        return world
    }

    /// A world with a device that holds pushes back, with the settings that `change` makes.
    private func quietWorld(_ change: (inout Settings) -> Void = { _ in }) throws -> CommandWorld {
        let world = try CommandWorld(log: MemoryLog(), change)
        try world.apply(.command(RemoveFaults.kind, ["filter": [:]]))
        return world
    }

    private func goOn(_ world: CommandWorld, retain: Int = 100_000, _ change: (inout Settings) -> Void) throws
        -> CommandWorld
    {
        try world.carryOut()
        let other = try CommandWorld(
            continuing: world, in: CommandWorld.simulation(retain: retain, change))
        try other.carryOut()
        return other
    }

    private func push(
        _ body: String = #"{"aps":{"alert":"hi"}}"#, to device: String = "phone-3"
    ) -> RandomCommands.Step {
        .push(device: device, topic: RandomCommands.apps[0], body: body, expiresWithin: nil)
    }

    private static let background = #"{"aps":{"content-available":1}}"#

    private func outcomes(_ world: CommandWorld) throws -> [Outcome] {
        try world.carryOut()
        return world.simulation.journal.read { $0.entries(after: 0, limit: .max).entries.map(\.outcome) }
    }

    private static let changes: [@Sendable (inout Settings) -> Void] = [
        { $0.devices = .strict }, { $0.unregisterDelay = .seconds(5) ... .seconds(9) }, { $0.backgroundBudget = nil },
        { $0.backgroundBudget = 0 }, { $0.activityBudget = 1 }, { $0.deferralMax = .seconds(1) },
        { $0.issuedTokenByteCount = 40 }, { $0.hasMagicTokens = false },
        { $0.requestLimit = Settings.RateLimit(count: 1, period: .seconds(60)) },
        { $0.rules.tokenByteCounts = 40...60 }, { $0.rules.payloadCheck = .strict },
        { $0.rules.pushTypeCheck = .strict }, { $0.rules.teamTopics = ["com.example.other"] },
        { $0.rules.broadcastApps = ["com.example.other"] }, { $0.rules.usesDocumentedReasons = true },
        { $0.rules.tokenUpdates = .key },
    ]

    @Test("any settings, and back again, after random changes", arguments: Array(0..<16) + [125, 131])
    func anySettings(_ number: Int) throws {
        let change = Self.changes[number % Self.changes.count]
        var commands = RandomCommands(seed: 100 + UInt64(number))
        var world = try world(UInt64(number))
        let usual: @Sendable (inout Settings) -> Void = { _ in }
        for (retain, change) in [(100_000, change), (7, change), (100_000, usual)] {
            let numbers = world.simulation.journal.lastIssued
            let digest = world.order?.digest
            world = try CommandWorld(continuing: world, in: CommandWorld.simulation(retain: retain, change))
            #expect(world.order?.digest == digest)
            #expect(world.simulation.journal.lastIssued == numbers)
            for _ in 0..<100 { try world.apply(commands.step()) }
            try world.apply(.started)
            try world.carryOut()
            #expect(world.simulation.journal.read { $0.brokenInvariants() } == [])
            #expect(world.simulation.journal.lastIssued > numbers)
            // What goes on can be read again.
            let pieces = try world.snapshotPieces()
            let again = try CommandWorld(
                restoring: pieces, of: world, in: CommandWorld.simulation(retain: retain, change))
            let different = zip(try again.snapshotPieces(), pieces).filter { $0.bytes != $1.bytes }
            #expect(different.map(\.0.section).isEmpty)
        }
    }

    @Test("a smaller journal keeps the newest pushes, and counts the others as evicted")
    func smallerJournal() throws {
        let world = try quietWorld()
        for _ in 0..<20 { try world.apply(push()) }
        try world.carryOut()
        let sequences = world.simulation.journal.read { $0.entries(after: 0, limit: .max).entries.map(\.sequence) }
        let last = world.simulation.journal.lastIssued
        for retain in [5, 0] {
            let other = try goOn(world, retain: retain) { _ in }
            let kept = other.simulation.journal.read { $0.entries(after: 0, limit: .max).entries.map(\.sequence) }
            let counters = other.simulation.journal.read { $0.counters }
            #expect(kept == Array(sequences.suffix(retain)))
            #expect(counters.evicted == UInt64(20 - retain))
            #expect(counters.evictedThrough == sequences[19 - retain])
            #expect(other.order?.lastSequenceBeforeJournal == kept.first.map { $0 - 1 } ?? last)
            #expect(other.simulation.journal.lastIssued == last)
            try other.apply(push())
            try other.carryOut()
            #expect(other.simulation.journal.read { $0.counters.received } == 21)
            #expect(other.simulation.journal.read { $0.watermark } == last + 1)
        }
    }

    @Test("a withheld push that a smaller journal has evicted is answered and delivered")
    func evictedWithheldPush() throws {
        let world = try quietWorld()
        try world.apply(
            .command(AddFaults.kind, ["drafts": [["id": "late", "action": ["type": "pass", "delay": "5s"]]]]))
        try world.apply(push())
        try world.apply(.command(RemoveFault.kind, ["id": "late"]))
        for _ in 0..<3 { try world.apply(push()) }
        let other = try goOn(world, retain: 2) { _ in }
        try other.apply(.release(nth: 0))
        try other.carryOut()
        #expect(other.simulation.journal.read { $0.counters.accepted } == 4)
        let view = other.simulation.devices.viewIfThere(of: "phone-3", at: other.simulation.devices.time)
        #expect(view?.inboxCount == 4)
    }

    @Test("held back pushes are tried again without a budget, or with another one", arguments: [nil, 1, 3, 4])
    func budget(_ budget: Int?) throws {
        let world = try quietWorld { $0.backgroundBudget = 2 }
        for _ in 0..<3 {
            try world.apply(push(Self.background))
            try world.apply(.pass(.seconds(60)))
        }
        #expect(try outcomes(world) == [.delivered, .delivered, .deferred])
        let other = try goOn(world) { $0.backgroundBudget = budget }
        let isFree = budget != 1
        #expect(try outcomes(other) == [.delivered, .delivered, isFree ? .delivered : .deferred])
        // An hour after the second one, which is the only one that a budget of 1 counts.
        for (time, outcome) in [(3450, isFree ? Outcome.delivered : .deferred), (60, .delivered)] {
            try other.apply(.pass(.seconds(time)))
            #expect(try outcomes(other).last == outcome)
        }
    }

    @Test("what power holds back is tried again by another limit")
    func deferralMax() throws {
        let world = try quietWorld()
        try world.apply(.command(ChangeDevice.kind, ["id": "phone-3", "patch": ["power": "low"]]))
        try world.apply(push())
        try world.apply(.pass(.seconds(100)))
        #expect(try outcomes(world) == [.deferred])
        let late = try goOn(world) { $0.deferralMax = .seconds(101) }
        #expect(try outcomes(late) == [.deferred])
        try late.apply(.pass(.seconds(1)))
        #expect(try outcomes(late) == [.delivered])
        #expect(try outcomes(try goOn(world) { $0.deferralMax = .seconds(100) }) == [.delivered])
    }

    @Test("unknown tokens are refused or taken, as the new settings have it")
    func policy() throws {
        let world = try quietWorld()
        // Makes a device.
        try world.apply(push(to: "nobody"))
        #expect(try outcomes(world) == [.delivered])
        let strict = try goOn(world) { $0.devices = .strict }
        try strict.apply(.command(RemoveDevices.kind, ["filter": [:]]))
        try strict.apply(push(to: "nobody"))
        #expect(try outcomes(strict) == [.delivered, .refused])
        let open = try goOn(strict) { $0.devices = .open }
        try open.apply(push(to: "nobody"))
        #expect(try outcomes(open) == [.delivered, .refused, .delivered])
    }

    @Test("a limit of requests counts from the first push after it was set")
    func requestLimit() throws {
        let world = try quietWorld()
        for _ in 0..<3 { try world.apply(push()) }
        let limited = try goOn(world) { $0.requestLimit = Settings.RateLimit(count: 1, period: .seconds(60)) }
        for _ in 0..<2 { try limited.apply(push()) }
        #expect(try outcomes(limited).suffix(2) == [.delivered, .refused])
        let free = try goOn(limited) { _ in }
        try free.apply(push())
        #expect(try outcomes(free).last == .delivered)
    }

    @Test("issued tokens are as long as the new settings have it, and the old ones stay")
    func tokenLength() throws {
        let world = try quietWorld()
        let other = try goOn(world) { $0.issuedTokenByteCount = 40 }
        let topic = JSONValue.string("com.example.new")
        try other.apply(.command(RegisterApp.kind, ["device": "phone-3", "app": ["topic": topic]]))
        try other.carryOut()
        let view = other.simulation.devices.viewIfThere(of: "phone-3", at: other.simulation.devices.time)
        #expect(view?.registrations.map { $0.token?.bytes.count } == [32, 32, 32, 40])
    }

    @Test("a push that was withheld is delivered though its token is too short by now")
    func tokenByteCounts() throws {
        let world = try quietWorld()
        try world.apply(.command(AddFaults.kind, ["drafts": [["action": ["type": "pass", "delay": "5s"]]]]))
        try world.apply(push())
        let other = try goOn(world) { $0.rules.tokenByteCounts = 40...60 }
        try other.apply(.release(nth: 0))
        #expect(try outcomes(other) == [.delivered])
    }

    @Test("magic tokens act or don't, as the new settings have it")
    func magicTokens() throws {
        let token = MagicTokens.token(for: .unregistered)
        let world = try quietWorld { $0.hasMagicTokens = false }
        let app: JSONValue = ["topic": .string(RandomCommands.apps[0]), "token": .string(token.hex)]
        try world.apply(.command(CreateDevices.kind, ["specifications": [["id": "magic", "registrations": [app]]]]))
        try world.carryOut()
        try world.apply(push(to: "magic"))
        func replies(_ world: CommandWorld) throws -> [Int16?] {
            try world.carryOut()
            return world.simulation.journal.read { $0.entries(after: 0, limit: .max).entries.map(\.status) }
        }
        #expect(try replies(world) == [200])
        let magic = try goOn(world) { $0.hasMagicTokens = true }
        try magic.apply(push(to: "magic"))
        #expect(try replies(magic) == [200, 410])
        let plain = try goOn(magic) { $0.hasMagicTokens = false }
        try plain.apply(push(to: "magic"))
        #expect(try replies(plain) == [200, 410, 200])
    }

    @Test("provider tokens are judged by the new settings")
    func authentication() throws {
        let key = try SigningKey.generate()
        let token = try key.token(issuedAt: Instant(seconds: 1_795_253_400))
        let world = try quietWorld()
        for (authentication, isTrusted) in [(TokenAuthentication.strict, false), (.structural, true)] {
            let simulation = CommandWorld.simulation(authentication: authentication)
            let other = try CommandWorld(continuing: world, in: simulation)
            let judged = other.simulation.trust.judge(AuthorizationValue(Array("bearer \(token)".utf8)))
            let isToken = if case .token = judged.verdict { true } else { false }
            #expect(isToken == isTrusted)
        }
    }
}
