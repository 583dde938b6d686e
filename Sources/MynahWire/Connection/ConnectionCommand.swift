package import APNsRules

/// A command of the server to one of its connections, sent through the channel from any thread.
package enum ConnectionCommand: Sendable {
    /// Send GOAWAY with NO_ERROR and `{"reason":"…"}`, finish the open streams within `grace`, and close.
    case shutDown(reason: Reason, grace: Duration)
    /// Close at once, by a TCP reset.
    case abort
    /// Give withheld answers; sent on the connection's loop, and ignored where the stream has ended.
    case answers([(stream: Int32, response: PushResponse)])
    case act(WireFault)
    case inspect(@Sendable (ConnectionTraffic) -> Void)

    /// Give one withheld answer.
    package static func answer(stream: Int32, _ response: PushResponse) -> ConnectionCommand {
        .answers([(stream, response)])
    }
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

extension ConnectionTraffic {
    init(_ session: borrowing HTTP2Session, bytesIn: Int, bytesOut: Int) {
        self.init(
            bytesIn: bytesIn, bytesOut: bytesOut, pushes: session.answeredCount, pings: session.pingCount,
            openStreams: session.openStreamCount, streamLimit: session.streamLimit ?? 0,
            totalStreams: session.totalStreamCount)
    }
}
