package import APNsRules

/// Where a connection comes from and what its handshake agreed on.
package struct ConnectionFacts: Sendable {
    /// The number the server gave the connection.
    package let id: UInt64
    /// The peer's address and port.
    package let peer: String
    /// The environment that the port is bound to, if it is.
    package let portEnvironment: APNsEnvironment?
    /// What TLS agreed on; `nil` without TLS.
    package let tls: TLSFacts?

    /// The facts of one connection.
    package init(id: UInt64, peer: String, portEnvironment: APNsEnvironment?, tls: TLSFacts?) {
        self.id = id
        self.peer = peer
        self.portEnvironment = portEnvironment
        self.tls = tls
    }
}

/// Why a connection ended other than by both sides' wish; for a log line that helps.
package enum ConnectionProblem: Sendable, Equatable {
    /// The TLS handshake failed.
    case handshakeFailed(String)
    /// The TLS handshake took too long.
    case handshakeTimedOut
    /// TLS failed after the handshake.
    case tlsFailed(String)
    /// The peer broke HTTP/2.
    case protocolViolation(String)
    /// The peer spoke HTTP/1.1 where only HTTP/2 is spoken; with the first line of what it sent.
    case spokeHTTP1(String)
    /// A request's fields were more than ``Limits/headerListBytesMax``; its stream alone was ended.
    case headerListTooLarge
}

/// What answers the requests of one connection, on the connection's loop.
///
/// The wire holds no rule, no device and no key: it asks, gets a value back, and writes it.
package protocol PushResponder: AnyObject {
    /// The connection can carry requests.
    func connectionOpened(_ facts: ConnectionFacts)
    /// A request is complete, or its body has passed the limit; the answer is what goes out.
    func reply(to request: borrowing PushRequest, stream: Int32) -> Reply
    /// Something went wrong.
    func connectionFailed(_ problem: ConnectionProblem)
    /// Nothing more will come.
    func connectionClosed()
}

/// What the server tells one of its connections, by the channel, from any thread.
package enum ConnectionCommand: Sendable {
    /// GOAWAY with NO_ERROR and `{"reason":"…"}`, finish the open streams for at most so long, close.
    case shutDown(reason: Reason, grace: Duration)
    /// Close at once.
    case abort
}
