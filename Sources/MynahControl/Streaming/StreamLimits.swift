/// What a stream of events may take.
struct StreamLimits: Hashable, Sendable {
    /// A comment is written as often as this (`control-api.md`, `/v1/events`).
    var heartbeat: Duration = .seconds(15)
    /// A reader that takes nothing for so long is cut off: its connection's buffers are full, and what it holds up
    /// would otherwise be held for ever.
    var stallMax: Duration = .seconds(10)

    /// Bytes that are handed to the connection at once; more is written when those are on their way.
    static let batchBytesMax = 64 * 1024
}
