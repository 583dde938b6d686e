/// What a connection does in place of an honest answer, or beside one (`Documents#Actions`).
///
/// A value, which the wire carries out without knowing whose wish it is.
package enum WireAct: Sendable, Hashable {
    /// RST_STREAM with a code (RFC 9113 §6.4): behind the reply's HEADERS, sent without END_STREAM, or in place of
    /// any.
    case resetStream(HTTP2ErrorCode, afterHeaders: Bool)
    /// GOAWAY, and what follows it (RFC 9113 §6.8); a reply goes out behind it.
    case goAway(WireGoAway)
    /// A SETTINGS frame; a reply goes out behind it. ``WireSettings/isWithheld``: none is ever sent, not at the
    /// connection's opening either.
    case settings(WireSettings)
    /// From now on, on this connection, no WINDOW_UPDATE is sent.
    case withholdWindow
    /// From now on, on this connection, no PING is answered.
    case ignorePing
    /// The reply's HEADERS without END_STREAM, and nothing more on its stream.
    case truncate
    /// A frame that breaks HTTP/2; then the connection is closed.
    case malformedFrame
    /// A frame beyond the SETTINGS_MAX_FRAME_SIZE of the peer; then the connection is closed.
    case oversizedFrame
    /// The connection's end: at once, behind a reply where there is one, or when so many further bytes have been sent.
    case close(WireClose.How, afterBytes: Int?)
    /// From now on, on this connection, at most so many bytes a second are sent, `chunk` of them at a time.
    case throttle(bytesPerSecond: Int, chunk: Int?)
}
