import APNsRules
import Foundation
import MynahCore
import Testing

@testable import Mynah
@testable import MynahStore

@Suite("A recorded run")
struct RecordedRunTests {
    private typealias Piece = (section: String, bytes: [UInt8])

    /// What a simulation had after a change.
    private struct Stop {
        let sequence: UInt64
        let position: UInt64
        let time: Instant
        let pieces: [Piece]
    }

    private static let stepCount = 120
    /// The time at which a `CommandWorld` begins.
    private static let start = Instant(milliseconds: 1_767_225_600_000)

    /// A test's own folder, removed after the test.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.path + "/mynah-recorded-\(UUID().uuidString)"

        deinit {
            do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) }
        }
    }

    private static func pieces(_ snapshot: SimulationSnapshot) -> [Piece] {
        var pieces: [Piece] = []
        snapshot.forEachPiece { pieces.append(($0, $1)) }
        return pieces
    }

    private static func simulation(_ choices: Choices) -> Simulation {
        CommandWorld.simulation(firstNumber: 10_000, seed: choices.seed) { $0 = choices.settings }
    }

    private static func writeSnapshot(_ applier: OrderApplier, _ choices: Choices, to log: RunLog) throws {
        guard
            try log.beginSnapshot(
                at: log.lastPosition, time: applier.lastTime, rules: OrderApplier.rulesVersion)
        else { return }
        let mark = KeptRun.Mark(choices: choices, lastSequence: applier.lastSequence)
        try log.add(SnapshotPiece(section: "run", bytes: mark.bytes))
        try applier.snapshot().forEachPiece { section, bytes throws(LogProblem) in
            try log.add(SnapshotPiece(section: section, bytes: bytes))
        }
        try log.completeSnapshot()
    }

    /// A folder with random changes, several to a batch, and a snapshot at every tenth batch; also in `source`, without
    /// snapshots.
    ///
    /// - Parameter record: What is recorded of a batch, and by rules of which version.
    private func write(
        to folder: String, seed: UInt64,
        record: (LoggedBatch) -> (bytes: [UInt8], rules: UInt32) = { ($0.bytes, $0.rules) }
    ) throws -> (source: MemoryLog, choices: Choices) {
        let source = MemoryLog()
        let world = try CommandWorld(log: source)
        var commands = RandomCommands(seed: seed)
        for _ in 0..<RecordedRunTests.stepCount { try world.apply(commands.step()) }
        try world.carryOut()

        let choices = Choices(seed: 7, settings: world.simulation.settings)
        let log = try RunLog(folder: folder, sync: .normal)
        let applier = applier(choices)
        try RecordedRunTests.writeSnapshot(applier, choices, to: log)
        for (number, batch) in source.batches.enumerated() {
            let (bytes, rules) = record(batch)
            _ = try log.append(bytes, time: batch.time, rules: rules)
            try applier.replay(batch)
            if number % 10 == 9 { try RecordedRunTests.writeSnapshot(applier, choices, to: log) }
        }
        try log.close()
        return (source, choices)
    }

    private func applier(_ choices: Choices) -> OrderApplier {
        OrderApplier(RecordedRunTests.simulation(choices), lastTime: RecordedRunTests.start)
    }

    /// The state after each change of a log, as it is applied.
    private func stops(of applier: OrderApplier, in source: MemoryLog) throws -> [Stop] {
        var stops: [Stop] = []
        for batch in source.batches {
            try applier.replay(
                batch,
                report: { _ in
                    stops.append(
                        Stop(
                            sequence: applier.lastSequence, position: batch.position, time: applier.lastTime,
                            pieces: RecordedRunTests.pieces(applier.snapshot())))
                })
        }
        return stops
    }

    private func state(
        _ run: RecordedRun, at place: RecordedRun.Place
    ) throws -> (pieces: [Piece], place: RecordedPlace) {
        let (simulation, reached, order) = try run.state(at: place, make: RecordedRunTests.simulation)
        return (RecordedRunTests.pieces(simulation.snapshot(order)), reached)
    }

    private static func differences(_ one: [Piece], _ other: [Piece], besides: String = "") -> [String] {
        let one = one.filter { $0.section != besides }
        let other = other.filter { $0.section != besides }
        return one.count == other.count
            ? zip(one, other).filter { $0.bytes != $1.bytes }.map(\.0.section)
            : ["\(one.count) and \(other.count) pieces"]
    }

    @Test("has at each number the state after the change that gave it", arguments: UInt64(1)...3)
    func sequences(_ seed: UInt64) throws {
        let kept = Folder()
        let folder = kept.path
        defer { withExtendedLifetime(kept) {} }
        let (source, choices) = try write(to: folder, seed: seed)
        let applier = applier(choices)
        let stops = try stops(of: applier, in: source)
        let last = applier.lastSequence
        let run = try RecordedRun(reading: folder)
        var fromSnapshot = 0
        var amidBatch = 0
        // Once the end is known, states are copied on the way, from which later places are reached.
        if seed > 1 { _ = try state(run, at: .end) }
        let sequences = Array(stride(from: UInt64(10_000), through: last, by: 3))
        for sequence in seed > 2 ? sequences.reversed() : sequences {
            let expected = try #require(stops.first { $0.sequence >= sequence })
            let (pieces, place) = try state(run, at: .sequence(sequence))
            #expect(RecordedRunTests.differences(pieces, expected.pieces).isEmpty, "at \(sequence)")
            #expect((place.sequence, place.time) == (expected.sequence, expected.time))
            #expect(place.position <= expected.position)
            if expected.position > 10 { fromSnapshot += 1 }
            if stops.last(where: { $0.position == expected.position })?.sequence != expected.sequence {
                amidBatch += 1
            }
        }
        #expect(fromSnapshot > 0 && amidBatch > 0)
        let (end, place) = try state(run, at: .end)
        #expect(RecordedRunTests.differences(end, RecordedRunTests.pieces(applier.snapshot())).isEmpty)
        #expect((place.sequence, place.position) == (last, UInt64(source.batches.count)))
    }

    @Test("has at each time what a look would have seen then", arguments: UInt64(4)...5)
    func times(_ seed: UInt64) throws {
        let kept = Folder()
        let folder = kept.path
        defer { withExtendedLifetime(kept) {} }
        let (source, choices) = try write(to: folder, seed: seed)
        let run = try RecordedRun(reading: folder)
        let times = Set(source.batches.map(\.time)).sorted()
        for (number, time) in times.enumerated() where number % 4 == 0 {
            let place = time.advanced(by: .milliseconds(number % 8 == 0 ? 0 : 15))
            let applier = applier(choices)
            for batch in source.batches where batch.time <= place { try applier.replay(batch) }
            if let look = applier.batch(of: [], look: .ifDue, at: place) {
                _ = try applier.applyBatch(try source.added(look))
            }
            let (pieces, reached) = try state(run, at: .time(place))
            let expected = RecordedRunTests.pieces(applier.snapshot())
            #expect(RecordedRunTests.differences(pieces, expected, besides: "order").isEmpty, "at \(place)")
            #expect(reached.time == place)
        }
    }

    @Test("says which places it has")
    func places() throws {
        let kept = Folder()
        let folder = kept.path
        defer { withExtendedLifetime(kept) {} }
        let (source, choices) = try write(to: folder, seed: 6)
        let applier = applier(choices)
        for batch in source.batches { try applier.replay(batch) }
        let last = applier.lastSequence
        let run = try RecordedRun(reading: folder + "/" + RunLog.fileName)
        #expect(throws: InputError(.invalid, "the run has no number \(last + 1): expected 9999 to \(last)")) {
            try state(run, at: .sequence(last + 1))
        }
        #expect(throws: InputError(.invalid, "the run has no number 9998: expected 9999 or more")) {
            try state(run, at: .sequence(9998))
        }
        #expect(try state(run, at: .sequence(9999)).place.position == 0)
        let early = RecordedRunTests.start.advanced(by: .seconds(-1))
        let problem =
            "the run has no state at \(early.rfc3339): expected \(RecordedRunTests.start.rfc3339) or later"
        #expect(throws: InputError(.invalid, problem)) { try state(run, at: .time(early)) }
    }

    @Test("says where a replay parts from what was recorded", arguments: [true, false])
    func differences(areRulesOthers: Bool) throws {
        let kept = Folder()
        let folder = kept.path
        defer { withExtendedLifetime(kept) {} }
        let altered: UInt64 = 4
        let (source, choices) = try write(to: folder, seed: 7) { batch in
            guard batch.position == altered else { return (batch.bytes, batch.rules) }
            var bytes = batch.bytes
            // In the digest, which follows the form.
            if !areRulesOthers { bytes[1] ^= 1 }
            return (bytes, areRulesOthers ? OrderApplier.rulesVersion + 1 : batch.rules)
        }
        let stops = try stops(of: applier(choices), in: source)
        let run = try RecordedRun(reading: folder)
        // Snapshots are what was recorded, and the first is after batch 10.
        var found: [Bool: Int] = [:]
        for _ in 0..<2 {
            for stop in stops {
                let place = try state(run, at: .sequence(stop.sequence)).place
                let isAltered = (altered...10).contains(place.position)
                #expect(place.difference?.position == (isAltered ? altered : nil), "at \(place.position)")
                found[isAltered, default: 0] += 1
            }
            // Then states are copied on the way.
            #expect(try state(run, at: .end).place.difference == nil)
        }
        #expect(found.count == 2)
        let place = try state(run, at: .sequence(try #require(stops.last { $0.position == altered }).sequence)).place
        let text =
            areRulesOthers
            ? "batch 4 was recorded by rules of version \(OrderApplier.rulesVersion + 1)"
            : "before batch 4 was something else"
        #expect(place.difference?.description.contains(text) == true)
    }

    @Test("without a state to begin with can't be read, nor before it has begun", arguments: [true, false])
    func withoutSnapshots(hasBegun: Bool) throws {
        let kept = Folder()
        let folder = kept.path
        defer { withExtendedLifetime(kept) {} }
        let log = try RunLog(folder: folder, sync: .normal)
        if hasBegun { _ = try log.append([1], time: Instant(milliseconds: 0), rules: OrderApplier.rulesVersion) }
        try log.close()
        let problem = #expect(throws: LogProblem.self) { try RecordedRun(reading: folder) }
        #expect(problem?.code == (hasBegun ? .damaged : .missing))
        #expect(problem?.problem.contains(hasBegun ? "it has no state to begin with" : "it has no run yet") == true)
    }
}
