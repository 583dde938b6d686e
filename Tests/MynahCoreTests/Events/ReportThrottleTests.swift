import APNsRules
import Testing

@testable import MynahCore

@Suite("How often the same thing is reported")
struct ReportThrottleTests {
    private func time(_ milliseconds: Int64) -> Instant { Instant(milliseconds: 1_000_000 + milliseconds) }

    @Test("the first is reported at once, repetitions within the interval together")
    func together() {
        var throttle = ReportThrottle()
        #expect(throttle.recordOccurrence(of: "a", at: time(0)) == .report)
        #expect(throttle.recordOccurrence(of: "a", at: time(30)) == .reportLater(.milliseconds(70)))
        #expect(throttle.recordOccurrence(of: "a", at: time(31)) == .counted)
        #expect(throttle.recordOccurrence(of: "b", at: time(40)) == .report)
        #expect(throttle.takeDue(at: time(99)).due.isEmpty)
        #expect(throttle.takeDue(at: time(99)).next == .milliseconds(1))
        #expect(throttle.takeDue(at: time(100)).due == [.init(key: "a", count: 2)])
        #expect(throttle.recordOccurrence(of: "a", at: time(101)) == .reportLater(.milliseconds(99)))
        #expect(throttle.recordOccurrence(of: "b", at: time(140)) == .report)
    }

    @Test("a key keeps the interval of its first report")
    func intervals() {
        var throttle = ReportThrottle()
        #expect(throttle.recordOccurrence(of: "slow", at: time(0), interval: .seconds(1)) == .report)
        #expect(
            throttle.recordOccurrence(of: "slow", at: time(150), interval: .seconds(1))
                == .reportLater(.milliseconds(850)))
        #expect(throttle.recordOccurrence(of: "quick", at: time(150)) == .report)
        #expect(throttle.recordOccurrence(of: "quick", at: time(200)) == .reportLater(.milliseconds(50)))
        #expect(throttle.takeDue(at: time(250)).due.map(\.key) == ["quick"])
        #expect(throttle.takeDue(at: time(999)).due.isEmpty)
        #expect(throttle.takeDue(at: time(1_000)).due.map(\.key) == ["slow"])
    }

    @Test("a hundred thousand a second become ten reports, which include the last")
    func flood() {
        var throttle = ReportThrottle()
        var reported = 0
        var dueAt: Int64?
        for step in 0..<100_000 {
            let now = Int64(step / 100)
            if let due = dueAt, due <= now {
                reported += throttle.takeDue(at: time(now)).due.count
                dueAt = nil
            }
            switch throttle.recordOccurrence(of: "a", at: time(now)) {
            case .report: reported += 1
            case .reportLater(let rest): dueAt = now + rest.components.attoseconds / 1_000_000_000_000_000
            case .counted: break
            }
        }
        #expect(reported == 10)
        #expect(dueAt != nil)
        #expect(throttle.takeDue(at: time(1000)).due.map(\.key) == ["a"])
    }

    @Test("a clock that is set back delays no report")
    func back() {
        var throttle = ReportThrottle()
        #expect(throttle.recordOccurrence(of: "a", at: time(0)) == .report)
        #expect(throttle.recordOccurrence(of: "a", at: time(-5000)) == .report)
        #expect(throttle.recordOccurrence(of: "a", at: time(-4990)) == .reportLater(.milliseconds(90)))
        #expect(throttle.takeDue(at: time(-9000)).due == [.init(key: "a", count: 1)])
    }

    @Test("a quiet key is forgotten, a repeating one is not")
    func quiet() {
        var throttle = ReportThrottle()
        #expect(throttle.recordOccurrence(of: "a", at: time(0)) == .report)
        #expect(throttle.takeDue(at: time(500)).due.isEmpty)
        #expect(throttle == ReportThrottle())
        for key in ["a", "b"] { #expect(throttle.recordOccurrence(of: key, at: time(1000)) == .report) }
        for _ in 1...3 { #expect(throttle.recordOccurrence(of: "a", at: time(1001)) != .report) }
        #expect(throttle.takeDue(at: time(1100)).due == [.init(key: "a", count: 3)])
        #expect(throttle.recordOccurrence(of: "a", at: time(1100)) != .report)
        #expect(throttle.recordOccurrence(of: "b", at: time(1100)) == .report)
        #expect(throttle.takeDue(at: time(1200)).due == [.init(key: "a", count: 1)])
        #expect(throttle.takeDue(at: time(1300)).due.isEmpty)
        #expect(throttle.recordOccurrence(of: "a", at: time(1300)) == .report)
    }

    @Test("keys that are noted once are forgotten even if no due reports are taken")
    func comeAndGo() {
        var throttle = ReportThrottle()
        for number in 0..<100_000 {
            #expect(throttle.recordOccurrence(of: "f-\(number)", at: time(Int64(number))) == .report)
            // A hundred of them were noted within the interval.
            #expect(throttle.rememberedCount <= 201)
        }
    }

    @Test("keys beyond the limit are counted as one")
    func limit() {
        var throttle = ReportThrottle(keysMax: 64)
        let reported = (1...1000).count { throttle.recordOccurrence(of: "kind \($0)", at: time(0)) == .report }
        #expect(reported == 64)
        #expect(throttle.takeDue(at: time(100)).due == [.init(key: nil, count: 1000 - 64)])
        #expect(throttle.recordOccurrence(of: "kind 1000", at: time(100)) == .report)
        #expect(throttle.rememberedCount <= 64)
    }
}

extension ReportThrottle {
    fileprivate mutating func recordOccurrence(of key: String, at now: Instant) -> Advice {
        recordOccurrence(of: key, at: now, interval: .milliseconds(100))
    }
}
