import APNsRules
import Testing

@testable import Mynah

@Suite("When snapshots of a cluster are due, and what long starts say")
struct ClusterSnapshotPaceTests {
    private static let start = Instant(seconds: 1_767_225_600)

    /// How many of these batches it takes until a snapshot is due; `nil` if none is.
    private func batches(of bytes: Int, every pause: Duration, bytesMax: Int, among count: Int) -> Int? {
        var pace = ClusterSnapshotPace()
        var time = Self.start
        for number in 1...count {
            if pace.isDue(afterBatchOf: bytes, at: time, bytesMax: bytesMax) { return number }
            time = time.advanced(by: pause)
        }
        return nil
    }

    @Test("by bytes, by number, and by time, whichever comes first")
    func due() {
        #expect(batches(of: 100, every: .zero, bytesMax: 1000, among: 100) == 10)
        #expect(batches(of: 1, every: .zero, bytesMax: .max, among: 60_000) == ClusterSnapshotPace.batchCountMax)
        // After the first batch, six hours to come.
        #expect(batches(of: 1, every: .seconds(3600), bytesMax: .max, among: 100) == 7)
        #expect(batches(of: 1, every: .seconds(1), bytesMax: .max, among: 21_600) == nil)
    }

    @Test("the counts begin anew with each")
    func anew() {
        var pace = ClusterSnapshotPace()
        var due: [Int] = []
        for number in 1...35 where pace.isDue(afterBatchOf: 100, at: Self.start, bytesMax: 1000) { due.append(number) }
        #expect(due == [10, 20, 30])
        // A batch a day, of which each but the first of a count is late.
        var old = ClusterSnapshotPace()
        var times: [Int] = []
        for day in 0..<6 {
            let time = Self.start.advanced(by: .seconds(day * 86_400))
            if old.isDue(afterBatchOf: 1, at: time, bytesMax: .max) { times.append(day) }
        }
        #expect(times == [1, 3, 5])
    }

    @Test("how far a start is, is told each two seconds and not by number of batches")
    func progress() {
        let begin = ContinuousClock.now
        var progress = ReadingProgress(of: "the run", at: begin)
        var lines: [String] = []
        // A thousand batches a second, for five seconds.
        for number in 1...5000 {
            let now = begin + .milliseconds(number)
            if let line = progress.line(after: UInt64(number), of: 9000, at: now) { lines.append(line) }
        }
        #expect(lines == ["reading the run: batch 2000 of 9000", "reading the run: batch 4000 of 9000"])
        var quick = ReadingProgress(of: "the run", at: begin)
        #expect(quick.line(after: 1_000_000, of: 1_000_000, at: begin + .milliseconds(1999)) == nil)
        // What other servers write meanwhile isn't known as the last.
        var behind = ReadingProgress(of: "the cluster's log", at: begin)
        #expect(behind.line(after: 12, of: 10, at: begin + .seconds(9)) == "reading the cluster's log: batch 12 of 12")
    }
}
