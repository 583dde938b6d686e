/// What a connection does instead of a regular answer, or in addition to one (`Documents#Actions`).
package enum WireAct: Sendable, Hashable {
    /// RST_STREAM (RFC 9113 §6.4) instead of the reply, or after its HEADERS without END_STREAM.
    case resetStream(HTTP2ErrorCode, afterHeaders: Bool)
    /// GOAWAY and its consequences (RFC 9113 §6.8), before the reply.
    case goAway(WireGoAway)
    /// A SETTINGS frame, before the reply; with ``WireSettings/isWithheld`` none is ever sent.
    case settings(WireSettings)
    /// No WINDOW_UPDATE is sent from now on.
    case withholdWindow
    /// No PING is answered from now on.
    case ignorePing
    /// The reply's HEADERS without END_STREAM, and nothing else on its stream.
    case truncate
    /// A frame that breaks HTTP/2; then the connection is closed.
    case malformedFrame
    /// A frame beyond the SETTINGS_MAX_FRAME_SIZE of the peer; then the connection is closed.
    case oversizedFrame
    /// The connection's end: after the reply if there is one, or when this many more bytes have been sent.
    case close(WireClose.How, afterBytes: Int?)
    /// At most this many bytes are sent per second from now on, `chunk` of them at a time.
    case throttle(bytesPerSecond: Int, chunk: Int?)
}
