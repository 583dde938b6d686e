import APNsRules
import MynahCore
import MynahTestSupport
import Testing

@testable import Mynah

@Suite("Withheld requests in a snapshot")
struct WithheldRequestTests {
    private static let lastSequence: UInt64 = 500
    private static let actions =
        MagicTokens.all.map(\.action).filter { $0.delay != nil || $0.kind == .stall }
        + [FaultAction(.respond(FaultResponse(.internalServerError)), delay: FaultDelay(.fixed(.seconds(2))))]

    private func pending(_ count: Int, seed: UInt64) -> PendingPushes {
        var requests = RandomRequests(seed: seed)
        var pending = PendingPushes()
        for number in 1...count {
            let push = requests.request()
            let isManagement = if case .management = push.verdict { true } else { false }
            let firing = FaultFiring(
                ruleID: "f-\(number)", action: Self.actions[number % Self.actions.count],
                random: SeededGenerator(seed: UInt64(number)))
            let ticket = pending.add(
                PendingPush(push: push, firing: firing, sequence: isManagement ? nil : UInt64(number)))
            if number % 7 == 0 { _ = pending.take(ticket) }
        }
        return pending
    }

    private func pieces(of pending: PendingPushes) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        OrderState(lastTime: RuleWorld.start, digest: 7, pending: pending).forEachPiece { pieces.append($0) }
        return pieces
    }

    private func read(
        _ pieces: [[UInt8]], settings: RuleSettings = RuleSettings(), lastSequence: UInt64 = Self.lastSequence
    ) throws(CodingProblem) -> OrderState {
        try OrderState(
            pieces: pieces.map { ByteReader($0) }, settings: settings, seed: 1, lastSequence: lastSequence)
    }

    @Test("come back as they were, several pieces of them", arguments: UInt64(1)...4)
    func comeBack(_ seed: UInt64) throws {
        var pending = pending(200, seed: seed)
        let pieces = pieces(of: pending)
        #expect(pieces.count == 4)
        let state = try read(pieces)
        #expect((state.lastTime, state.digest) == (RuleWorld.start, 7))
        #expect(self.pieces(of: state.pending) == pieces)
        var other = state.pending
        #expect(other.tickets == pending.tickets)
        for ticket in pending.tickets {
            let taken = (pending.take(ticket), other.take(ticket))
            let one = try #require(taken.0)
            let again = try #require(taken.1)
            #expect((again.sequence, again.push.id, again.push.wall) == (one.sequence, one.push.id, one.push.wall))
            #expect(again.push.candidate.receivedAt == one.push.candidate.receivedAt)
            #expect(again.firing == one.firing)
            #expect(again.push.bytes == one.push.bytes)
        }
        let push = RandomRequests.first
        let new = PendingPush(
            push: push, firing: FaultFiring(ruleID: "f", action: Self.actions[0], random: SeededGenerator(seed: 1)),
            sequence: 1)
        #expect(pending.add(new) == other.add(new))
    }

    @Test("that share a credential have it once")
    func credentials() throws {
        let push = RandomRequests.first
        let firing = FaultFiring(ruleID: "f", action: Self.actions[0], random: SeededGenerator(seed: 1))
        var pending = PendingPushes()
        var sizes: [Int] = []
        for sequence in UInt64(1)...3 {
            _ = pending.add(PendingPush(push: push, firing: firing, sequence: sequence))
            sizes.append(pieces(of: pending)[1].count)
        }
        var credential = ByteWriter()
        credential.write(push.candidate.credential.recorded)
        #expect(sizes[1] - sizes[0] == sizes[2] - sizes[1])
        #expect(sizes[0] - (sizes[1] - sizes[0]) == credential.count)
        #expect(try read(pieces(of: pending)).pending.tickets.count == 3)
    }

    @Test("are read whatever tokens are allowed now")
    func otherTokens() throws {
        let pieces = pieces(of: pending(50, seed: 2))
        var settings = RuleSettings()
        settings.tokenByteCounts = 50...60
        #expect(self.pieces(of: try read(pieces, settings: settings).pending) == pieces)
    }

    @Test("out of order, above the last number or without their own are a problem")
    func problems() throws {
        let pieces = pieces(of: pending(5, seed: 3))
        func problem(_ pieces: [[UInt8]], lastSequence: UInt64 = Self.lastSequence) -> String? {
            #expect(throws: CodingProblem.self) { try read(pieces, lastSequence: lastSequence) }?.description
        }
        #expect(problem([]) == "it has no pieces")
        #expect(problem([pieces[0] + [0], pieces[1]])?.contains("bytes are left over") == true)
        #expect(problem([pieces[0], pieces[1] + pieces[1]])?.contains("withheld request 1 of 5 follows 5") == true)
        var small = pieces[0]
        small[small.count - 1] = 4
        #expect(problem([small, pieces[1]])?.contains("withheld request 5 of 4 follows 4") == true)
        #expect(problem(pieces, lastSequence: 0)?.contains("a withheld request can't have the number") == true)
        let huge = pieces[0].dropLast() + Array(repeating: 0xff, count: 9) + [1]
        #expect(problem([Array(huge)])?.contains("is not the number of a withheld request") == true)
        var newer = pieces
        newer[0][0] = 3
        #expect(problem(newer)?.contains("version 3 was written by a newer Mynah") == true)
    }

    @Test("that are damaged are a problem, or can be answered", arguments: UInt64(1)...4)
    func damage(_ seed: UInt64) throws {
        let pieces = pieces(of: pending(30, seed: seed))
        var random = SeededGenerator(seed: seed)
        var problems = 0
        for _ in 0..<400 {
            var damaged = pieces
            let piece = Int(random.number(in: 0...1))
            let place = Int(random.number(in: 0...Int64(pieces[piece].count - 1)))
            switch random.next() % 4 {
            case 0: damaged[piece].removeSubrange(place...)
            case 1: damaged[piece][place] = random.byte()
            default: damaged[piece][place] ^= 1 << UInt8(random.number(in: 0...7))
            }
            do throws(CodingProblem) {
                let pending = try read(damaged).pending
                let simulation = CommandWorld.simulation(firstNumber: Self.lastSequence + 1)
                simulation.wall.set(to: RuleWorld.start)
                let applier = PushApplier(simulation, clocks: simulation.devices.currentClocks)
                applier.pending = pending
                for ticket in pending.tickets { _ = applier.release(ticket) }
                #expect(applier.pending.tickets.isEmpty)
            } catch {
                problems += 1
            }
        }
        #expect(problems > 0)
    }
}

extension RandomRequests {
    /// A push to a device.
    fileprivate static var first: IncomingPush {
        var requests = RandomRequests(seed: 1)
        while true {
            let push = requests.request()
            if case .admitted = push.verdict { return push }
        }
    }
}
