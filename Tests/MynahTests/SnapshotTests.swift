import APNsRules
import MynahCore
import MynahTrust
import Testing

@testable import Mynah

@Suite("A simulation that is restored from a snapshot") struct SnapshotTests {
    typealias Pieces = CommandWorld.SnapshotPieces

    private func pieces(of simulation: Simulation) -> Pieces {
        var pieces: Pieces = []
        simulation.snapshot(OrderState()).forEachPiece { pieces.append(($0, $1)) }
        return pieces
    }

    private func restore(_ pieces: Pieces, seed: UInt64 = 7) throws(CodingProblem) -> Simulation {
        let simulation = CommandWorld.simulation(seed: seed)
        simulation.restore(try CommandWorld.snapshot(of: pieces, for: simulation))
        return simulation
    }

    // Without the events up to a number, which a snapshot doesn't have.
    private func lines(of world: CommandWorld, after number: UInt64) throws -> [String] {
        try world.read(withNumbers: true).filter { line in
            guard let sequence = UInt64(String(line.prefix { $0 != " " })) else { return true }
            return sequence > number
        }
    }

    private func expectSame(_ one: Pieces, _ other: Pieces) {
        #expect(one.map(\.section) == other.map(\.section))
        let different = zip(one, other).filter { $0.bytes != $1.bytes }.map(\.0.section)
        #expect(different.isEmpty)
    }

    @Test("is as the other one was, and goes on like it", arguments: 1...8 as ClosedRange<UInt64>)
    func goesOn(seed: UInt64) throws {
        var commands = RandomCommands(seed: seed)
        var one = try CommandWorld(log: MemoryLog())
        for _ in 0..<3 {
            for _ in 0..<120 { try one.apply(commands.step()) }
            let taken = try one.snapshotPieces()
            let number = one.simulation.journal.lastIssued
            let other = try CommandWorld(restoring: taken, of: one)
            expectSame(try other.snapshotPieces(), taken)
            #expect(other.simulation.events.events(after: 0, through: .max, limit: 1).evictedThrough == number)
            let before = one.answers.count
            let begin = try lines(of: one, after: number)
            expectSame(try lines(of: other, after: number), begin)
            for _ in 0..<120 {
                let step = commands.step()
                try one.apply(step)
                try other.apply(step)
            }
            let ends = (try one.snapshotPieces(), try other.snapshotPieces())
            expectSame(other.answers, Array(one.answers.dropFirst(before)))
            expectSame(try lines(of: other, after: number), try lines(of: one, after: number))
            expectSame(ends.0, ends.1)
            #expect(other.order?.digest == one.order?.digest)
            one = other
        }
    }

    private func expectSame(_ one: [String], _ other: [String]) {
        #expect(one.count == other.count)
        #expect(zip(one, other).first { $0 != $1 }.map { "\($0)\n\($1)" } == nil)
    }

    @Test("holds no private half of a key, and gets those that it has itself") func keys() throws {
        let own = try SigningKey.generate()
        let other = try SigningKey.generate()
        let one = CommandWorld.simulation()
        for key in [own, other] { one.trust.changeKey(key.keyID) { $0[key.keyID] = key } }
        one.trust.changeKey(other.keyID) { _ = $0.revoke(keyID: other.keyID, at: Instant(seconds: 5)) }
        let taken = pieces(of: one)
        for key in [own, other] {
            let secret = try #require(key.privateKey).pem.split(separator: "\n").dropFirst().first.map(String.init)
            let bytes = try #require(secret.flatMap { Base64.decode(Array($0.utf8))?.bytes })
            // The scalar of PKCS#8 begins after 36 bytes of headers.
            let scalar = Array(bytes[36...])
            for piece in taken { #expect(!piece.bytes.contains(scalar)) }
        }
        let restored = CommandWorld.simulation()
        restored.trust.changeKey(own.keyID) { $0[own.keyID] = own }
        var reading = SnapshotReading(for: restored)
        for piece in taken { try reading.add(piece.bytes, of: piece.section) }
        restored.restore(try reading.finish())
        #expect(restored.trust.keys.keys.map(\.keyID) == [own.keyID, other.keyID].sorted())
        #expect(restored.trust.keys[own.keyID]?.privateKey != nil)
        #expect(restored.trust.keys[other.keyID]?.privateKey == nil)
        #expect(restored.trust.keys[other.keyID]?.publicKey == other.publicKey)
        #expect(restored.trust.keys[other.keyID]?.revokedAt == Instant(seconds: 5))
        #expect(restored.trust.resetKeys() == 2)
    }

    @Test("takes up numbers that were given out and never arrived") func missingNumbers() async throws {
        let one = CommandWorld.simulation()
        one.journal.skip([one.journal.takeSequence()])
        _ = one.journal.takeSequence()
        let restored = try restore(pieces(of: one))
        #expect(await restored.journal.settled() == 2)
        #expect(restored.journal.takeSequence() == 3)
    }

    @Test("what is missing, foreign or newer is named") func problems() throws {
        let taken = pieces(of: CommandWorld.simulation())
        func problem(_ pieces: Pieces, seed: UInt64 = 7) -> String? {
            #expect(throws: CodingProblem.self) { try restore(pieces, seed: seed) }?.description
        }
        #expect(problem([]) == "the snapshot ends in its section simulation")
        #expect(problem(taken.dropLast()) == "the snapshot ends in its section devices-63")
        #expect(
            problem(Array(taken.dropFirst()))
                == "the snapshot's section simulation can't be read: 0 pieces are there, and one was expected")
        #expect(problem(taken + [taken[2]]) == "the snapshot has a piece of faults in its section journal")
        #expect(
            problem(taken + [("stars", [1])])
                == "the snapshot has a section stars: it was written by a newer Mynah")
        #expect(
            problem(taken, seed: 8)
                == "the snapshot's section simulation can't be read: the seed was 7 and is 8: expected the same")
        var newer = taken
        newer[2].bytes[0] = 99
        #expect(
            problem(newer)?.hasPrefix(
                "the snapshot's section faults can't be read: version 99 was written by a newer Mynah") == true)
    }

    @Test("damaged bytes are a problem or a simulation") func damage() throws {
        var commands = RandomCommands(seed: 3)
        let world = try CommandWorld(log: MemoryLog())
        for _ in 0..<150 { try world.apply(commands.step()) }
        let taken = try world.snapshotPieces()
        var random = SeededGenerator(seed: 1)
        var problems = 0
        for _ in 0..<300 {
            var damaged = taken
            let piece = Int(random.number(in: 0...Int64(taken.count - 1)))
            let place = Int(random.number(in: 0...Int64(taken[piece].bytes.count - 1)))
            if random.next() % 4 == 0 {
                damaged[piece].bytes.removeSubrange(place...)
            } else {
                damaged[piece].bytes[place] ^= 1 << UInt8(random.number(in: 0...7))
            }
            do throws(CodingProblem) { _ = try restore(damaged) } catch { problems += 1 }
        }
        #expect(problems > 0)
    }
}
