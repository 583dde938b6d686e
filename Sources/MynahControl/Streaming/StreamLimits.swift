/// The times and sizes of answers that are written as their readers take them.
struct StreamLimits: Hashable, Sendable {
    /// A comment is written as often as this (`ControlAPI#Events`).
    var heartbeat: Duration = .seconds(15)
    /// How long a reader may take nothing before it is cut off: its connection's buffers are full, and what is kept for
    /// it would otherwise be kept for ever.
    var stallMax: Duration = .seconds(10)

    /// Bytes that are handed to the connection at once; more is written when those are on their way.
    static let batchBytesMax = 64 * 1024
}
