import APNsRules
import MynahCore
import Testing

@testable import Mynah

@Suite("Another process that goes on with an order")
struct StartedTests {
    private static let rule: JSONValue = ["drafts": [["action": ["type": "stall"]]]]

    private func world() throws -> CommandWorld {
        let world = try CommandWorld(log: MemoryLog())
        try world.apply(.command(RemoveFaults.kind, ["filter": [:]]))
        for device in RandomCommands.devices {
            try world.apply(.command(ChangeDevice.kind, ["id": .string(device), "patch": ["online": false]]))
        }
        return world
    }

    private func push(_ device: String) -> RandomCommands.Step {
        .push(device: device, topic: RandomCommands.apps[0], body: #"{"aps":{"alert":"hi"}}"#, expiresWithin: nil)
    }

    private func connect(_ device: String, _ client: Int) -> RandomCommands.Step {
        .command(ConnectDevice.kind, ["id": .string(device), "client": .whole(client)])
    }

    private func disconnect(_ device: String, _ client: Int) -> RandomCommands.Step {
        .command(DisconnectDevice.kind, ["id": .string(device), "client": .whole(client)])
    }

    private func outcomes(_ world: CommandWorld) -> [Outcome] {
        world.simulation.journal.read { journal in
            journal.entries(after: 0, limit: .max).entries.map(\.outcome)
        }
    }

    private func isOnline(_ device: String, _ world: CommandWorld) -> Bool? {
        world.simulation.devices.viewIfThere(of: device, at: world.simulation.devices.time)?.isOnline
    }

    @Test("gives up all withheld requests, in their order")
    func withheld() throws {
        let world = try world()
        try world.apply(.command(AddFaults.kind, Self.rule))
        for device in RandomCommands.devices.prefix(3) { try world.apply(push(device)) }
        try world.carryOut()
        #expect(outcomes(world) == [.pending, .pending, .pending])
        let other = try CommandWorld(restoring: world.snapshotPieces(), of: world)
        let before = other.simulation.journal.lastIssued
        try other.apply(.started)
        try other.carryOut()
        #expect(outcomes(other) == [.unanswered, .unanswered, .unanswered])
        let told = other.simulation.events.events(after: before, through: .max, limit: .max).events
            .compactMap { $0.json["sequence"]?.integer }
        let pushes = other.simulation.journal.read { journal in
            journal.entries(after: 0, limit: .max).entries.map { Int64($0.sequence) }
        }
        #expect(told.filter { pushes.contains($0) } == pushes)
        // They are answered no more.
        let answered = other.simulation.journal.lastIssued
        for nth in 0..<3 { try other.apply(.release(nth: nth)) }
        try other.carryOut()
        #expect(other.simulation.journal.lastIssued == answered)
    }

    @Test("takes all live clients away, in the order of their devices")
    func clients() throws {
        let world = try world()
        // In another order than that of the ids.
        for device in ["phone-4", "phone-1", "phone-3"] {
            for client in 1...2 { try world.apply(connect(device, client)) }
        }
        let other = try CommandWorld(restoring: world.snapshotPieces(), of: world)
        #expect(RandomCommands.devices.map { isOnline($0, other) } == [true, false, true, true, false])
        let before = other.simulation.journal.lastIssued
        try other.apply(.started)
        try other.apply(push("phone-4"))
        try other.carryOut()
        #expect(RandomCommands.devices.map { isOnline($0, other) } == [false, false, false, false, false])
        #expect(outcomes(other) == [.stored])
        let events = other.simulation.events.events(after: before, through: .max, limit: .max).events
        let changed = try events.compactMap { event in
            guard case .document(let bytes) = event.subject, event.kind == .device else { return nil as String? }
            return try JSONValue(parsing: bytes.span)["id"]?.string
        }
        #expect(changed == ["phone-1", "phone-3", "phone-4"])
        // A connection of the earlier process that ends late changes nothing.
        try other.apply(connect("phone-4", 3))
        try other.apply(disconnect("phone-4", 2))
        try other.carryOut()
        #expect(isOnline("phone-4", other) == true)
    }

    @Test("a live client that was connected before a snapshot leaves after it")
    func clientLeaves() throws {
        let world = try world()
        for client in [7, 8] { try world.apply(connect("phone-2", client)) }
        let other = try CommandWorld(restoring: world.snapshotPieces(), of: world)
        for world in [world, other] {
            try world.apply(disconnect("phone-2", 8))
            try world.carryOut()
            #expect(isOnline("phone-2", world) == true)
            try world.apply(disconnect("phone-2", 7))
            try world.carryOut()
            #expect(isOnline("phone-2", world) == false)
        }
        #expect(other.order?.digest == world.order?.digest)
    }

    @Test("numbers live clients and connections above those before it, from a snapshot or a log")
    func numbers() throws {
        let log = MemoryLog()
        let world = try CommandWorld(log: log)
        try world.apply(connect("phone-2", 41))
        try world.apply(disconnect("phone-2", 41))
        // Also one that is refused.
        try world.apply(connect("nobody", 43))
        try world.apply(push("phone-1"))
        world.simulation.connectionNumbers.recordUsed(17)
        let pieces = try world.snapshotPieces()
        for other in [
            try CommandWorld(restoring: pieces, of: world), try CommandWorld(replaying: log, of: world), world,
        ] {
            #expect(other.simulation.devices.clientNumbers.take() == 44)
        }
        #expect(try CommandWorld(restoring: pieces, of: world).simulation.connectionNumbers.highest == 17)
        #expect(try CommandWorld(replaying: log, of: world).simulation.connectionNumbers.highest == 1)
    }

    @Test("numbers that no process gives out are not gone on behind")
    func hugeNumbers() {
        let numbers = OrderedNumbers()
        numbers.recordUsed(5)
        numbers.recordUsed(3)
        numbers.recordUsed(.max)
        #expect(numbers.highest == 5)
        #expect(numbers.take() == 6)
        #expect(numbers.highest == 5)
        numbers.recordUsed(OrderedNumbers.numberMax)
        #expect(numbers.take() == OrderedNumbers.numberMax + 1)
    }
}
