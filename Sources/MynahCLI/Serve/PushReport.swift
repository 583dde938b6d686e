import APNsRules
import Logging
import Mynah
import MynahCore

/// Logs that pushes come: at most a line in ``interval``, from what the journal counts anyway.
struct PushReporter: Sendable {
    static let interval: Duration = .seconds(1)
    /// The newest pushes of an interval whose topics and reasons are named.
    static let sampleCount = 100

    let server: Server
    let logger: Logger

    /// Reports until the task is cancelled, and then once more.
    func run() async {
        var report = PushReport()
        var isRunning = true
        while isRunning {
            isRunning = (try? await Task.sleep(for: PushReporter.interval)) != nil
            let (counters, newest) = server.journal.read { journal in
                (journal.counters, journal.entries(before: .max, limit: PushReporter.sampleCount).entries)
            }
            let sample = newest.map { PushReport.Push($0) }
            let counts = PushReport.Counts(
                received: counters.received, accepted: counters.accepted, refused: counters.refused)
            if let line = report.line(counts, newest: sample) { logger.info("\(line)") }
        }
    }
}

/// What to say of the pushes since the last look at the journal.
struct PushReport {
    struct Counts {
        var received: UInt64 = 0
        var accepted: UInt64 = 0
        var refused: UInt64 = 0
    }

    /// What is said of one push.
    struct Push {
        var sequence: UInt64
        var topic: String?
        var reason: String?
    }

    /// The most topics, and the most reasons, in a line.
    static let namesMax = 3

    private var known = Counts()
    private var sequence: UInt64 = 0

    /// - Parameter newest: Some of the newest pushes, whose topics and reasons are named.
    /// - Returns: A line; `nil` if no push has come.
    mutating func line(_ counts: Counts, newest: [Push]) -> String? {
        // After a reset they begin again.
        let before = counts.received < known.received ? Counts() : known
        let fresh = newest.filter { $0.sequence > sequence }
        known = counts
        sequence = max(sequence, fresh.map(\.sequence).max() ?? 0)
        guard counts.received > before.received else { return nil }
        let count = counts.received - before.received
        let reasons = PushReport.names(fresh.compactMap(\.reason))
        let parts = [(counts.accepted - before.accepted, "accepted"), (counts.refused - before.refused, "refused")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let topics = PushReport.names(fresh.compactMap(\.topic))
        return "\(count) push\(count == 1 ? "" : "es")" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
            + (reasons.isEmpty ? "" : " (\(reasons))") + (topics.isEmpty ? "" : "; \(topics)")
    }

    private static func names(_ all: [String]) -> String {
        let names = all.withoutRepeats
        let shown = names.prefix(namesMax).joined(separator: ", ")
        return names.count > namesMax ? "\(shown) and \(names.count - namesMax) more" : shown
    }
}

extension PushReport.Push {
    fileprivate init(_ entry: Entry) {
        let view = PushView(entry)
        self.init(
            sequence: entry.sequence, topic: view.topic, reason: entry.reason?.rawValue)
    }
}
