internal import APNsRules

/// The life of a connection: opening, open, closed.
///
/// A value without I/O: ``ConnectionHandler`` reports events and does what they return. Only ``close()`` ends the
/// connection; the handler calls it where another event returns that the connection is to be closed.
struct ConnectionState {
    private enum Phase {
        /// Until requests can be answered: the TLS handshake, where there is one.
        case opening
        /// Open until either side ends it.
        case serving
        /// Open until the peer or the server's shutdown ends it, although HTTP/2 has nothing left to do.
        case leftOpen
        /// Open until the withheld answers have been sent: the peer sends no more.
        case answering
        /// Open until its streams have ended.
        case draining
        case closed
    }

    private var phase = Phase.opening
    private var isHelloJudged = false
    private var isHandshakeFaulted = false
    private(set) var alertAfterHandshake: TLSAlert?
    private var openingFaults: [WireFault]
    private var droppedByteCount = 0

    init(faults: [WireFault] = []) { openingFaults = faults }
    var isOpening: Bool { phase == .opening }
    var isOpen: Bool { !isOpening && !isClosed }
    var isDraining: Bool { phase == .draining }
    var isClosed: Bool { phase == .closed }

    /// The ClientHello has been read, or more bytes after it; returns whether the responder has to decide about it now.
    mutating func helloRead() -> Bool {
        defer { isHelloJudged = true }
        return isOpening && !isHelloJudged
    }

    /// A fault acts on the handshake: it is the cause of whatever the client does then.
    mutating func handshakeFaulted() { isHandshakeFaulted = true }
    mutating func sendAlertAfterHandshake(_ alert: TLSAlert) { alertAfterHandshake = alert }
    mutating func carryOutWhenOpen(_ fault: WireFault) { openingFaults.append(fault) }

    /// The problem of a handshake that fails: the cause is the fault that acts on it, if one does.
    func handshakeProblem(_ cause: HandshakeFailure.Cause, _ detail: String) -> ConnectionProblem {
        .handshakeFailed(HandshakeFailure(cause: isHandshakeFaulted ? .fault : cause, detail: detail))
    }

    /// The problem of a client that leaves in the middle of the handshake; `nil` for one that has sent nothing and
    /// only looks whether the port is open, and where a fault keeps it waiting.
    func hangUpProblem(bytesIn: Int) -> ConnectionProblem? {
        guard isOpening, bytesIn > 0, !isHandshakeFaulted else { return nil }
        return .handshakeFailed(HandshakeFailure(cause: .hungUp, detail: "the client hung up"))
    }

    /// The connection can carry requests; returns the faults to carry out first.
    mutating func open() -> [WireFault] {
        guard isOpening else { return [] }
        phase = .serving
        alertAfterHandshake = nil
        defer { openingFaults = [] }
        return openingFaults
    }

    enum OnShutdown {
        case nothing
        case close
        /// Close once the streams have ended.
        case drain
    }

    /// The server ends the connection.
    mutating func shutDown() -> OnShutdown {
        switch phase {
        case .opening: return .close
        case .serving, .leftOpen, .answering:
            phase = .draining
            return .drain
        case .draining, .closed: return .nothing
        }
    }

    mutating func leaveOpen() { if phase == .serving { phase = .leftOpen } }

    /// The peer sends no more, and `owedAnswers` are withheld and will come; returns whether to close.
    mutating func inputEnded(owedAnswers: Int) -> Bool {
        guard isOpen, owedAnswers > 0 else { return !isClosed }
        if !isDraining { phase = .answering }
        return false
    }

    /// All output is on its way; returns whether to close: `openStreams` have no complete reply, and `owedAnswers` of
    /// them will have one.
    func isOver(openStreams: Int, owedAnswers: Int, wantsMore: Bool) -> Bool {
        switch phase {
        case .serving: !wantsMore
        case .draining: openStreams == 0
        case .answering: owedAnswers == 0
        case .opening, .leftOpen, .closed: false
        }
    }

    /// Ends the connection; returns whether it was open, so that its end is reported once.
    mutating func close() -> Bool {
        defer { phase = .closed }
        return isOpen
    }

    /// Counts bytes that came after the end; returns whether to close the socket: they are more than `limit`.
    mutating func dropped(_ byteCount: Int, limit: Int) -> Bool {
        guard isClosed else { return false }
        droppedByteCount += byteCount
        return droppedByteCount > limit
    }
}
