import APNsRules
import Testing

@testable import MynahCore

@Suite("Tables of devices as bytes")
struct DeviceTableCodingTests {
    @Test("a table that was written and read goes on as the one that was not", arguments: UInt64(0)..<24)
    func goesOn(seed: UInt64) throws {
        var world = RandomDevices(seed: seed)
        var restarted = world
        for step in 1...160 {
            let place: Comment = "seed \(seed), step \(step)"
            let answer = world.act()
            let other = restarted.act()
            try #require(other == answer, place)
            guard step % 8 == 0 else { continue }
            try #require(restarted.table.pieces == world.table.pieces, place)
            try restarted.restart()
            try #require(restarted.table.brokenInvariants() == [], place)
            try #require(restarted.table.pieces == world.table.pieces, place)
            try #require(try restarted.everything() == world.everything(), place)
        }
    }

    @Test("damaged bytes are a problem, or another table that can be written", arguments: UInt64(0)..<10)
    func damage(seed: UInt64) throws {
        var world = RandomDevices(seed: 1000 + seed)
        for _ in 0..<200 { _ = world.act() }
        let pieces = world.table.pieces
        for piece in pieces.indices {
            expectNoTrap(pieces[piece], count: 200, seed: seed) { bytes throws(CodingProblem) in
                var damaged = pieces
                damaged[piece] = bytes
                let table = try DeviceTable(
                    settings: world.table.settings, of: RandomDevices.shardCount,
                    random: SeededGenerator(seed: world.seed), pieces: damaged.map { ByteReader($0) })
                #expect(!table.pieces.isEmpty)
            }
        }
    }

    // MARK: - Pieces

    private static func fleet(_ count: Int, _ json: JSONValue = [:]) throws -> DeviceTable {
        var device = try DeviceSpecification(json: json)
        device.id = "phone"
        device.count = count
        var table = DeviceTable()
        for id in device.ids {
            _ = try table.create(device, id: id, at: DeviceTableTests.now, clock: DeviceTableTests.plain)
        }
        return table
    }

    @Test("places are kept over several pieces, also those that are vacant")
    func places() throws {
        var table = try Self.fleet(2100, ["registrations": [["topic": "com.example.app"]]])
        for number in [7, 1024, 1025, 2100] {
            let id = "phone-\(String(repeating: "0", count: 5 - String(number).count))\(number)"
            #expect(table.remove(id, at: DeviceTableTests.now, clock: DeviceTableTests.plain) != nil)
        }
        var other = try table.rewritten()
        #expect(table.pieceCount == 4)
        for id in ["a", "b", "c", "d", "e"] {
            for index in 0...1 {
                let device = DeviceTableTests.device(id)
                _ =
                    index == 0
                    ? try table.create(device, id: id, at: DeviceTableTests.now, clock: DeviceTableTests.plain)
                    : try other.create(device, id: id, at: DeviceTableTests.now, clock: DeviceTableTests.plain)
            }
        }
        #expect(other.pieces == table.pieces)
        #expect(other.brokenInvariants() == [])
    }

    @Test("a plain device takes at most 80 bytes")
    func size() throws {
        let table = try Self.fleet(1024, ["registrations": [["topic": "com.example.app"]]])
        let byteCounts = table.pieces.map(\.count)
        #expect(byteCounts.count == 2 && byteCounts[1] <= 1024 * 80, "\(byteCounts)")
    }

    @Test("an empty table comes back")
    func empty() throws {
        let table = try DeviceTable().rewritten()
        #expect(table.count == 0)
        #expect(table.pieces == DeviceTable().pieces)
    }

    @Test("a fleet's strings are written once, and shared again")
    func sharing() throws {
        let text = String(repeating: "x", count: 10_000)
        let table = try Self.fleet(
            50, ["registrations": [["topic": "com.example.app", "strings": ["en": ["k": .string(text)]]]]]
        ).rewritten()
        #expect(table.pieces.map(\.count).reduce(0, +) < 2 * text.utf8.count)
        let files = table.devices.places.compactMap { device in
            table.tokens[table.devices[device].firstRegistration].detail.value?.app.presentation.localization
                .tables["en"]
        }
        #expect(files.count == 50)
        #expect(files.allSatisfy { $0 === files[0] })
    }

    @Test("texts and numbers keep their spelling where another spelling is equal")
    func spelling() throws {
        var table = DeviceTable()
        let spellings: [(JSONValue, String)] = [
            (["a": .number(JSONNumber(text: "1"))], "\u{e9}"),
            (["a": .number(JSONNumber(text: "1.0"))], "e\u{301}"),
        ]
        for (index, (state, name)) in spellings.enumerated() {
            let app: JSONValue = ["topic": "com.example.app", "appName": .string(name)]
            let id = "phone-\(index)"
            let device = try DeviceSpecification(json: ["registrations": [app]])
            _ = try table.create(device, id: id, at: DeviceTableTests.now, clock: DeviceTableTests.plain)
            let activity = try ActivitySpecification(json: [
                "topic": "com.example.app.push-type.liveactivity", "attributesType": "A", "contentState": state,
            ])
            _ = try table.startActivity(activity, on: id, at: DeviceTableTests.now, clock: DeviceTableTests.plain)
        }
        var other = try table.rewritten()
        for (index, (state, name)) in spellings.enumerated() {
            let id = "phone-\(index)"
            let view = try other.view(of: id, at: DeviceTableTests.now, clock: DeviceTableTests.plain).value
            let found = view.activities.first?.json["contentState"]
            #expect(found?.encodedText == state.encodedText)
            #expect(view.registrations.first?.json["appName"]?.string.map { Array($0.utf8) } == Array(name.utf8))
        }
    }

    @Test("the live clients that keep a device online come back, and the last one takes it offline")
    func liveClients() throws {
        let now = DeviceTableTests.now
        let clock = DeviceTableTests.plain
        var table = DeviceTable()
        _ = try table.create(DeviceTableTests.device("a", online: false), id: "a", at: now, clock: clock)
        for client in [9, 300] as [UInt64] { _ = try table.connect(client, to: "a", at: now, clock: clock) }
        var other = try DeviceTable(pieces: table.pieces.map { ByteReader($0) })
        #expect(other.pieces == table.pieces)
        #expect(other.connected.map(\.id) == ["a"])
        #expect(other.connected.map(\.clients) == [[9, 300]])
        #expect(other.disconnect(9, from: "a", at: now, clock: clock) == nil)
        #expect(try other.view(of: "a", at: now, clock: clock).value.isOnline)
        #expect(other.disconnect(300, from: "a", at: now, clock: clock) != nil)
        #expect(try !other.view(of: "a", at: now, clock: clock).value.isOnline)
        #expect(other.connected.isEmpty)
    }

    // MARK: - Bytes of another table

    @Test("pieces that are not those of the table are a problem")
    func otherPieces() throws {
        let pieces = try Self.fleet(1100).pieces
        func problem(_ pieces: [[UInt8]], shard: Int = 0, of shardCount: Int = 1) -> String? {
            do throws(CodingProblem) {
                _ = try DeviceTable(shard: shard, of: shardCount, pieces: pieces.map { ByteReader($0) })
                return nil
            } catch {
                return error.description
            }
        }
        #expect(problem(pieces) == nil)
        #expect(problem([]) == "a table of devices has no pieces")
        #expect(problem(pieces, of: 64)?.hasPrefix("these are the devices of shard 0 of 1: expected 0 of 64") == true)
        #expect(problem(Array(pieces.dropLast()))?.hasPrefix("1024 of 1100 places were read") == true)
        #expect(problem([pieces[0], pieces[2]])?.hasPrefix("the piece of place 1024 follows 0 of 1100") == true)
        #expect(problem(pieces + [pieces[2]])?.hasPrefix("the piece of place 1024 follows 1100 of 1100") == true)
        #expect(problem([pieces[0], pieces[1], pieces[2] + [0]])?.hasPrefix("1 bytes are left over") == true)
        for piece in pieces.indices {
            var newer = pieces
            newer[piece][0] = 3
            #expect(problem(newer)?.hasPrefix("version 3 was written by a newer Mynah") == true)
        }
    }
}
