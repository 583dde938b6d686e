/// What one address of the control API takes from its callers, so that none of them can keep others out.
struct ListenerLimits: Hashable, Sendable {
    /// A further connection is answered with 503.
    ///
    /// Far more than tests have, and with the connections of pushes below the 1,024 descriptors that a process has by
    /// default.
    var connectionsMax = 512
    /// A new connection must have sent the head of a request by then; browsers open some ahead of need.
    var firstHeadTimeout: Duration = .seconds(15)
    /// A body must have come whole so long after its head: 5 MB at 170 kB/s.
    var bodyTimeout: Duration = .seconds(30)
    /// A connection on which nobody asks anything is closed after this; one that waits for an answer is not.
    var idleTimeout: Duration = .seconds(120)
    /// A caller that has its last answer has so long to close its side.
    var closeTimeout: Duration = .seconds(5)

    /// Bytes of one field of a head.
    static let fieldBytesMax = 32 * 1024
    /// Bytes of all fields of a head.
    static let fieldsBytesMax = 64 * 1024
    /// Fields of a head; browsers send some twenty.
    static let fieldsMax = 100
    /// Bytes of a URL's query: some hundred conditions, where each is tried on every push of the journal.
    static let queryBytesMax = 16 * 1024
}
