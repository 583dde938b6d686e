internal import APNsRules

/// The life of a connection: opening, open, closed.
///
/// A value without I/O: ``ConnectionHandler`` reports events and does what they return. Only ``close()`` ends the
/// connection; the handler calls it where another event returns ``Next/close``.
struct ConnectionState {
    enum Next {
        case nothing
        /// Send GOAWAY, and close when the streams have ended.
        case drain
        case close
    }

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

    /// The problem of a client that leaves in the middle of the handshake.
    ///
    /// None where it has sent nothing, and only looks whether the port is open, or where a fault keeps it waiting.
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

    /// The server ends the connection once its streams have ended; only the first call has an effect.
    mutating func shutDown() -> Next {
        switch phase {
        case .opening: return .close
        case .serving, .leftOpen, .answering:
            phase = .draining
            return .drain
        case .draining, .closed: return .nothing
        }
    }

    mutating func leaveOpen() {
        if phase == .serving { phase = .leftOpen }
    }

    /// The peer sends no more; `owedAnswers` are withheld and will come.
    mutating func inputEnded(owedAnswers: Int) -> Next {
        guard !isClosed else { return .nothing }
        guard isOpen, owedAnswers > 0 else { return .close }
        if phase != .draining { phase = .answering }
        return .nothing
    }

    func graceOver() -> Next { phase == .draining ? .close : .nothing }

    /// All output is on its way; `openStreams` have no complete reply, and `owedAnswers` of them will have one.
    func outputSent(openStreams: Int, owedAnswers: Int, wantsMore: Bool) -> Next {
        switch phase {
        case .serving where !wantsMore: .close
        case .draining where openStreams == 0: .close
        case .answering where owedAnswers == 0: .close
        default: .nothing
        }
    }

    /// Ends the connection; returns whether it was open, so that its end is reported once.
    mutating func close() -> Bool {
        defer { phase = .closed }
        return isOpen
    }

    /// Counts bytes that came after the end; closes the socket of a peer that sends more than `limit`.
    mutating func dropped(_ byteCount: Int, limit: Int) -> Next {
        guard isClosed else { return .nothing }
        droppedByteCount += byteCount
        return droppedByteCount > limit ? .close : .nothing
    }
}
