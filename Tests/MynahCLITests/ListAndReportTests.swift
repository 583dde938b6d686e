import APNsRules
import Testing

@testable import MynahCLI

@Suite("Lists and reports")
struct ListAndReportTests {
    private let columns = ListColumns([
        ListColumn("ID") { $0.cell("id") }, ListColumn("STORED") { $0.count("stored") },
        ListColumn("NAME") { $0.cell("name") },
    ])
    private let items: [JSONValue] = [
        ["id": "kim", "stored": 12, "name": "Kim's\tphone"], ["id": "a-long-id", "stored": .null],
    ]

    @Test("a list has headings and aligned columns on a terminal, tabs elsewhere")
    func list() {
        #expect(
            columns.text(items, isTerminal: true) == """
                ID         STORED  NAME
                kim        12      Kim's phone
                a-long-id  -       -
                """)
        #expect(columns.text(items, isTerminal: false) == "kim\t12\tKim's phone\na-long-id\t-\t-")
    }

    @Test("an empty list is headings on a terminal, nothing elsewhere")
    func emptyList() {
        #expect(columns.text([], isTerminal: true) == "ID  STORED  NAME")
        #expect(columns.text([], isTerminal: false) == nil)
    }

    private func counters(_ received: UInt64, accepted: UInt64) -> PushReport.Counts {
        PushReport.Counts(received: received, accepted: accepted, refused: received - accepted)
    }

    @Test("new pushes are one line with their answers, reasons and topics")
    func pushes() {
        var report = PushReport()
        #expect(report.line(counters(0, accepted: 0), newest: []) == nil)
        let first = PushReport.Push(sequence: 1, topic: "a.b")
        #expect(report.line(counters(1, accepted: 1), newest: [first]) == "1 push: 1 accepted; a.b")
        #expect(report.line(counters(1, accepted: 1), newest: [first]) == nil)
        let refused = PushReport.Push(sequence: 3, topic: "c.d", reason: "BadTopic")
        #expect(
            report.line(counters(4, accepted: 2), newest: [refused, first])
                == "3 pushes: 1 accepted, 2 refused (BadTopic); c.d")
    }

    @Test("a line names three topics at most, and counts the others")
    func topics() {
        var report = PushReport()
        let pushes = (1...5).map { PushReport.Push(sequence: $0, topic: "t\($0)") }
        #expect(
            report.line(counters(5, accepted: 5), newest: pushes)
                == "5 pushes: 5 accepted; t1, t2, t3 and 2 more")
    }

    @Test("after a reset the counters begin again")
    func reset() {
        var report = PushReport()
        _ = report.line(counters(9, accepted: 9), newest: [])
        #expect(report.line(counters(0, accepted: 0), newest: []) == nil)
        #expect(report.line(counters(2, accepted: 2), newest: []) == "2 pushes: 2 accepted")
    }
}
