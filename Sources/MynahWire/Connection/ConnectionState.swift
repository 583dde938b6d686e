internal import APNsRules

/// The life of a connection: opening, open, closed.
///
/// A value without I/O: ``ConnectionHandler`` reports events and does what they return. Only ``close()`` ends the
/// connection; the handler calls it when another event returns that the connection should close.
struct ConnectionState {
    private enum Phase {
        /// Until requests can be answered: during the TLS handshake, if there is one.
        case opening
        /// Open until either side ends it.
        case serving
        /// Open until the peer or the server's shutdown ends it, although HTTP/2 has nothing left to do.
        case leftOpen
        /// Open until the withheld answers have been sent; the peer has half-closed.
        case answering
        /// Open until its streams have ended.
        case draining
        case closed
    }

    private var phase = Phase.opening
    private var isHelloJudged = false
    private var isHandshakeFaulted = false
    private var hasHandshake = false
    private var hasSpoken = false
    private(set) var alertAfterHandshake: TLSAlert?
    private var openingFaults: [WireFault]
    private var droppedByteCount = 0

    init(faults: [WireFault] = []) { openingFaults = faults }
    var isOpening: Bool { phase == .opening }
    var isOpen: Bool { !isOpening && !isClosed }
    var isDraining: Bool { phase == .draining }
    var isAnswering: Bool { phase == .answering }
    var isClosed: Bool { phase == .closed }

    /// Records that the ClientHello, or bytes after it, were read; returns whether to ask the responder about it now.
    mutating func helloRead() -> Bool {
        defer { isHelloJudged = true }
        return isOpening && !isHelloJudged
    }

    /// Records that a fault acts on the handshake, and so is the cause of any failure.
    mutating func handshakeFaulted() { isHandshakeFaulted = true }
    mutating func sendAlertAfterHandshake(_ alert: TLSAlert) { alertAfterHandshake = alert }
    mutating func carryOutWhenOpen(_ fault: WireFault) { openingFaults.append(fault) }

    /// The problem of a failed handshake; a fault that acts on the handshake takes precedence over `cause`.
    func handshakeProblem(_ cause: HandshakeFailure.Cause, _ detail: String) -> ConnectionProblem {
        .handshakeFailed(HandshakeFailure(cause: isHandshakeFaulted ? .fault : cause, detail: detail))
    }

    /// The problem of a client that closes the connection during the handshake, or after it before any HTTP/2; `nil` if
    /// the client has sent nothing, as in a port check, or if a fault acts on the handshake.
    func hangUpProblem(bytesIn: Int) -> ConnectionProblem? {
        let detail: String
        switch phase {
        case .opening where bytesIn > 0 && !isHandshakeFaulted: detail = "the client hung up"
        // Some libraries check the certificate only now.
        case .serving where hasHandshake && !hasSpoken:
            detail = "the client hung up right after the handshake, before any HTTP/2"
        default: return nil
        }
        return handshakeProblem(.hungUp, detail)
    }

    /// Records bytes inside TLS; returns whether they are the first.
    mutating func recordDecryptedInput() -> Bool {
        defer { hasSpoken = true }
        return hasHandshake && !hasSpoken
    }

    /// Opens the connection for requests, after a handshake if it uses TLS; returns the faults to carry out first.
    mutating func open(afterHandshake: Bool = false) -> [WireFault] {
        guard isOpening else { return [] }
        phase = .serving
        hasHandshake = afterHandshake
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

    /// Begins the server's shutdown.
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

    /// Records the peer's half-close, with `owedAnswers` withheld answers still to come; returns whether to close.
    mutating func inputEnded(owedAnswers: Int) -> Bool {
        guard isOpen, owedAnswers > 0 else { return !isClosed }
        if !isDraining { phase = .answering }
        return false
    }

    /// Whether to close after all output: `openStreams` lack a complete reply, and `owedAnswers` of them will have one.
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

    /// Counts bytes received after the end; returns whether they exceed `limit`, so that the socket should close.
    mutating func dropped(_ byteCount: Int, limit: Int) -> Bool {
        guard isClosed else { return false }
        droppedByteCount += byteCount
        return droppedByteCount > limit
    }
}
