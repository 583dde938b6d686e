internal import Mynah

/// Limits of the control API, so that no caller can keep others out.
struct ListenerLimits: Hashable, Sendable {
    /// The most connections on all addresses; further ones are answered with 503.
    ///
    /// Only a part of the file descriptors, so that some are left to connections of providers and to files.
    var connectionsMax = min(connectionsLimit, FileDescriptors.limit / descriptorsDivisor)
    /// The most connections however many file descriptors there are; far more than tests need.
    static let connectionsLimit = 512
    /// The part of the file descriptors that connections to the control API may use.
    private static let descriptorsDivisor = 4
    /// The most connections that are being answered with 503; with that many open, no other is accepted.
    static let refusalsMax = 16
    /// How long a new connection may take to send the head of a request; browsers open some ahead of need.
    var firstHeadTimeout: Duration = .seconds(15)
    /// How long a body may take after its head: 5 MB at 170 kB/s.
    var bodyTimeout: Duration = .seconds(30)
    /// How long a connection may be idle; one that waits for an answer is not idle.
    var idleTimeout: Duration = .seconds(120)
    /// How long a caller may take to close its side after its last answer.
    var closeTimeout: Duration = .seconds(5)

    /// Bytes of one header field.
    static let fieldBytesMax = 32 * 1024
    /// Bytes of all header fields.
    static let fieldsBytesMax = 64 * 1024
    /// Header fields; browsers send about twenty.
    static let fieldsMax = 100
    /// Bytes of a URL's query: some hundred conditions, each of which is tried on every push of the journal.
    static let queryBytesMax = 16 * 1024
}
