import APNsRules
import Testing

@testable import MynahCore

@Suite("How often firings are told")
struct FiringPaceTests {
    private func time(_ milliseconds: Int64) -> Instant { Instant(milliseconds: 1_000_000 + milliseconds) }

    @Test("the first is told at once, what follows soon together")
    func together() {
        var pace = FiringPace()
        #expect(pace.fired("a", at: time(0)) == .tell)
        #expect(pace.fired("a", at: time(30)) == .tellLater(.milliseconds(70)))
        #expect(pace.fired("a", at: time(31)) == .isToldAnyway)
        #expect(pace.fired("b", at: time(40)) == .tell)
        #expect(pace.takeDue(at: time(99)).rules.isEmpty)
        #expect(pace.takeDue(at: time(99)).next == .milliseconds(1))
        #expect(pace.takeDue(at: time(100)).rules == ["a"])
        #expect(pace.fired("a", at: time(101)) == .tellLater(.milliseconds(99)))
        #expect(pace.fired("b", at: time(140)) == .tell)
    }

    @Test("each name has the interval that it was first told with")
    func intervals() {
        var pace = FiringPace()
        #expect(pace.fired("slow", at: time(0), interval: .seconds(1)) == .tell)
        #expect(pace.fired("slow", at: time(150), interval: .seconds(1)) == .tellLater(.milliseconds(850)))
        #expect(pace.fired("quick", at: time(150)) == .tell)
        #expect(pace.fired("quick", at: time(200)) == .tellLater(.milliseconds(50)))
        #expect(pace.takeDue(at: time(250)).rules == ["quick"])
        #expect(pace.takeDue(at: time(999)).rules.isEmpty)
        #expect(pace.takeDue(at: time(1_000)).rules == ["slow"])
    }

    @Test("a hundred thousand firings a second are ten events, and the last one is told")
    func flood() {
        var pace = FiringPace()
        var told = 0
        var dueAt: Int64?
        for step in 0..<100_000 {
            let now = Int64(step / 100)
            if let due = dueAt, due <= now {
                told += pace.takeDue(at: time(now)).rules.count
                dueAt = nil
            }
            switch pace.fired("a", at: time(now)) {
            case .tell: told += 1
            case .tellLater(let rest): dueAt = now + rest.components.attoseconds / 1_000_000_000_000_000
            case .isToldAnyway: break
            }
        }
        #expect(told == 10)
        #expect(dueAt != nil)
        #expect(pace.takeDue(at: time(1000)).rules == ["a"])
    }

    @Test("a wall clock that is set back holds nothing up")
    func back() {
        var pace = FiringPace()
        #expect(pace.fired("a", at: time(0)) == .tell)
        #expect(pace.fired("a", at: time(-5000)) == .tell)
        #expect(pace.fired("a", at: time(-4990)) == .tellLater(.milliseconds(90)))
        #expect(pace.takeDue(at: time(-9000)).rules == ["a"])
    }

    @Test("rules that are quiet are forgotten")
    func quiet() {
        var pace = FiringPace()
        #expect(pace.fired("a", at: time(0)) == .tell)
        #expect(pace.takeDue(at: time(500)).rules.isEmpty)
        #expect(pace == FiringPace())
    }

    @Test("rules that come and go, each firing once, are forgotten although nothing asks what is due")
    func comeAndGo() {
        var pace = FiringPace()
        for number in 0..<100_000 {
            #expect(pace.fired("f-\(number)", at: time(Int64(number))) == .tell)
            // A hundred of them fired within the interval.
            #expect(pace.rememberedCount <= 201)
        }
    }
}
