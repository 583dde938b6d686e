import APNsRules
import Testing

@testable import MynahCore

@Suite("The memory of rates")
struct RateWindowTests {
    @Test("agrees with counting all requests", arguments: 0..<10 as Range<UInt64>)
    func agrees(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let rate = FaultSchedule.Rate(count: Int.random(in: 1...5, using: &random), window: .seconds(1), by: .all)
        var window = RateWindow()
        var all: [(key: UInt64, at: Instant)] = []
        var now = noon
        for _ in 0..<500 {
            now = now.advanced(by: .milliseconds(Int.random(in: 0...300, using: &random)))
            let key = UInt64.random(in: 0...2, using: &random)
            all.append((key, now))
            let naive = all.count { $0.key == key && now.since($0.at) < rate.window } > rate.count
            let isExceeded = window.isExceeded(.connection(key), rate, at: now)
            #expect(isExceeded == naive)
        }
    }

    @Test("memory is bounded, and early forgetting is counted")
    func bounded() {
        let rate = FaultSchedule.Rate(count: 2, window: .seconds(1), by: .connection)
        var window = RateWindow(stampsMax: 100)
        for key in 0..<1000 as Range<UInt64> {
            _ = window.isExceeded(.connection(key), rate, at: noon)
            #expect(window.stampCount <= 102)
        }
        #expect(window.forgotten > 800)
        // One that is in use all the time is never forgotten.
        var kept = RateWindow(stampsMax: 100)
        for key in 1..<1000 as Range<UInt64> {
            _ = kept.isExceeded(.connection(0), rate, at: noon)
            _ = kept.isExceeded(.connection(key), rate, at: noon)
        }
        let isKept = kept.isExceeded(.connection(0), rate, at: noon)
        #expect(isKept)
    }

    @Test("keys whose window is over are forgotten without being counted")
    func expired() {
        let rate = FaultSchedule.Rate(count: 2, window: .seconds(1), by: .connection)
        var window = RateWindow(stampsMax: 10)
        for key in 0..<1000 as Range<UInt64> {
            _ = window.isExceeded(.connection(key), rate, at: noon.advanced(by: .seconds(Int64(key))))
        }
        #expect(window.forgotten == 0)
    }
}
