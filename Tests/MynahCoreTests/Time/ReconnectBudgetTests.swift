import APNsRules
import MynahCore
import Testing

struct ReconnectBudgetTests {
    private func at(_ seconds: Int64) -> Instant { Instant(seconds: seconds) }

    @Test("an address is refused beyond the limit until its period is over")
    func limit() {
        var budget = ReconnectBudget(limit: 2, period: .seconds(60))
        #expect(budget.connect(from: "a", at: at(0)) == .admit)
        #expect(budget.connect(from: "a", at: at(59)) == .admit)
        #expect(budget.connect(from: "a", at: at(59)) == .refuse(isFirst: true))
        #expect(budget.connect(from: "a", at: at(59)) == .refuse(isFirst: false))
        #expect(budget.connect(from: "a", at: at(60)) == .admit)
    }

    @Test("refusals don't prolong the period, and each period has a first refusal")
    func refusalsCountForNothing() {
        var budget = ReconnectBudget(limit: 1, period: .seconds(10))
        for start in [0, 10, 20] as [Int64] {
            #expect(budget.connect(from: "a", at: at(start)) == .admit)
            #expect(budget.connect(from: "a", at: at(start + 9)) == .refuse(isFirst: true))
            #expect(budget.connect(from: "a", at: at(start + 9)) == .refuse(isFirst: false))
        }
    }

    @Test("addresses are counted separately")
    func addressesApart() {
        var budget = ReconnectBudget(limit: 1, period: .seconds(60))
        #expect(budget.connect(from: "a", at: at(0)) == .admit)
        #expect(budget.connect(from: "b", at: at(0)) == .admit)
        #expect(budget.connect(from: "a", at: at(1)) == .refuse(isFirst: true))
    }

    @Test("memory is bounded: ended periods are forgotten first, then the older half")
    func boundedMemory() {
        var budget = ReconnectBudget(limit: 1, period: .seconds(60), addressesMax: 4)
        for (second, address) in ["a", "b", "c", "d"].enumerated() {
            #expect(budget.connect(from: address, at: at(Int64(second))) == .admit)
        }
        #expect(budget.connect(from: "e", at: at(10)) == .admit)
        #expect(budget.addressCount == 3)
        #expect(budget.connect(from: "d", at: at(11)) == .refuse(isFirst: true))
        #expect(budget.connect(from: "a", at: at(11)) == .admit)
        // All but the newest two are over by now.
        #expect(budget.connect(from: "f", at: at(69)) == .admit)
        #expect(budget.addressCount == 3)
    }
}
