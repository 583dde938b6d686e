internal import APNsRules

/// The life of an HTTP/1.1 connection, which carries one request at a time.
///
/// A value without I/O: ``HTTP1Handler`` reports events and does what they return.
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

    private enum Persistence {
        case keptAlive
        /// Until the reply to the request at hand.
        case closesWithReply
        /// As ``closesWithReply``; further requests change nothing.
        case shuttingDown
    }

    private var phase = Phase.idle
    private var persistence = Persistence.keptAlive
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
    func isInRequest(bytesIn: Int) -> Bool {
        (phase == .idle || phase == .receiving) && bytesIn > completeBytes
    }

    /// The head of a request has come; `isKeptAlive` is its own wish.
    mutating func begin(isKeptAlive: Bool) {
        guard !isClosed else { return }
        phase = .receiving
        if persistence != .shuttingDown { persistence = isKeptAlive ? .keptAlive : .closesWithReply }
    }

    /// The rest of a request's body is refused, for which HTTP/1.1 has to close the connection.
    mutating func bodyExceeded() {
        if persistence == .keptAlive { persistence = .closesWithReply }
    }

    /// The end of a request has come; returns whether it has to be answered now.
    mutating func requestEnded(bytesIn: Int) -> Bool {
        requestCount += 1
        completeBytes = bytesIn
        return phase == .receiving
    }

    mutating func judged() {
        if phase == .receiving { phase = .unanswered }
    }

    /// A reply is sent, or its head; returns whether the connection closes with it.
    mutating func replied() -> Bool {
        if !isClosed { phase = .idle }
        return persistence != .keptAlive
    }

    enum OnShutdown: Equatable {
        /// Close when the request at hand has its reply.
        case awaitReply
        case close
    }

    mutating func shutDown() -> OnShutdown {
        persistence = .shuttingDown
        return isUnanswered ? .awaitReply : .close
    }

    /// The peer sends no more: a reply that is withheld ends the connection, and nothing else is owed.
    mutating func inputEnded() -> OnShutdown {
        persistence = .shuttingDown
        return isWithheld ? .awaitReply : .close
    }

    /// Ends the connection; returns `false` when it has ended before.
    mutating func close() -> Bool {
        defer { phase = .closed }
        return !isClosed
    }
}
