internal import APNsRules

/// The state of an HTTP/1.1 connection, with one request at a time; ``HTTP1Handler`` does the I/O.
struct HTTP1ConnectionState {
    private enum Phase {
        /// No request has begun, or the last one has its reply.
        case idle
        /// A request's head was received, its body not yet.
        case receiving
        /// A request is complete, or too large, and has no reply yet.
        case unanswered
        case closed
    }

    private var phase = Phase.idle
    /// Whether the connection stays open after the reply to the current request.
    private var isKeptAlive = true
    /// Whether the connection closes after the next reply, even if further requests ask for keep-alive.
    private var isShuttingDown = false
    private(set) var requestCount = 0
    /// The bytes read when the last of these requests was complete.
    private var completeBytes = 0

    var isClosed: Bool { phase == .closed }
    var isUnanswered: Bool { phase == .receiving || phase == .unanswered }
    /// Whether a withheld reply may be sent.
    var isWithheld: Bool { phase == .unanswered }
    /// Whether body bytes are kept; otherwise they are dropped.
    var isReceiving: Bool { phase == .receiving }
    /// Whether the bytes read last belong to an incomplete request, which has a time limit.
    func isInRequest(bytesIn: Int) -> Bool { (phase == .idle || phase == .receiving) && bytesIn > completeBytes }

    /// Begins a request; `isKeptAlive` is what its head asks for.
    mutating func begin(isKeptAlive: Bool) {
        guard !isClosed else { return }
        phase = .receiving
        self.isKeptAlive = isKeptAlive
    }

    /// Refuses the rest of a request's body, for which HTTP/1.1 has to close the connection.
    mutating func bodyExceeded() { isKeptAlive = false }

    /// Records the end of a request; returns whether it has to be answered now.
    mutating func requestEnded(bytesIn: Int) -> Bool {
        requestCount += 1
        completeBytes = bytesIn
        return phase == .receiving
    }

    mutating func judged() { if phase == .receiving { phase = .unanswered } }

    /// Records that a reply, or its head, is sent; returns whether the connection closes after it.
    mutating func replied() -> Bool {
        if !isClosed { phase = .idle }
        return isShuttingDown || !isKeptAlive
    }

    /// Begins the server's shutdown; returns whether to close at once, because no request waits for its reply.
    mutating func shutDown() -> Bool {
        isShuttingDown = true
        return !isUnanswered
    }

    /// Records the peer's half-close; returns whether to close at once, because no reply is withheld.
    mutating func inputEnded() -> Bool {
        isShuttingDown = true
        return !isWithheld
    }

    /// Ends the connection; returns `false` if it had already ended.
    mutating func close() -> Bool {
        defer { phase = .closed }
        return !isClosed
    }
}
