internal import APNsRules

/// The life of a connection: opening, open, closed.
///
/// A value without I/O: ``ConnectionHandler`` reports events and does what they return. Only ``close()`` ends the
/// connection; the handler calls it where another event returns ``Next/close``.
struct ConnectionState {
    /// What an event calls for.
    enum Next: Equatable {
        case nothing
        case close
    }

    enum OnShutdown: Equatable {
        case nothing
        /// Send GOAWAY, and close when the streams have ended.
        case drain
        case close
    }

    /// Until requests can be answered: the TLS handshake, where there is one.
    private struct Opening {
        /// Whether the responder has decided about the ClientHello.
        var isHelloJudged = false
        /// Whether a fault acts on the handshake.
        var isFaulted = false
        /// The alert that a fault sends after the handshake.
        var alert: TLSAlert?
        /// Faults to carry out as soon as the connection is open.
        var faults: [WireAct]
    }

    /// How long an open connection lasts.
    private enum Course {
        /// Until either side ends it.
        case serving
        /// Until the peer or the server's shutdown ends it, although HTTP/2 has nothing left to do.
        case leftOpen
        /// Until the withheld answers have been sent: the peer sends no more.
        case answering
        /// Until its streams have ended.
        case draining
    }

    private enum Phase {
        case opening(Opening)
        case open(Course)
        case closed(droppedBytes: Int)
    }

    private var phase: Phase

    /// A connection that can't carry requests yet, and the faults to carry out when it can.
    init(faults: [WireAct] = []) { phase = .opening(Opening(faults: faults)) }

    /// Whether the connection can't carry requests yet.
    var isOpening: Bool {
        if case .opening = phase { true } else { false }
    }

    /// Whether requests are answered.
    var isOpen: Bool {
        if case .open = phase { true } else { false }
    }

    /// Whether nothing more is read or written.
    var isClosed: Bool {
        if case .closed = phase { true } else { false }
    }

    // MARK: Opening

    /// The ClientHello has been read, or more bytes after it; returns whether the responder has to decide about it now.
    mutating func helloRead() -> Bool {
        guard case .opening(var opening) = phase, !opening.isHelloJudged else { return false }
        opening.isHelloJudged = true
        phase = .opening(opening)
        return true
    }

    /// A fault acts on the handshake: it is the cause of whatever the client does then.
    mutating func handshakeFaulted() { changeOpening { $0.isFaulted = true } }

    /// A fault sends this alert after the handshake, in place of anything else.
    mutating func sendAlertAfterHandshake(_ alert: TLSAlert) { changeOpening { $0.alert = alert } }

    /// A fault is to be carried out as soon as the connection is open.
    mutating func carryOutWhenOpen(_ fault: WireAct) { changeOpening { $0.faults.append(fault) } }

    /// The alert to send after the handshake.
    var alertAfterHandshake: TLSAlert? {
        guard case .opening(let opening) = phase else { return nil }
        return opening.alert
    }

    /// The problem of a handshake that fails: the cause is the fault that acts on it, if one does.
    func handshakeProblem(_ cause: HandshakeFailure.Cause, _ detail: String) -> ConnectionProblem {
        guard case .opening(let opening) = phase, opening.isFaulted else {
            return .handshakeFailed(HandshakeFailure(cause, detail))
        }
        return .handshakeFailed(HandshakeFailure(.fault, detail))
    }

    /// The problem of a client that leaves in the middle of the handshake.
    ///
    /// `nil` for a client that has sent nothing, which only looks whether the port is open, and for one that a fault keeps
    /// waiting.
    func hangUpProblem(bytesIn: Int) -> ConnectionProblem? {
        guard case .opening(let opening) = phase, bytesIn > 0, !opening.isFaulted else { return nil }
        return .handshakeFailed(HandshakeFailure(.hungUp, "the client hung up"))
    }

    /// The connection can carry requests; returns the faults to carry out first.
    mutating func open() -> [WireAct] {
        guard case .opening(let opening) = phase else { return [] }
        phase = .open(.serving)
        return opening.faults
    }

    private mutating func changeOpening(_ change: (inout Opening) -> Void) {
        guard case .opening(var opening) = phase else { return }
        change(&opening)
        phase = .opening(opening)
    }

    // MARK: Open

    /// The server ends the connection once its streams have ended; only the first call has an effect.
    mutating func shutDown() -> OnShutdown {
        switch phase {
        case .opening: return .close
        case .open(.serving), .open(.leftOpen), .open(.answering):
            phase = .open(.draining)
            return .drain
        case .open(.draining), .closed: return .nothing
        }
    }

    /// The connection stays open although HTTP/2 has nothing left to do, until the server or the peer ends it.
    mutating func leaveOpen() {
        if case .open(.serving) = phase { phase = .open(.leftOpen) }
    }

    /// The peer sends no more; `owedAnswers` are withheld and will come.
    mutating func inputEnded(owedAnswers: Int) -> Next {
        guard case .open(let course) = phase else { return isClosed ? .nothing : .close }
        guard owedAnswers > 0 else { return .close }
        if course != .draining { phase = .open(.answering) }
        return .nothing
    }

    /// The time that open streams were given is over.
    func graceOver() -> Next {
        if case .open(.draining) = phase { .close } else { .nothing }
    }

    /// All output is on its way.
    ///
    /// - Parameters:
    ///   - openStreams: the streams without a complete reply.
    ///   - owedAnswers: how many of them will have one.
    ///   - wantsMore: whether HTTP/2 has something left to read or write.
    func outputSent(openStreams: Int, owedAnswers: Int, wantsMore: Bool) -> Next {
        switch phase {
        case .open(.serving) where !wantsMore: .close
        case .open(.draining) where openStreams == 0: .close
        case .open(.answering) where owedAnswers == 0: .close
        default: .nothing
        }
    }

    // MARK: Closed

    /// Ends the connection; returns whether it was open, so that its end is reported once.
    mutating func close() -> Bool {
        if isClosed { return false }
        defer { phase = .closed(droppedBytes: 0) }
        return isOpen
    }

    /// Counts bytes that came after the end; closes the socket of a peer that sends more than `limit`.
    mutating func dropped(_ byteCount: Int, limit: Int) -> Next {
        guard case .closed(let dropped) = phase else { return .nothing }
        phase = .closed(droppedBytes: dropped + byteCount)
        return dropped + byteCount > limit ? .close : .nothing
    }
}
