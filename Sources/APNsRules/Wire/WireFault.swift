/// What a connection does instead of a regular answer, or in addition to one (`Documents#Actions`).
package enum WireFault: Sendable, Hashable {
    /// RST_STREAM (RFC 9113 §6.4) instead of the reply, or after its HEADERS without END_STREAM.
    case resetStream(HTTP2ErrorCode, afterHeaders: Bool)
    /// GOAWAY and its consequences (RFC 9113 §6.8), before the reply.
    case goAway(WireGoAway)
    /// A SETTINGS frame, before the reply; with ``WireSettings/isWithheld`` none is ever sent.
    case settings(WireSettings)
    case withholdWindow
    case ignorePing
    /// The reply's HEADERS without END_STREAM, and nothing else on its stream.
    case truncate
    /// A frame that breaks HTTP/2; then the connection is closed.
    case malformedFrame
    /// A frame beyond the SETTINGS_MAX_FRAME_SIZE of the peer; then the connection is closed.
    case oversizedFrame
    /// The connection's end: after the reply if there is one, or when this many more bytes have been sent.
    case close(WireClose.How, afterBytes: Int?)
    /// Sends at most `bytesPerSecond` from now on, `chunk` bytes at a time.
    case throttle(bytesPerSecond: Int, chunk: Int?)
}

/// The end of a connection (`Documents#Actions`).
public enum WireClose {
    /// What the peer sees.
    public enum How: String, CaseIterable, Sendable {
        /// An orderly end of TCP, without close_notify or GOAWAY.
        case fin
        case rst
        /// The connection stays open and all input is dropped, as by a NAT that has forgotten the connection.
        case halfOpen
    }
}

/// GOAWAY and its consequences (`Documents#Actions`; RFC 9113 §6.8).
package struct WireGoAway: Sendable, Hashable {
    package enum DebugData: Sendable, Hashable {
        case none
        /// `{"reason":"…"}`, as APNs sends (`ProviderAPI#GOAWAY`).
        case reason(String)
        /// A text that is sent unchanged, like the texts of Netty that APNs sends (`ProviderAPI#GOAWAY`).
        case raw(String)
    }

    /// The last-stream-id in the frame.
    package enum LastStreamID: Sendable, Hashable {
        case processed
        /// The id of a lower stream than the last processed one.
        case lower
        case number(UInt32)
    }

    /// When the connection is closed.
    package enum Close: String, CaseIterable, Sendable {
        /// Closed when the open streams have been answered.
        case afterStreams
        /// Closed after the frame, open streams unanswered.
        case atOnce = "now"
        /// Left open, later requests unanswered.
        case never
    }

    package static let framesMax = 10
    /// The most bytes of raw debug data, which fill one frame.
    package static let debugBytesMax = Limits.frameBytesMax - 8

    package var code = HTTP2ErrorCode.noError
    package var debugData = DebugData.none
    package var lastStreamID = LastStreamID.processed
    /// Whether a first frame with the highest possible stream number announces the end (RFC 9113 §6.8).
    package var isTwoStep = false
    /// How many frames are sent; those after the first have no debug data (`ProviderAPI#GOAWAY`).
    package var frameCount = 1
    package var close = Close.afterStreams

    /// GOAWAY as APNs sends it at a restart, without its reason.
    package init() {}
}

/// Values of a SETTINGS frame (`Documents#Actions`; RFC 9113 §6.5.2); `nil` leaves one out.
package struct WireSettings: Sendable, Hashable {
    package var maxConcurrentStreams: UInt32?
    /// SETTINGS_INITIAL_WINDOW_SIZE, in bytes, below 2^31.
    package var initialWindowSize: UInt32?
    /// SETTINGS_HEADER_TABLE_SIZE, in bytes.
    package var headerTableSize: UInt32?
    /// SETTINGS_MAX_FRAME_SIZE, in bytes, from 2^14 to 2^24-1.
    package var maxFrameSize: UInt32?
    /// Whether no SETTINGS frame is ever sent; only at the handshake, and only without values.
    package var isWithheld = false

    package init() {}
}
