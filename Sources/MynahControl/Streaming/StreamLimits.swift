/// The times and sizes of answers that are written as their readers take them.
struct StreamLimits: Hashable, Sendable {
    /// How often a comment is written (`ControlAPI#Events`).
    var heartbeat: Duration = .seconds(15)
    /// How long a reader may take nothing before it is disconnected, so that nothing is kept for it for ever.
    var stallMax: Duration = .seconds(10)

    /// Bytes that are handed to the connection at once; the next are written once these are on their way.
    static let batchBytesMax = 64 * 1024
}
