import APNsRules
import MynahCore

extension Finding {
    /// The document that answers a verdict, of a server that has evicted the pushes up to a number.
    func answer(
        _ verdict: ExpectationRun.Verdict, evictedThrough: UInt64
    ) async throws(CancellationError) -> JSONValue {
        var counters = JournalCounters()
        counters.evictedThrough = evictedThrough
        return try await makeAnswer(verdict, counters, lastSequence: 0).json
    }
}
