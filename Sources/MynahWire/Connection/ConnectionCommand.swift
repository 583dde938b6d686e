package import APNsRules

/// What the server has one of its connections do, sent through the channel from any thread.
package enum ConnectionCommand: Sendable {
    /// Send GOAWAY with NO_ERROR and `{"reason":"…"}`, finish the open streams within `grace`, and close.
    case shutDown(reason: Reason, grace: Duration)
    /// Close at once, by a TCP reset.
    case abort
    /// Answer a request that was withheld; does nothing when its stream has ended.
    ///
    /// To be sent on the connection's own loop, so that the sender knows whether the stream has ended.
    case answer(stream: Int32, Answer)
    /// Carry out a fault that concerns no request.
    case act(WireAct)
    /// Report the connection's traffic so far.
    case inspect(@Sendable (ConnectionTraffic) -> Void)
}

/// What has passed over a connection.
package struct ConnectionTraffic: Sendable, Equatable {
    /// Bytes read from the socket, TLS included.
    package var bytesIn = 0
    /// Bytes handed to the socket, TLS included.
    package var bytesOut = 0
    /// Requests that were answered, refused ones too.
    package var pushes = 0
    /// PING frames of the peer.
    package var pings = 0
    /// Streams that are open now; 0 over HTTP/1.1, as are the next two.
    package var openStreams = 0
    /// The stream limit that was announced last.
    package var streamLimit = 0
    /// Streams that were ever opened.
    package var totalStreams = 0

    /// A connection without traffic.
    package init() {}
}
