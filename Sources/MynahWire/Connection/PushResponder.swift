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
    package internal(set) var tls: TLSFacts?

    /// The facts of one connection.
    package init(id: UInt64, peer: String, portEnvironment: APNsEnvironment?, tls: TLSFacts?) {
        self.id = id
        self.peer = peer
        self.portEnvironment = portEnvironment
        self.tls = tls
    }
}

/// How a handshake that begins goes on.
package enum HandshakeAnswer: Sendable, Equatable {
    /// Continue the handshake normally.
    case proceed
    /// Carry out a fault in TLS.
    case tls(WireTLSFault)
    /// Continue the handshake; carry out a fault as soon as the connection is open, before anything else is sent on it.
    case act(WireAct)
}

/// What is done with a connection that can carry requests.
package enum OpeningDecision: Sendable, Equatable {
    /// Answer its requests; its first SETTINGS carry this stream limit.
    case serve(streamLimit: Int)
    /// Send SETTINGS and GOAWAY with this reason, and close (`ProviderAPI#GOAWAY`).
    case refuse(Reason)
}

/// What answers the requests of one connection, on the connection's loop.
///
/// The wire holds no rule, no device and no key: it asks, gets a value back, and writes it.
package protocol PushResponder: AnyObject {
    /// Judges the certificates that a client showed in the handshake: DER, its own first.
    func judgeCertificate(_ chain: [[UInt8]]) -> CertificateVerdict
    /// Decides how the handshake goes on: its ClientHello has been read, or, without TLS, the connection's first bytes.
    ///
    /// Called once for each connection; the server name is the ClientHello's.
    func handshakeBegins(serverName: String?) -> HandshakeAnswer
    /// Decides what is done with a connection that can carry requests.
    func connectionOpened(_ facts: ConnectionFacts) -> OpeningDecision
    /// The peer has sent bytes; called once for each read from the socket.
    func bytesArrived()
    /// Answers a request that is complete, or whose body has passed the limit.
    func answer(to request: borrowing PushRequest, stream: Int32) -> Answer
    /// The peer has reset a stream whose answer was withheld.
    ///
    /// At the connection's end, ``connectionClosed(_:)`` stands for all of them.
    func requestAbandoned(stream: Int32)
    /// Something went wrong.
    func connectionFailed(_ problem: ConnectionProblem)
    /// The connection has ended: nothing more will be read or written.
    ///
    /// Called once for each connection that was opened.
    func connectionClosed(_ traffic: ConnectionTraffic)
}
