import Foundation
import MynahCore
import Synchronization
import Testing

@testable import Mynah

@Suite("The journal, shared")
struct JournalStoreTests {
    /// The frames on the stack at each call of a listener, counted as far as Foundation tells.
    private final class Depths: Sendable {
        private let depths = Mutex<[Int]>([])

        var all: [Int] { depths.withLock { $0 } }

        func note() { depths.withLock { $0.append(Thread.callStackReturnAddresses.count) } }
    }

    @Test("the stack below a listener doesn't grow with the number of reads")
    func readsDoNotLengthenTheWayToAListener() async throws {
        let journal = JournalStore(bounds: JournalBounds()) { _ in }
        let depths = Depths()
        journal.onSettle { depths.note() }
        for _ in 0..<1000 { _ = await journal.settled() }
        let all = depths.all
        #expect(all.count == 1000)
        let first = try #require(all.prefix(10).max())
        #expect(try #require(all.suffix(10).max()) <= first + 16)
    }
}
