import APNsRules
import MynahCore
import Testing

@Suite("Clocks, choices and throttles as bytes") struct SmallStateCodingTests {
    @Test("clocks come back and go on as they were", arguments: 0..<20 as Range<UInt64>) func clocks(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        var one = ClockSet()
        var wall = noon
        for _ in 0..<60 {
            wall = wall.advanced(by: .milliseconds(Int64.random(in: 0...90_000, using: &random)))
            let scope = [nil, "a", "b", "c"][Int.random(in: 0..<4, using: &random)]
            let mode = ClockState.Mode.allCases[Int.random(in: 0..<3, using: &random)]
            let step = Duration.milliseconds(Int64.random(in: 0...1_000_000, using: &random))
            if let scope, Int.random(in: 0..<5, using: &random) == 0 { one.forget(scope) }
            func change(_ clocks: inout ClockSet) throws {
                try clocks.change(ofScope: scope) { clock throws(InputError) in
                    try clock.set(mode, now: clock.now(wall: wall).advanced(by: step), wall: wall)
                }
            }
            var other = try one.readAgain()
            #expect(other == one)
            do {
                try change(&one)
                try change(&other)
            } catch let error as InputError {
                #expect(throws: error) { try change(&other) }
            }
            #expect(other == one)
        }
        expectNoTrap(one.coded, count: 100, seed: seed) { bytes throws(CodingProblem) in _ = try ClockSet(coded: bytes)
        }
    }

    @Test("a generator goes on with the same numbers and splits") func generator() throws {
        var one = SeededGenerator(seed: 99)
        for _ in 0..<10 { _ = one.next() }
        var other = try one.readAgain()
        #expect(other == one)
        #expect(other.next() == one.next())
        #expect(other.split(for: 3) == one.split(for: 3))
    }

    @Test("a throttle tells the same things at the same times", arguments: 0..<10 as Range<UInt64>)
    func throttle(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var one = ReportThrottle()
        var now = noon
        for _ in 0..<300 {
            var other = try one.readAgain()
            #expect(other == one)
            now = now.advanced(by: .milliseconds(Int.random(in: 0...40, using: &random)))
            let key = "f-\(Int.random(in: 0..<80, using: &random))"
            #expect(
                other.recordOccurrence(of: key, at: now, interval: .milliseconds(100))
                    == one.recordOccurrence(of: key, at: now, interval: .milliseconds(100)))
            guard Int.random(in: 0..<5, using: &random) == 0 else { continue }
            let (due, next) = one.takeDue(at: now)
            #expect(other.takeDue(at: now) == (due, next))
        }
        expectNoTrap(one.coded, count: 100, seed: seed) { bytes throws(CodingProblem) in
            _ = try ReportThrottle(coded: bytes)
        }
    }

    @Test("what happened before a restart counts as evicted") func events() {
        var history = EventHistory(evictedThrough: 70)
        #expect(history.evictedThrough == 70)
        history.append(Event(.clock, sequence: 71, at: noon, .document([])))
        #expect(history.events(after: 0, through: 100, limit: 9).map(\.sequence) == [71])
    }
}
