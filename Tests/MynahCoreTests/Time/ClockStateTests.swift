import APNsRules
import Testing

@testable import MynahCore

@Suite("The clock")
struct ClockStateTests {
    private let wall = Instant(seconds: 1_000_000)
    private let later = Instant(seconds: 1_000_010)

    @Test("a new clock follows the wall clock")
    func real() {
        #expect(ClockState().mode == .real)
        #expect(ClockState().now(wall: wall) == wall)
    }

    @Test("an advanced real clock runs ahead of the wall clock")
    func advanced() throws {
        var clock = ClockState()
        try clock.advance(by: .seconds(3600), wall: wall)
        #expect(clock.mode == .offset)
        #expect(clock.now(wall: wall) == Instant(seconds: 1_003_600))
        #expect(clock.now(wall: later) == Instant(seconds: 1_003_610))
        try clock.advance(by: .seconds(1), wall: later)
        #expect(clock.now(wall: later) == Instant(seconds: 1_003_611))
    }

    @Test("a frozen clock stands until it is advanced")
    func frozen() throws {
        var clock = ClockState()
        try clock.set(.frozen, wall: wall)
        #expect(clock.now(wall: later) == wall)
        try clock.advance(to: Instant(seconds: 2_000_000), wall: later)
        #expect(clock.mode == .frozen)
        #expect(clock.now(wall: later) == Instant(seconds: 2_000_000))
        try clock.set(.offset, wall: later)
        #expect(clock.now(wall: later) == Instant(seconds: 2_000_000))
        #expect(clock.now(wall: Instant(seconds: 1_000_011)) == Instant(seconds: 2_000_001))
    }

    @Test("no clock goes back, and the error names both times")
    func backwards() throws {
        var clock = ClockState()
        try clock.set(.frozen, now: later, wall: wall)
        func backwards(to wanted: Instant) -> InputError {
            InputError(.backwards, "the clock stands at \(later.rfc3339) and cannot go back to \(wanted.rfc3339)")
        }
        #expect(throws: backwards(to: wall)) { try clock.advance(to: wall, wall: wall) }
        #expect(throws: backwards(to: later.advanced(by: .seconds(-1)))) {
            try clock.advance(by: .seconds(-1), wall: wall)
        }
        #expect(throws: backwards(to: wall)) { try clock.set(.real, wall: wall) }
        #expect(clock.now(wall: wall) == later)
        try clock.advance(by: .zero, wall: wall)
        try clock.set(.real, wall: later)
        #expect(clock.mode == .real)
    }
}
