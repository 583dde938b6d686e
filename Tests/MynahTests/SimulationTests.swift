import APNsRules
import Logging
import MynahCore
import MynahTrust
import Synchronization
import Testing

@testable import Mynah

/// A simulation to which steps are applied in one order, on a wall that stands.
final class CommandWorld {
    private static let start = Instant(milliseconds: 1_767_225_600_000)
    /// The first number, so that no other number of a document is one of a push.
    private static let firstNumber: UInt64 = 10_000

    let simulation: Simulation
    /// Who applies the steps, if they go by a log.
    let order: OrderApplier?
    private let log: (any WorldLog)?
    private let applier: PushApplier
    // The changes that are not in the log yet.
    private var gathered: [OrderedChange] = []
    private var now = CommandWorld.start
    private var requestCount: UInt64 = 0
    /// The pushes in their order.
    private var sequences: [UInt64] = []
    /// Those of withheld requests in their order, also of answered ones.
    private var tickets: [PendingPush.Ticket] = []
    /// What each step answered: an error's text, or nothing.
    private(set) var answers: [String] = []

    /// - Parameter log: Gets the changes before they are applied; without one they are applied in place.
    init(
        log: (any WorldLog)? = nil, keys: [SigningKey] = [], _ change: (inout Settings) -> Void = { _ in }
    ) throws {
        simulation = CommandWorld.simulation(firstNumber: CommandWorld.firstNumber, keys: keys, change)
        applier = PushApplier(simulation, clocks: simulation.devices.currentClocks)
        self.log = log
        order = log.map { [simulation] _ in OrderApplier(simulation, lastTime: CommandWorld.start) }
        simulation.wall.set(to: now)
        for step in RandomCommands.baseline { try apply(step) }
        try carryOut()
        #expect(answers.allSatisfy { $0.isEmpty }, "the baseline is refused: \(answers)")
    }

    /// A world that has applied all changes of a log, at the time of the world that wrote it.
    init(replaying log: any WorldLog, of other: CommandWorld) throws {
        simulation = CommandWorld.simulation(firstNumber: CommandWorld.firstNumber)
        applier = PushApplier(simulation, clocks: simulation.devices.currentClocks)
        let order = OrderApplier(simulation, lastTime: CommandWorld.start)
        #expect(try order.replay(log, after: 0) > 0)
        self.order = order
        self.log = log
        now = other.now
        // What a look without anything due makes of the time is not in the log.
        try carryOut()
    }

    /// A world with a simulation that was restored from pieces of another one's snapshot, and has applied the changes of
    /// a log behind a position, at the same time.
    init(
        restoring pieces: SnapshotPieces, of other: CommandWorld, in simulation: Simulation = CommandWorld.simulation(),
        replaying log: any WorldLog = MemoryLog(), after position: UInt64 = 0
    ) throws {
        self.simulation = simulation
        applier = PushApplier(simulation, clocks: simulation.devices.currentClocks)
        let order = OrderApplier(simulation, lastTime: CommandWorld.start)
        order.restore(try CommandWorld.snapshot(of: pieces, for: simulation))
        self.order = order
        self.log = log
        _ = try order.replay(log, after: position)
        now = other.now
        requestCount = other.requestCount
        sequences = other.sequences
        tickets = other.tickets
        // What a look without anything due makes of the time is not in the log.
        try carryOut()
    }

    /// A world that goes on in another simulation, with other settings.
    init(continuing other: CommandWorld, in simulation: Simulation) throws {
        let order = try #require(other.order)
        self.simulation = simulation
        self.order = try order.continued(in: simulation)
        log = other.log
        applier = PushApplier(simulation, clocks: simulation.devices.currentClocks)
        now = other.now
        requestCount = other.requestCount
        sequences = other.sequences
        tickets = other.tickets
    }

    typealias SnapshotPieces = [(section: String, bytes: [UInt8])]

    /// The pieces of a snapshot, after all that was gathered is done.
    func snapshotPieces() throws -> SnapshotPieces {
        try carryOut()
        var pieces: SnapshotPieces = []
        try #require(order).snapshot().forEachPiece { pieces.append(($0, $1)) }
        return pieces
    }

    static func snapshot(
        of pieces: SnapshotPieces, for simulation: Simulation
    ) throws(CodingProblem) -> SimulationSnapshot {
        var reading = SnapshotReading(for: simulation)
        for piece in pieces { try reading.add(piece.bytes, of: piece.section) }
        return try reading.finish()
    }

    /// Journals that have given up all numbers before their first one, which takes long; simulations share them.
    private static let begun = Mutex<[[UInt64]: Journal]>([:])

    private static func begun(with firstNumber: UInt64, retain: Int) -> Journal {
        begun.withLock { begun in
            let key = [firstNumber, UInt64(retain)]
            if let journal = begun[key] { return journal }
            var journal = Journal(bounds: JournalBounds(entriesMax: retain))
            journal.skipMissing(through: firstNumber - 1)
            begun[key] = journal
            return journal
        }
    }

    static func simulation(
        firstNumber: UInt64 = 1, seed: UInt64 = 7, retain: Int = 100_000, keys: [SigningKey] = [],
        authentication: TokenAuthentication = .structural, _ change: (inout Settings) -> Void = { _ in }
    ) -> Simulation {
        var logger = Logger(label: "mynah.test")
        logger.logLevel = .critical
        let journal = JournalStore(bounds: JournalBounds(entriesMax: retain)) { _ in }
        journal.restore(begun(with: firstNumber, retain: retain), lastIssued: firstNumber - 1)
        var settings = Settings()
        settings.backgroundBudget = 2
        settings.unregisterDelay = .zero ... .seconds(600)
        change(&settings)
        let trust = TrustStore(keys: SigningKeyRing(keys), authentication: authentication)
        return Simulation(
            settings: settings, seed: seed, journal: journal, trust: trust, log: ConnectionLog(logger),
            clock: ClockState())
    }

    func perform(_ command: some Command) throws {
        try apply(.command(type(of: command).kind, DocumentEncoder.document(of: command)))
    }

    func apply(_ step: RandomCommands.Step) throws {
        switch step {
        case .pass(let time):
            try carryOut()
            now = now.advanced(by: time)
            if order == nil { simulation.wall.set(to: now) }
        case .release(let nth): try change(nth, { .release($0) }) { _ = applier.release($0) }
        case .abandon(let nth): try change(nth, { .abandon($0) }) { applier.abandon($0) }
        case .started:
            guard order == nil else { return gathered.append(.started) }
            applier.clocks = simulation.devices.currentClocks
            for ticket in applier.pending.tickets { applier.abandon(ticket) }
            try simulation.disconnectClients()
        case .look: if order == nil { simulation.look() } else { try carryOut() }
        case .push(let device, let topic, let body, let expiration):
            push(to: device, topic: topic, body: body, expiresWithin: expiration)
        case .command(let kind, let document):
            let document = placed(document)
            guard order != nil else { return answers.append(answer(to: kind, document)) }
            do throws(InputError) {
                // A call that is refused when it is read is in no log.
                _ = try CommandCoding.decode(kind.command, document.encoded.span)
                gathered.append(.command(kind, document.encoded))
            } catch {
                answers.append("\(kind.command) \(error)")
            }
        }
    }

    // Has something done with a withheld request, if one was withheld.
    private func change(
        _ nth: Int, _ change: (PendingPush.Ticket) -> OrderedChange, inPlace: (PendingPush.Ticket) -> Void
    ) throws {
        try carryOut()
        guard let ticket = tickets.dropLast(nth).last else { return }
        guard order == nil else { return gathered.append(change(ticket)) }
        applier.clocks = simulation.devices.currentClocks
        inPlace(ticket)
    }

    private func note(_ result: PushResult) {
        if case .faulted(let faulted) = result, let ticket = faulted.ticket { tickets.append(ticket) }
    }

    /// Has the log take the gathered changes as one batch, and applies them, with a look, since pushes read the devices.
    func carryOut() throws {
        guard let order, let log, let batch = order.batch(of: gathered, look: .ifDue, at: now) else { return }
        gathered = []
        let logged = try log.added(batch)
        let before = simulation.journal.lastIssued
        for outcome in try order.applyBatch(logged).outcomes ?? [] {
            switch outcome {
            case .command(let command): answers.append(command.failure.map { "\($0)" } ?? "")
            case .push(let result, _): note(result)
            case .released, .stale, .numbers, .done, .refused: break
            }
        }
        noteNumbers(after: before)
    }

    private func noteNumbers(after before: UInt64) {
        sequences += simulation.journal.read { journal in
            (before + 1...max(before + 1, journal.watermark)).filter { journal.entry($0) != nil }
        }
    }

    // An error's text, also for a document that no call would accept.
    private func answer(to kind: CommandKind, _ document: JSONValue) -> String {
        func perform(_ command: some Command) throws { _ = try simulation.perform(command) }
        do {
            try perform(try CommandCoding.decode(kind.command, document.encoded.span))
            return ""
        } catch {
            return "\(kind.command) \(error)"
        }
    }

    // With the number of a push in place of its place.
    private func placed(_ document: JSONValue) -> JSONValue {
        guard case .object(var members) = document, let place = document["nth"]?.integer else { return document }
        let sequence = sequences.dropLast(Int(place)).last ?? 1
        members.removeAll { $0.name == "nth" }
        members.append(JSONMember("sequence", .whole(sequence)))
        members.append(JSONMember("sequences", [.whole(sequence)]))
        return .object(members)
    }

    private func push(to device: String, topic: String, body: String, expiresWithin time: Duration?) {
        let clocks = simulation.devices.currentClocks
        applier.clocks = clocks
        let view = simulation.devices.viewIfThere(of: device, at: simulation.devices.time)
        let token = view?.registrations.last { $0.topic == topic }?.token
        var headers = HeaderBlock()
        headers.append(":method", "POST")
        headers.append(":path", "/3/device/\(token?.hex ?? String(repeating: "ab", count: 32))")
        headers.append("apns-topic", topic)
        headers.append("apns-push-type", body.contains("content-available") ? "background" : "alert")
        headers.append("apns-priority", "5")
        if let time { headers.append("apns-expiration", "\(simulation.now.advanced(by: time).milliseconds / 1000)") }
        let candidate = Candidate(
            PushRequest(headers: headers, body: Array(body.utf8)), credential: .none, environment: .sandbox,
            settings: simulation.settings.rules, receivedAt: clocks.now(wall: now),
            clockLead: clocks.now(wall: now).since(now))
        let verdict: RuleVerdict =
            AdmittedPush(again: candidate).map { .admitted($0) }
            ?? .refused(Refusal(.badDeviceToken, "a token of this length is not allowed"))
        requestCount += 1
        let random = RequestRandom(connection: 1, request: requestCount, seed: 7)
        let push = IncomingPush(
            candidate, verdict, connection: 1, stream: 1, wall: now, random: random)
        guard order == nil else { return gathered.append(.push(push)) }
        let before = simulation.journal.lastIssued
        note(applier.applyPush(push))
        noteNumbers(after: before)
    }

    // MARK: Reading

    /// All that can be read after what is due has been done, a line for each thing; with their numbers, or with places
    /// in place of the numbers of pushes, and then without events that are told at intervals (of firings and of failed
    /// handshakes), the others in no order.
    func read(withNumbers: Bool) throws -> [String] {
        let time = simulation.look()
        _ = simulation.journal.findRepeats()
        var lines: [String] = []
        func add(_ name: String, _ values: [JSONValue]) { lines += values.map { name + $0.text } }
        let devices = simulation.devices.list(where: DeviceFilter(), after: nil, limit: .max, at: time).devices
        add("device ", devices.map(\.json))
        add("screen ", try devices.map { try screen(of: $0.id, at: time) })
        let entries = simulation.journal.read { journal in
            (CommandWorld.firstNumber...max(CommandWorld.firstNumber, journal.watermark)).compactMap(journal.entry)
        }
        add("push ", entries.map { PushView($0).json })
        add("rule ", simulation.faults.views.map(\.json))
        let scenarios = simulation.faults.readScenarios { board, set, pushes in
            board.entries.map { board.json($0, pushes: pushes, in: set) }
        }
        add("scenario ", scenarios)
        add("channel ", simulation.channels.read { $0.list() }.map { simulation.channels.view($0).json })
        lines.append("clock \(time.now.rfc3339), of t1 \(time.now(ofScope: "t1").rfc3339)")
        lines.append("fired \(simulation.faults.firedCount)")
        let events = simulation.events.events(after: 0, through: .max, limit: .max).events
            .map { (sequence: $0.sequence, text: "event \($0.at.rfc3339) \($0.kind) \($0.json.text)") }
        guard !withNumbers else { return lines + events.map { "\($0.sequence) \($0.text)" } }
        let told = events.map(\.text).filter { text in
            !["fired", "failed"].contains { text.contains(#""change":"\#($0)""#) }
        }
        return (lines + told.sorted()).map(withPlaces)
    }

    private func screen(of id: String, at time: DeviceTime) throws -> JSONValue {
        let seen = try simulation.devices.read(id, at: time) { table, time throws(InputError) in
            try table.seen(of: id, at: time.now, clock: time.now(ofScope:))
        }
        switch seen {
        case .screen(let screen): return screen
        case .copy(let copy, let received):
            return try copy.screen(
                inCopyOf: id, from: simulation.devices.past(received), at: time.now, clock: time.now(ofScope:))
        }
    }

    private func withPlaces(_ line: String) -> String {
        line.replacing(/\b1\d{4}\b/.wordBoundaryKind(.simple)) { match in
            UInt64(match.output).flatMap(sequences.firstIndex).map { "#\($0)" } ?? String(match.output)
        }
    }
}

extension JSONValue {
    fileprivate var text: String { String(decoding: encoded, as: UTF8.self) }
}

@Suite("A simulation is a function of its commands")
struct CommandOrderTests {
    private static let stepCount = 300

    private func steps(_ seed: UInt64, hasScenarios: Bool = true) -> [RandomCommands.Step] {
        var commands = RandomCommands(seed: seed, hasScenarios: hasScenarios)
        return (0..<Self.stepCount).map { _ in commands.step() }
    }

    private func world(after steps: [RandomCommands.Step]) throws -> CommandWorld {
        let world = try CommandWorld()
        for step in steps { try world.apply(step) }
        return world
    }

    static func expectSame(_ one: [String], _ other: [String]) {
        guard one != other else { return }
        let pair = zip(one, other).first { $0 != $1 } ?? (one.last ?? "", other.last ?? "")
        // What both begin with says less than what follows.
        let begin = max(0, zip(pair.0, pair.1).prefix { $0 == $1 }.count - 200)
        let shown = [pair.0, pair.1].map { $0.prefix(60) + " … " + $0.dropFirst(begin).prefix(400) }
        Issue.record("\(one.count) and \(other.count) lines differ first in\n\(shown[0])\n\(shown[1])")
    }

    @Test("the same commands lead to the same state, numbers included", arguments: 1...6)
    func sameCommands(seed: UInt64) throws {
        let steps = steps(seed)
        let one = try world(after: steps)
        let other = try world(after: steps)
        #expect(one.answers == other.answers)
        CommandOrderTests.expectSame(try one.read(withNumbers: true), try other.read(withNumbers: true))
    }

    // Changes with whatever a document shows and with every change of a rule, and then is replaced by what the failure
    // says: that another process, with other hash seeds, comes to the same is what it shows.
    @Test("another process comes to the same state")
    func otherProcess() throws {
        let lines = try world(after: steps(1)).read(withNumbers: true)
        let digest = FNV1a.hash(of: lines.joined(separator: "\n").utf8)
        #expect(String(digest, radix: 16) == "cab4745d00b5ed74")
    }

    @Test("looks in between change numbers alone", arguments: Array(1...6) + [27, 162])
    func looks(seed: UInt64) throws {
        let steps = steps(seed, hasScenarios: false)
        var random = SeededGenerator(seed: seed)
        let withLooks = steps.flatMap { step in random.next() % 3 == 0 ? [step, .look] : [step] }
        let one = try world(after: steps)
        let other = try world(after: withLooks)
        #expect(one.answers.count == other.answers.count)
        CommandOrderTests.expectSame(try one.read(withNumbers: false), try other.read(withNumbers: false))
    }

    @Test("many kinds of commands take effect")
    func commandsTakeEffect() throws {
        var done: Set<CommandKind> = []
        for seed in UInt64(1)...6 {
            let steps = steps(seed)
            let world = try world(after: steps)
            let kinds = (RandomCommands.baseline + steps).compactMap { step in
                if case .command(let kind, _) = step { kind } else { nil }
            }
            for (kind, answer) in zip(kinds, world.answers) where answer.isEmpty { done.insert(kind) }
        }
        #expect(done.count >= 42, "only \(done.count) of \(CommandKind.allCases.count) kinds took effect")
    }
}
