import Logging
import MynahTestSupport
import NIOCore
import NIOEmbedded
import Testing

@testable import Mynah

@Suite("Warnings that clients cause")
struct ClientWarningsTests {
    @Test("new kinds of warnings do not fill the log")
    func kinds() async {
        let log = LogLines()
        let loop = NIOAsyncTestingEventLoop()
        let warnings = ClientWarnings(log.logger(.info))
        warnings.begin(on: loop)
        for number in 1...1000 { warnings.warn("kind \(number)") }
        #expect(log.all.count == ClientWarnings.kindsMax)
        await loop.advanceTime(by: .seconds(10))
        #expect(
            log.all.dropFirst(ClientWarnings.kindsMax) == [
                "\(1000 - ClientWarnings.kindsMax) more within 10 s, of further kinds [:]"
            ])
        await loop.shutdownGracefully()
    }

    @Test("ten thousand warnings become one line at once and one with their count later")
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
