import Logging
import MynahTestSupport
import NIOCore
import NIOEmbedded
import Testing

@testable import Mynah

@Suite("Warnings that clients cause")
struct ClientWarningsTests {
    @Test("the first of its kind is logged, repetitions are counted, and a kind that has stopped is forgotten")
    func tally() {
        var tally = WarningTally()
        #expect(tally.note("a") == .log(beginsInterval: true))
        #expect(tally.note("b") == .log(beginsInterval: false))
        for _ in 1...3 { #expect(tally.note("a") == .count) }
        var (repeats, goesOn) = tally.endInterval()
        #expect(repeats == [.init(kind: "a", count: 3)])
        #expect(goesOn)
        #expect(tally.note("a") == .count)
        #expect(tally.note("b") == .log(beginsInterval: false))
        (repeats, goesOn) = tally.endInterval()
        #expect(repeats == [.init(kind: "a", count: 1)])
        #expect(goesOn)
        (repeats, goesOn) = tally.endInterval()
        #expect(repeats.isEmpty)
        #expect(!goesOn)
        #expect(tally.note("a") == .log(beginsInterval: true))
    }

    @Test("a client that makes up new kinds fills neither log nor memory")
    func kinds() {
        var tally = WarningTally()
        let logged = (1...1000).count { tally.note("kind \($0)") != .count }
        #expect(logged == WarningTally.kindsMax)
        #expect(tally.endInterval().repeats == [.init(kind: nil, count: 1000 - WarningTally.kindsMax)])
    }

    @Test("ten thousand warnings are one line at once, and one with their number later")
    func lines() async throws {
        let log = LogLines()
        let loop = NIOAsyncTestingEventLoop()
        let warnings = ClientWarnings(log.logger(.info))
        warnings.begin(on: loop)
        for number in 1...10_000 { warnings.warn("refused with 431", ["connection": "\(number)"]) }
        #expect(log.all == [#"refused with 431 ["connection": 1]"#])
        await loop.advanceTime(by: .seconds(10))
        #expect(log.all.dropFirst() == ["9999 more within 10 s: refused with 431 [:]"])
        warnings.warn("refused with 431")
        warnings.end()
        #expect(log.all.dropFirst(2) == ["1 more within 10 s: refused with 431 [:]"])
        await loop.shutdownGracefully()
    }
}
