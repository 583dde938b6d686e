/// The life of a connection: handshake, open, draining, closed.
///
/// Told what happened, answers what to do.
package struct ConnectionLifecycle: ~Copyable {
    package enum OnHandshakeTimeout: Equatable { case close, nothing }
    package enum OnShutdown: Equatable { case sendGoAway, close, nothing }
    package enum OnGraceOver: Equatable { case close, nothing }
    package enum OnOutputSent: Equatable { case close, nothing }
    package enum OnInputEnd: Equatable { case close, nothing }

    private enum State {
        case handshaking
        case open
        case leftOpen
        case answering
        case draining
        case closed
    }

    private var state: State

    /// A connection without TLS is open from the start.
    package init(needsHandshake: Bool) {
        self.state = needsHandshake ? .handshaking : .open
    }

    /// Whether the handshake is still going on.
    package var isHandshaking: Bool { state == .handshaking }

    /// Whether nothing more is to be read or written.
    package var isClosed: Bool { state == .closed }

    /// The handshake is complete.
    package mutating func handshakeCompleted() {
        if state == .handshaking { state = .open }
    }

    /// The time for the handshake is over.
    package mutating func handshakeTimedOut() -> OnHandshakeTimeout {
        guard state == .handshaking else { return .nothing }
        state = .closed
        return .close
    }

    /// The server wants the connection to end once its streams have; a second wish changes nothing.
    package mutating func shutDown() -> OnShutdown {
        switch state {
        case .handshaking:
            state = .closed
            return .close
        case .open, .leftOpen, .answering:
            state = .draining
            return .sendGoAway
        case .draining, .closed:
            return .nothing
        }
    }

    /// The connection stays open although HTTP/2 is done with it, until the server or the peer ends it.
    package mutating func leaveOpen() {
        if state == .open { state = .leftOpen }
    }

    /// The peer sends no more; `owedAnswers` are withheld and will come.
    package mutating func inputEnded(owedAnswers: Int) -> OnInputEnd {
        switch state {
        case .closed: return .nothing
        case .open, .leftOpen, .answering, .draining:
            guard owedAnswers > 0 else { break }
            if state != .draining { state = .answering }
            return .nothing
        case .handshaking: break
        }
        state = .closed
        return .close
    }

    /// The time that open streams were given is over.
    package mutating func graceOver() -> OnGraceOver {
        guard state == .draining else { return .nothing }
        state = .closed
        return .close
    }

    /// All output is on its way; `openStreams` have no complete reply, `owedAnswers` of them will have one, `wantsMore`
    /// is HTTP/2's own wish to go on.
    package mutating func outputSent(openStreams: Int, owedAnswers: Int, wantsMore: Bool) -> OnOutputSent {
        switch state {
        case .open where !wantsMore, .draining where openStreams == 0, .answering where owedAnswers == 0:
            state = .closed
            return .close
        default:
            return .nothing
        }
    }

    /// The connection is gone, whoever ended it.
    package mutating func closed() {
        state = .closed
    }
}
