internal import APNsRules

/// The life of an HTTP/1.1 connection, which carries one request at a time, as a value without I/O: ``HTTP1Handler``
/// reports events and does what they return.
struct HTTP1ConnectionState {
    private enum Phase {
        /// No request has come, or the last one has its reply.
        case idle
        /// A request's head has come; its body has yet to.
        case receiving
        /// A request is complete, or too large, and has no reply yet.
        case unanswered
        case closed
    }

    private var phase = Phase.idle
    /// Whether the connection stays open after the reply to the request at hand.
    private var isKeptAlive = true
    /// Whether the connection closes after the next reply, whatever further requests wish.
    private var isShuttingDown = false
    private(set) var requestCount = 0
    /// What had been read when the last of them was complete.
    private var completeBytes = 0

    var isClosed: Bool { phase == .closed }
    var isUnanswered: Bool { phase == .receiving || phase == .unanswered }
    /// Whether a reply may be sent that was withheld.
    var isWithheld: Bool { phase == .unanswered }
    /// Whether the body of a request is taken in; else it is dropped.
    var isReceiving: Bool { phase == .receiving }
    /// Whether the bytes read last belong to a request that is incomplete and may take too long.
    func isInRequest(bytesIn: Int) -> Bool { (phase == .idle || phase == .receiving) && bytesIn > completeBytes }

    /// The head of a request has come; `isKeptAlive` is its own wish.
    mutating func begin(isKeptAlive: Bool) {
        guard !isClosed else { return }
        phase = .receiving
        self.isKeptAlive = isKeptAlive
    }

    /// The rest of a request's body is refused, for which HTTP/1.1 has to close the connection.
    mutating func bodyExceeded() { isKeptAlive = false }

    /// The end of a request has come; returns whether it has to be answered now.
    mutating func requestEnded(bytesIn: Int) -> Bool {
        requestCount += 1
        completeBytes = bytesIn
        return phase == .receiving
    }

    mutating func judged() { if phase == .receiving { phase = .unanswered } }

    /// A reply is sent, or its head; returns whether the connection closes with it.
    mutating func replied() -> Bool {
        if !isClosed { phase = .idle }
        return isShuttingDown || !isKeptAlive
    }

    /// The server ends the connection; returns whether to close at once: no request waits for its reply.
    mutating func shutDown() -> Bool {
        isShuttingDown = true
        return !isUnanswered
    }

    /// The peer sends no more; returns whether to close at once: only a reply that is withheld is still owed.
    mutating func inputEnded() -> Bool {
        isShuttingDown = true
        return !isWithheld
    }

    /// Ends the connection; returns `false` when it has ended before.
    mutating func close() -> Bool {
        defer { phase = .closed }
        return !isClosed
    }
}
