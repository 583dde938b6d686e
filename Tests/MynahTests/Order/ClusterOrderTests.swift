import APNsRules
import MynahCore
import MynahStore
import MynahTrust
import Testing

@testable import Mynah

/// A log in memory that several servers share, whose stamps are everybody's time.
private final class SharedLog {
    private(set) var batches: [LoggedBatch] = []
    private var now = Instant(milliseconds: 1_767_225_600_000)

    func append(_ bytes: [UInt8], after pause: Duration = .milliseconds(1)) {
        now = now.advanced(by: pause)
        batches.append(LoggedBatch(position: UInt64(batches.count) + 1, time: now, rules: 1, bytes: bytes))
    }
}

/// A server of a cluster, as far as the order goes.
private final class ClusterServer {
    let applier: OrderApplier
    let cluster: ClusterOrder
    let simulation = CommandWorld.simulation()
    private let log: SharedLog
    /// The outcomes of its own batches, and whether they were void.
    private(set) var outcomes: [[ChangeOutcome]] = []
    private(set) var voids: [Bool] = []

    init(_ name: String, _ log: SharedLog, life: UInt64 = 1) {
        self.log = log
        applier = OrderApplier(simulation, lastTime: Instant(milliseconds: 0))
        cluster = ClusterOrder(BatchOrigin(server: name, life: life, number: 0))
        applier.sharing = cluster
    }

    /// A server that joins by the snapshot of another one.
    init(_ name: String, joining other: ClusterServer) throws {
        log = other.log
        applier = OrderApplier(simulation, lastTime: Instant(milliseconds: 0))
        var pieces: CommandWorld.SnapshotPieces = []
        other.applier.snapshot().forEachPiece { pieces.append(($0, $1)) }
        let snapshot = try CommandWorld.snapshot(of: pieces, for: simulation)
        cluster = ClusterOrder(
            BatchOrigin(server: name, life: 1, number: 0),
            members: try ClusterMembers(coded: try #require(snapshot.order.logState).bytes))
        applier.sharing = cluster
        applier.restore(snapshot, at: other.applier.position)
    }

    private(set) var effects: [ClusterOrder.Effects] = []
    /// What it has counted for `/metrics`.
    var counts: AnswerCounts {
        var counts = applier.answers
        counts.add(simulation.journal.laterOutcomes)
        return counts
    }

    /// Applies some of what it hasn't applied yet.
    func follow(atMost count: Int = .max) throws {
        for batch in log.batches[Int(applier.position)...].prefix(count) {
            let applied = try applier.applyBatch(batch)
            effects.append(cluster.effects)
            guard applied.isAwaited else { continue }
            outcomes.append(applied.outcomes ?? [])
            voids.append(applied.outcomes == nil)
        }
    }

    /// Has changes appended in one batch, which may come twice, and applies everything up to it.
    func submit(_ changes: [OrderedChange], doubled: Bool = false, after pause: Duration = .milliseconds(1)) throws {
        let batch = try #require(applier.batch(of: changes, look: .none, at: Instant(milliseconds: 0)))
        log.append(batch.bytes, after: pause)
        if doubled { log.append(batch.bytes) }
        try follow()
    }

    func newLife() {
        cluster.origin = BatchOrigin(server: cluster.origin.server, life: cluster.origin.life + 1, number: 0)
    }

    var isAlive: Bool { cluster.members[cluster.origin.server]?.isAlive == true }

    func pieces() -> CommandWorld.SnapshotPieces {
        var pieces: CommandWorld.SnapshotPieces = []
        applier.snapshot().forEachPiece { pieces.append(($0, $1)) }
        return pieces
    }
}

@Suite("Servers of a cluster")
struct ClusterOrderTests {
    private func expectSame(_ one: ClusterServer, _ other: ClusterServer) {
        #expect(one.applier.digest == other.applier.digest)
        let one = one.pieces()
        let other = other.pieces()
        #expect(one.count == other.count)
        let different = zip(one, other).filter { $0.bytes != $1.bytes }
        #expect(different.map(\.0.section) == [])
    }

    private func change(_ step: RandomCommands.Step, _ requests: inout RandomRequests, of server: ClusterServer) throws
        -> OrderedChange?
    {
        switch step {
        case .push: return .push(requests.request(), judged: server.cluster.members.revision)
        case .command(let kind, let document):
            guard document["nth"] == nil, (try? CommandCoding.decode(kind.command, document.encoded.span)) != nil
            else { return nil }
            return .command(kind, document.encoded)
        case .release(let nth):
            return server.applier.state.pending.tickets.dropLast(nth).last.map { .release($0) }
        case .abandon(let nth):
            return server.applier.state.pending.tickets.dropLast(nth).last.map { .abandon($0) }
        case .started, .look, .pass: return nil
        }
    }

    @Test("come to the same state, whatever borders batches have, and whatever comes twice", arguments: UInt64(1)...4)
    func sameState(_ seed: UInt64) throws {
        let log = SharedLog()
        var servers = ["a", "b", "c"].map { ClusterServer($0, log) }
        var commands = RandomCommands(seed: seed, isOfCluster: true)
        var random = SeededGenerator(seed: seed)
        var joined = 0
        var requests = RandomRequests(seed: seed)
        func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        try servers[0].submit([ClusterChange.begin([1, 2, 3]).ordered])
        for step in RandomCommands.baseline {
            if let change = try change(step, &requests, of: servers[0]) { try servers[0].submit([change]) }
        }
        for server in servers.dropFirst() { try server.submit([ClusterChange.takeNumbers.ordered]) }
        for _ in 0..<120 {
            let server = servers[below(servers.count)]
            if !server.isAlive { server.newLife() }
            var changes: [OrderedChange] = server.isAlive ? [] : [ClusterChange.takeNumbers.ordered]
            for _ in 0..<(1 + below(5)) {
                if let change = try change(commands.step(), &requests, of: server) { changes.append(change) }
            }
            if below(3) == 0 { changes.append(ClusterChange.alive.ordered) }
            if !changes.isEmpty {
                try server.submit(
                    changes, doubled: below(5) == 0, after: [.milliseconds(1), .seconds(2), .seconds(70)][below(3)])
            }
            try servers[below(servers.count)].follow(atMost: below(4))
            if below(20) == 0 {
                joined += 1
                servers[below(servers.count)] = try ClusterServer("joined-\(joined)", joining: servers[0])
            }
        }
        #expect(joined > 0)
        for server in servers { try server.follow() }
        for server in servers.dropFirst() { expectSame(servers[0], server) }
        // And who reads everything from the beginning.
        let late = ClusterServer("late", log)
        try late.follow()
        expectSame(servers[0], late)
    }

    @Test("a batch that comes twice has an effect once")
    func twice() throws {
        let log = SharedLog()
        let a = ClusterServer("a", log)
        let b = ClusterServer("b", log)
        try a.submit([ClusterChange.begin([1]).ordered])
        try a.submit([try OrderedChange(PutDevice.kim)], doubled: true)
        try b.follow()
        #expect(a.outcomes.count == 3)
        #expect(a.voids == [false, false, true])
        expectSame(a, b)
    }

    @Test("a push that was judged before a change of keys is judged again")
    func staleVerdict() throws {
        let log = SharedLog()
        let a = ClusterServer("a", log)
        let b = ClusterServer("b", log)
        var requests = RandomRequests(seed: 3)
        try a.submit([ClusterChange.begin([1]).ordered])
        try b.submit([ClusterChange.takeNumbers.ordered])
        let revision = b.cluster.members.revision
        try a.submit([try OrderedChange(ResetKeys())])
        let request = requests.request()
        try b.submit([.push(request, judged: revision), .push(request, judged: revision + 1)])
        let kinds = (b.outcomes.last ?? []).map { outcome in
            switch outcome {
            case .stale: "stale"
            case .push: "push"
            default: "other"
            }
        }
        #expect(kinds == ["stale", "push"])
        try a.follow()
        expectSame(a, b)
    }

    @Test("a server that is silent while another says five times that it is alive has gone, with all that it had")
    func gone() throws {
        let log = SharedLog()
        let a = ClusterServer("a", log)
        let b = ClusterServer("b", log)
        try a.submit([ClusterChange.begin([1]).ordered])
        let opened = NoteConnection(change: .opened, connection: ["id": 10_001, "peer": "p", "server": "b"])
        try b.submit([ClusterChange.takeNumbers.ordered, try OrderedChange(opened)])
        #expect(b.cluster.members.holder(of: 10_001) == "b")
        for _ in 1..<ClusterMembers.silenceMax { try a.submit([ClusterChange.alive.ordered]) }
        #expect(a.cluster.members["b"]?.isAlive == true)
        // Who speaks is heard.
        try b.submit([ClusterChange.alive.ordered])
        for _ in 0..<ClusterMembers.silenceMax { try a.submit([ClusterChange.alive.ordered]) }
        #expect(a.cluster.members["b"]?.isAlive == false)
        #expect(a.cluster.members.holder(of: 10_001) == nil)
        // What its life still sends is void; a new one begins.
        let before = a.simulation.journal.lastIssued
        try b.submit([try OrderedChange(PutDevice.kim)])
        try a.follow()
        #expect(b.voids.last == true)
        #expect(a.simulation.journal.lastIssued == before)
        b.newLife()
        try b.submit([ClusterChange.takeNumbers.ordered, try OrderedChange(PutDevice.kim)])
        try a.follow()
        #expect(a.cluster.members["b"]?.isAlive == true)
        #expect(a.simulation.journal.lastIssued > before)
        expectSame(a, b)
    }

    @Test("a new connection costs the other servers the same, however many are open")
    func costOfConnection() throws {
        let log = SharedLog()
        let a = ClusterServer("a", log)
        let b = ClusterServer("b", log)
        try a.submit([ClusterChange.begin([1]).ordered])
        try b.submit([ClusterChange.takeNumbers.ordered])
        var costs: [[Int]] = []
        for number in 10_001...10_600 {
            let connection: JSONValue = ["id": .whole(number), "peer": "127.0.0.1:4711", "server": "b"]
            for change in [
                try OrderedChange(NoteConnection(change: .opened, connection: connection)),
                try OrderedChange(
                    NoteCredential(connection: UInt64(number), credential: ["type": "token", "keyId": "ABC123DEFG"])),
            ] {
                let batches = log.batches.count
                try b.submit([change])
                try a.follow()
                // What it learns, and what it tells its list of connections.
                let told = try #require(a.effects.last).connections
                costs.append([log.batches.count - batches, log.batches[batches].bytes.count, told.count])
            }
        }
        // Numbers of batches are longer later, by two bytes each at most.
        let first = costs.prefix(2)
        let last = costs.suffix(2)
        for (one, other) in zip(first, last) {
            #expect(one[0] == 1 && other[0] == 1)
            #expect(one[2] == 1 && other[2] == 1)
            #expect(other[1] - one[1] <= 8, "\(one) \(other)")
        }
        #expect(costs.allSatisfy { $0[1] < 300 })
        #expect(a.cluster.members.connections.count == 600)
    }

    @Test("numbers of connections are given to one server alone")
    func numbers() throws {
        let log = SharedLog()
        let servers = ["a", "b", "c"].map { ClusterServer($0, log) }
        try servers[0].submit([ClusterChange.begin([1]).ordered])
        for _ in 0..<3 { for server in servers { try server.submit([ClusterChange.takeNumbers.ordered]) } }
        let blocks = servers.flatMap { $0.outcomes.joined() }.compactMap { outcome in
            if case .numbers(let block) = outcome { block } else { nil }
        }
        #expect(blocks.count == 9)
        let sorted = blocks.sorted { $0.lowerBound < $1.lowerBound }
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    }

    @Test("what becomes of pushes later is counted by the server whose change caused it, and by no other")
    func counts() throws {
        let log = SharedLog()
        let a = ClusterServer("a", log)
        let b = ClusterServer("b", log)
        var requests = RandomRequests(seed: 5)
        try a.submit([ClusterChange.begin([1]).ordered])
        let devices = try (0..<10).map { number in
            let app: JSONValue = [
                "topic": "com.example.app", "token": .string(String(repeating: "\(number)a", count: 32)),
            ]
            return try DeviceSpecification(
                json: ["id": .string("phone-\(number)"), "registrations": [app]],
                tokenByteCounts: DeviceToken.anyByteCounts)
        }
        try a.submit([try OrderedChange(CreateDevices(specifications: devices))])
        try b.submit([ClusterChange.takeNumbers.ordered])
        func setOnline(_ online: Bool) throws -> OrderedChange {
            try OrderedChange(
                ChangeDevices(filter: DeviceFilter(), patch: DevicePatch(json: ["online": .bool(online)])))
        }
        try a.submit([setOnline(false)])
        for _ in 0..<40 { try a.submit([.push(requests.request(), judged: a.cluster.members.revision)]) }
        let before = a.counts
        #expect(before.count(of: .stored) > 0)
        try b.submit([setOnline(true)])
        try a.follow()
        #expect(a.counts == before)
        let delivered = b.counts.count(of: .delivered)
        #expect(delivered > 0)
        // A further server, and one that reads what its last process wrote, count none of it.
        for server in [ClusterServer("c", log), ClusterServer("b", log, life: 2)] {
            try server.follow()
            #expect(server.counts == AnswerCounts())
            #expect(server.simulation.journal.lastIssued == b.simulation.journal.lastIssued)
        }
    }

    @Test("a reset on one server makes all forget their closed connections, and a scope's reset none")
    func forgottenConnections() throws {
        let log = SharedLog()
        let a = ClusterServer("a", log)
        let b = ClusterServer("b", log)
        func reset(_ parts: Set<ResetPart>, ofScope scope: String? = nil) throws -> OrderedChange {
            try OrderedChange(Reset(parts: parts, scope: scope, restoresBaseline: true, connectionCount: 0))
        }
        try a.submit([ClusterChange.begin([1]).ordered])
        try a.submit([reset([.devices]), reset([.notifications], ofScope: "t1")])
        try a.submit([reset([.notifications])])
        try b.follow()
        for server in [a, b] { #expect(server.effects.map(\.forgetsConnections) == [false, false, true]) }
    }

    @Test("fixtures are loaded once, by whichever server comes first, and none is left of those that are refused")
    func fixtures() throws {
        let log = SharedLog()
        let a = ClusterServer("a", log)
        let b = ClusterServer("b", log)
        let device = try DeviceSpecification(json: ["id": "kim"], at: "", tokenByteCounts: DeviceToken.anyByteCounts)
        let channel = try ChannelSpecification(json: ["bundleId": "com.example.app"], at: "")
        let rule = try FaultDraft(json: ["action": ["type": "stall"]])
        let scenario = try Scenario(
            json: ["name": "s", "steps": [["after": "0s", "add": [["action": ["type": "stall"]]]]]])
        try a.submit([ClusterChange.begin([1]).ordered])
        // The first server dies in between; the next one's are refused, as a scenario is there twice.
        try b.submit([
            try OrderedChange(
                LoadFixtures(channels: [channel], devices: [device], faults: [rule], scenarios: [scenario, scenario]))
        ])
        guard case .command(let command)? = b.outcomes.last?.first, let error = command.failure as? InputError else {
            Issue.record("the same scenario was started twice")
            return
        }
        #expect(error.field.hasPrefix("/scenarios/1"))
        #expect(!b.simulation.isLoaded && b.simulation.devices.shards.count == 0)
        #expect(b.simulation.channels.read { $0.count } == 0 && b.simulation.faults.views.isEmpty)
        let whole = LoadFixtures(channels: [channel], devices: [device], faults: [rule], scenarios: [scenario])
        try b.submit([try OrderedChange(whole)])
        try a.submit([try OrderedChange(whole)])
        for server in [a, b] {
            try server.follow()
            #expect(server.simulation.isLoaded && server.simulation.devices.shards.count == 1)
            #expect(server.simulation.faults.views.count == 2)
        }
        expectSame(a, b)
        try a.submit([
            try OrderedChange(
                Reset(parts: [.devices, .faults], scope: nil, restoresBaseline: true, connectionCount: 0))
        ])
        #expect(a.simulation.devices.shards.count == 1 && a.simulation.faults.views.count == 2)
    }

    @Test("a certificate that one server revokes is revoked on all, and on those that join by a snapshot")
    func revokedCertificate() throws {
        let log = SharedLog()
        let a = ClusterServer("a", log)
        let b = ClusterServer("b", log)
        try a.submit([ClusterChange.begin([1]).ordered])
        func item(revokedAt: Instant?) throws -> CertificateLedger.Item {
            try CertificateLedger.Item(
                der: CommandSamples.certificate, issuedAt: Instant(milliseconds: 1), revokedAt: revokedAt)
        }
        try b.submit([
            ClusterChange.takeNumbers.ordered, try OrderedChange(NoteCertificate(item: try item(revokedAt: nil))),
        ])
        let revision = b.cluster.members.revision
        let identity = try item(revokedAt: nil).identity
        try a.submit([try OrderedChange(NoteCertificate(item: try item(revokedAt: Instant(milliseconds: 5))))])
        // Older news changes nothing.
        try a.submit([try OrderedChange(NoteCertificate(item: try item(revokedAt: nil)))])
        try b.follow()
        #expect(b.cluster.members.revision > revision)
        for server in [a, b, try ClusterServer("c", joining: b)] {
            #expect(server.simulation.trust.authorities.isRevoked(identity))
            #expect(server.simulation.trust.certificates.items.map(\.revokedAt) == [Instant(milliseconds: 5)])
        }
    }

    @Test("a server that begins the cluster anew ends the lives of the others, which are told")
    func begunAnew() throws {
        let log = SharedLog()
        let a = ClusterServer("a", log)
        let b = ClusterServer("b", log)
        try a.submit([ClusterChange.begin([1]).ordered])
        let opened = NoteConnection(change: .opened, connection: ["id": 10_001, "peer": "p", "server": "b"])
        try b.submit([ClusterChange.takeNumbers.ordered, try OrderedChange(opened), try OrderedChange(PutDevice.kim)])
        #expect(b.effects.allSatisfy { $0.beginner == nil })
        let c = ClusterServer("c", log)
        try c.follow()
        try c.submit([ClusterChange.begin([2]).ordered])
        try b.follow()
        #expect(b.effects.last?.beginner == "c")
        #expect(c.cluster.members.living == ["c"] && c.cluster.members.identity == [2])
        #expect(c.cluster.members.holder(of: 10_001) == nil)
        // What they still send is void.
        let before = c.simulation.journal.lastIssued
        try b.submit([try OrderedChange(PutDevice.kim)])
        try c.follow()
        #expect(b.voids.last == true && c.simulation.journal.lastIssued == before)
        expectSame(b, c)
        // The state goes on in another simulation, with the log's position and the server's place.
        let origin = c.cluster.origin
        let continued = try c.applier.continued(in: CommandWorld.simulation())
        #expect(continued.position == c.applier.position && c.cluster.origin == origin)
        #expect(continued.sharing === c.cluster && c.cluster.members.living == ["c"])
    }

    @Test("servers that come to different states find that out")
    func different() throws {
        let log = SharedLog()
        let a = ClusterServer("a", log)
        let b = ClusterServer("b", log)
        try a.submit([ClusterChange.begin([1]).ordered])
        try b.submit([ClusterChange.takeNumbers.ordered])
        // What is no change of the log.
        _ = b.simulation.journal.takeSequence()
        try b.submit([ClusterChange.takeNumbers.ordered])
        try b.submit([ClusterChange.takeNumbers.ordered])
        #expect(throws: CodingProblem.self) { try a.follow() }
        // As is expected of one that has other rules.
        let c = ClusterServer("c", log)
        for batch in log.batches {
            c.cluster.forgetDigests()
            _ = try c.applier.applyBatch(batch)
        }
        #expect(c.applier.position == b.applier.position)
    }
}

extension PutDevice {
    fileprivate static let kim: PutDevice = {
        do {
            return try DocumentDecoder.read(PutDevice.self, from: ["id": "kim", "specification": ["id": "kim"]])
        } catch {
            preconditionFailure("\(error)")
        }
    }()
}
