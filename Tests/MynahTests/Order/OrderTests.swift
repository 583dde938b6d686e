import APNsRules
import Foundation
import MynahCore
import MynahTestSupport
import Testing

@testable import Mynah
@testable import MynahStore

/// A log that worlds write to and read again: one in memory, or a run's own.
protocol WorldLog: AnyObject {
    func append(_ batch: [UInt8], time: Instant, rules: UInt32) throws(LogProblem) -> UInt64
    func batch(after position: UInt64) throws(LogProblem) -> LoggedBatch?
}

extension RunLog: WorldLog {}

extension WorldLog {
    /// Adds a batch, and returns it as the log has it.
    func added(_ batch: OrderApplier.Batch) throws(LogProblem) -> LoggedBatch {
        let position = try append(batch.bytes, time: batch.time, rules: OrderApplier.rulesVersion)
        return LoggedBatch(
            position: position, time: batch.time, rules: OrderApplier.rulesVersion, bytes: batch.bytes)
    }
}

extension OrderApplier {
    /// Applies all batches of a log after a position; returns how many changes those were.
    func replay(_ log: any WorldLog, after start: UInt64) throws -> Int {
        var position = start
        var count = 0
        while let batch = try log.batch(after: position) {
            try replay(batch, report: { _ in count += 1 })
            position = batch.position
        }
        return count
    }
}

/// A log in memory.
final class MemoryLog: WorldLog {
    private(set) var batches: [LoggedBatch] = []

    func append(_ batch: [UInt8], time: Instant, rules: UInt32) throws(LogProblem) -> UInt64 {
        batches.append(LoggedBatch(position: UInt64(batches.count) + 1, time: time, rules: rules, bytes: batch))
        return UInt64(batches.count)
    }

    func batch(after position: UInt64) throws(LogProblem) -> LoggedBatch? { batches.first { $0.position > position } }
}

@Suite("Changes in a log")
struct OrderTests {
    private static let stepCount = 300

    private func steps(_ seed: UInt64, isOfCluster: Bool = false) -> [RandomCommands.Step] {
        var commands = RandomCommands(seed: seed, isOfCluster: isOfCluster)
        return (0..<OrderTests.stepCount).map { _ in commands.step() }
    }

    /// A world that has written random changes to a log before it applied them.
    private func world(_ log: any WorldLog, seed: UInt64) throws -> CommandWorld {
        let world = try CommandWorld(log: log)
        for step in steps(seed) { try world.apply(step) }
        try world.carryOut()
        return world
    }

    @Test("a process that reads a log has the state of the one that wrote it", arguments: UInt64(1)...8)
    func replay(_ seed: UInt64) throws {
        let log = MemoryLog()
        let world = try world(log, seed: seed)
        #expect(log.batches.count > 20)
        let other = try CommandWorld(replaying: log, of: world)
        CommandOrderTests.expectSame(try other.read(withNumbers: true), try world.read(withNumbers: true))
        #expect(other.order?.digest == world.order?.digest)
    }

    @Test("a SQLite file serves as the log")
    func sqlite() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/mynah-order-\(UUID().uuidString)"
        defer {
            do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
        }
        let log = try RunLog(folder: folder, sync: .normal)
        let world = try world(log, seed: 9)
        let lines = try world.read(withNumbers: true)
        try log.close()
        let again = try RunLog(folder: folder, sync: .normal)
        CommandOrderTests.expectSame(try CommandWorld(replaying: again, of: world).read(withNumbers: true), lines)
        try again.close()
    }

    @Test("each request is read as it was written", arguments: UInt64(1)...4)
    func requests(_ seed: UInt64) throws {
        var maker = RandomRequests(seed: seed)
        for _ in 0..<200 {
            let push = maker.request()
            var writer = ByteWriter()
            push.write(to: &writer, credential: 0)
            let context = PushCodingContext(
                credentials: [JudgedCredential(push.candidate.credential.recorded)], settings: RuleSettings(), seed: 1,
                wall: push.wall, now: push.wall)
            var reader = ByteReader(writer.bytes)
            let again = try IncomingPush(from: &reader, in: context)
            try reader.end()
            var second = ByteWriter()
            again.write(to: &second, credential: 0)
            #expect(second.bytes == writer.bytes)
            #expect((again.id, again.stream, again.connection) == (push.id, push.stream, push.connection))
            #expect(again.bytes == push.bytes)
            #expect("\(again.verdict)".prefix(8) == "\(push.verdict)".prefix(8))
        }
    }

    @Test("damaged batches are refused or read, and never end the process", arguments: UInt64(1)...4)
    func damage(_ seed: UInt64) throws {
        let log = MemoryLog()
        _ = try world(log, seed: seed)
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<300 {
            var batch = log.batches[Int(random.number(in: 0...Int64(log.batches.count - 1)))].bytes
            let place = Int(random.number(in: 0...Int64(batch.count - 1)))
            if random.next() % 4 == 0 {
                batch.removeSubrange(place...)
            } else {
                batch[place] ^= 1 << (random.next() % 8)
            }
            do throws(CodingProblem) {
                var reader = try BatchReader(batch)
                let context = { (credentials: [JudgedCredential]) in
                    PushCodingContext(
                        credentials: credentials, settings: RuleSettings(), seed: 1, wall: RuleWorld.start,
                        now: RuleWorld.start)
                }
                while try reader.next(in: context) != nil {}
            } catch {
                refused += 1
            }
        }
        #expect(refused > 0)
    }

    @Test("a start from any snapshot comes to the same state and digest, also with withheld requests and live clients")
    func snapshots() throws {
        var withheld = 0
        var connected = 0
        for seed in UInt64(1)...6 {
            let counts = try startFromEachSnapshot(seed)
            withheld += counts.withheld
            connected += counts.connected
        }
        #expect(withheld > 0 && connected > 0)
    }

    private func startFromEachSnapshot(_ seed: UInt64) throws -> (withheld: Int, connected: Int) {
        let log = MemoryLog()
        let world = try CommandWorld(log: log)
        var taken: [(position: UInt64, pieces: CommandWorld.SnapshotPieces)] = []
        var withheld = 0
        var connected = 0
        try world.apply(.command(ConnectDevice.kind, ["id": .string(RandomCommands.devices[4]), "client": 9]))
        for (number, step) in steps(seed, isOfCluster: true).enumerated() {
            try world.apply(step)
            let pendingCount = try #require(world.order).snapshot().order.pending.tickets.count
            guard number % 25 == 0 || (withheld == 0 && pendingCount > 0) else { continue }
            let pieces = try world.snapshotPieces()
            taken.append((UInt64(log.batches.count), pieces))
            withheld += pendingCount
            connected += world.simulation.devices.shards.tables.flatMap(\.connected).count
        }
        let end = try world.snapshotPieces()
        for (position, pieces) in taken {
            let other = try CommandWorld(restoring: pieces, of: world, replaying: log, after: position)
            #expect(other.order?.digest == world.order?.digest)
            let different = zip(try other.snapshotPieces(), end).filter { $0.bytes != $1.bytes }
            #expect(different.map(\.0.section).isEmpty)
        }
        return (withheld, connected)
    }

    @Test("a look without anything due isn't written")
    func idleLook() throws {
        let log = MemoryLog()
        let world = try CommandWorld(log: log)
        try world.carryOut()
        let written = log.batches.count
        try world.apply(.pass(.seconds(1)))
        try world.carryOut()
        #expect(log.batches.count == written)
    }

    @Test("a run follows a clock that is set back, and so does a start that reads it; a cluster doesn't go back")
    func wallSetBack() throws {
        for isOfCluster in [false, true] {
            let log = MemoryLog()
            let world = try CommandWorld(log: log)
            let order = try #require(world.order)
            if isOfCluster { order.sharing = ClusterOrder(BatchOrigin(server: "a", life: 1, number: 0)) }
            let time = try #require(log.batches.last).time.advanced(by: .seconds(60))
            for wall in [time, RuleWorld.start] {
                let change = try OrderedChange(ForgetChannels())
                let batch = try #require(order.batch(of: [change], look: .none, at: wall))
                _ = try order.applyBatch(try log.added(batch))
            }
            let last = isOfCluster ? time : RuleWorld.start
            #expect(log.batches.suffix(2).map(\.time) == [time, last])
            #expect(order.time.wall == last)
            guard !isOfCluster else { continue }
            #expect(order.batch(of: [], look: .ifDue, at: RuleWorld.start.advanced(by: .seconds(-5))) == nil)
            #expect(order.time.wall == RuleWorld.start.advanced(by: .seconds(-5)))
            #expect(try #require(CommandWorld(replaying: log, of: world).order).time.wall == last)
        }
    }

    @Test("a step back of the system's clock is told from its other changes")
    func clockSteps() {
        var comparison = ClockComparison()
        let start = RuleWorld.start
        func note(_ wall: Int, _ uptime: Int) -> Duration? {
            comparison.compareWithLast(wall: start.advanced(by: .seconds(wall)), uptime: .seconds(uptime))?.length
        }
        #expect([note(0, 5), note(1, 6), note(100, 7), note(100, 8)] == [nil, nil, nil, .seconds(1)])
        #expect(note(-7100, 9) == .seconds(7201))
        #expect(note(-7099, 10) == nil)
    }

    @Test("batches, changes and commands of a newer version are named as such")
    func newer() throws {
        #expect(throws: CodingProblem("batches of form 3 were written by a newer Mynah")) { try BatchReader([3]) }
        var writer = BatchWriter()
        writer.add(.command(Look.kind, [0x7b, 0x7d]))
        var bytes = writer.finish(digest: 0)
        let kind = try #require(bytes.lastIndex(of: BatchForm.Kind.command.rawValue))
        for (place, number, changes) in [
            (kind, 200, "changes"), (kind + 1, 200, "commands"), (kind + 1, 0, "commands"),
        ] {
            let before = bytes[place]
            bytes[place] = UInt8(number)
            #expect(throws: CodingProblem("\(changes) of kind \(number) were written by a newer Mynah")) {
                var reader = try BatchReader(bytes)
                _ = try reader.next { _ in preconditionFailure("a command is no push") }
            }
            bytes[place] = before
        }
    }
}

/// Random requests of every kind that a connection hands on.
struct RandomRequests {
    private var random: SeededGenerator
    private var count: UInt64 = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func below(_ count: Int) -> Int { Int(random.number(in: 0...Int64(count - 1))) }

    mutating func request() -> IncomingPush {
        count += 1
        let concernsChannels = below(3) == 0
        var headers = HeaderBlock()
        headers.append(":method", "POST")
        headers.append(
            ":path",
            concernsChannels
                ? "/1/apps/com.example.app/channels" : "/3/device/" + String(repeating: "\(below(10))a", count: 32))
        if below(4) > 0 { headers.append("apns-topic", "com.example.app") }
        if below(3) == 0 { headers.append("x-own", String(repeating: "x", count: below(300))) }
        var request = PushRequest(headers: headers, body: Array(repeating: 0x20, count: below(300)))
        if below(5) == 0 { request.exceedLimit(received: 5000 + below(1000)) }
        let identity = ProviderIdentity(team: "TEAM123456", keyID: "KEY1234567", issuedAt: RuleWorld.start)
        let verdicts: [TrustVerdict] = [.token(identity), .missing, .invalid(Refusal(.invalidProviderToken, "no"))]
        let candidate = Candidate(
            request, credential: JudgedCredential(authorization: nil, verdict: verdicts[below(3)]),
            environment: below(2) == 0 ? .sandbox : .production, settings: RuleSettings(), receivedAt: RuleWorld.start)
        return IncomingPush(
            candidate, verdict(on: candidate, concernsChannels), connection: UInt64(below(1000)),
            stream: Int32(below(2)) * 2_147_483_647, wall: RuleWorld.start,
            random: RequestRandom(connection: UInt64(below(10)), request: count, seed: 1))
    }

    private mutating func verdict(on candidate: Candidate, _ concernsChannels: Bool) -> RuleVerdict {
        let refusal = Refusal(.unregistered, "gone", timestamp: below(2) == 0 ? nil : RuleWorld.start)
        guard concernsChannels else {
            guard below(3) > 0, let admitted = AdmittedPush(again: candidate, contradictsItself: below(2) == 0)
            else { return .refused(refusal) }
            return .admitted(admitted)
        }
        guard below(4) > 0, let request = ChannelRequest(candidate) else { return .management(nil) }
        let id = ChannelID(high: random.next(), low: random.next())
        let calls: [AdmittedChannelRequest] = [.create(.mostRecent), .read(id), .delete(id), .list]
        switch below(4) {
        case 0: return .broadcast(IncomingChannelRequest(request, .success(.broadcast(to: id))))
        case 1: return .broadcast(IncomingChannelRequest(request, .failure(refusal)))
        default: return .management(IncomingChannelRequest(request, .success(calls[below(4)])))
        }
    }
}
