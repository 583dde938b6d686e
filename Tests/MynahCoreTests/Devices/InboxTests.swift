import APNsRules
import Testing

@testable import MynahCore

@Suite("A device's inbox")
struct InboxTests {
    @Test("the last one is the newest, also once it replaces the oldest", arguments: 0...9)
    func last(count: UInt64) {
        var inbox = Inbox()
        for sequence in 1..<(count + 1) {
            inbox.append(sequence, at: Instant(milliseconds: Int64(sequence)), limit: 3)
        }
        #expect(inbox.last == inbox.items.last?.sequence)
        #expect(inbox.last == (count == 0 ? nil : count))
    }
}
