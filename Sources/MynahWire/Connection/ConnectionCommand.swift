package import APNsRules

/// A command of the server to one of its connections, sent through the channel from any thread.
package enum ConnectionCommand: Sendable {
    /// Send GOAWAY with NO_ERROR and `{"reason":"…"}`, finish the open streams within `grace`, and close.
    case shutDown(reason: Reason, grace: Duration)
    /// Close at once, by a TCP reset.
    case abort
    /// Give a withheld answer; sent on the connection's loop, and ignored if the stream has ended.
    case answer(stream: Int32, PushResponse)
    case act(WireFault)
    case inspect(@Sendable (ConnectionTraffic) -> Void)
}

/// The traffic of a connection so far.
package struct ConnectionTraffic: Sendable, Hashable {
    /// Bytes read from the socket, TLS included.
    package var bytesIn = 0
    /// Bytes handed to the socket, TLS included.
    package var bytesOut = 0
    package var pushes = 0
    package var pings = 0
    /// Streams that are open now; 0 over HTTP/1.1, as are the next two.
    package var openStreams = 0
    package var streamLimit = 0
    package var totalStreams = 0
}
