internal import APNsRules

/// GOAWAY and what follows it (`models.md`, action `goaway`; RFC 9113 §6.8).
package struct FaultGoAway: Sendable, Hashable {
    /// What the frame says beside its numbers.
    package enum DebugData: Sendable, Hashable {
        /// Nothing.
        case none
        /// `{"reason":"…"}`, as APNs' own (`provider-api.md` §1.5).
        case reason(FaultReason)
        /// These bytes, as the HTTP/2 library's own (`provider-api.md` §1.4).
        case raw(String)
    }

    /// The last stream that the frame calls processed.
    package enum LastStreamID: Sendable, Hashable {
        /// The truth: the highest stream that was.
        case processed
        /// Less than the truth: streams below the one at hand are denied, too.
        case lower
        /// This one.
        case number(UInt32)
    }

    /// What becomes of the connection.
    package enum Close: String, CaseIterable, Sendable {
        /// Closed when the open streams have been answered.
        case afterStreams
        /// Closed behind the frame, open streams unanswered.
        case atOnce = "now"
        /// Left open, and whatever comes is not answered.
        case never
    }

    /// The most frames, enough for any client to trip over.
    package static let framesMax = 10
    /// The most bytes of raw debug data: one frame, less its numbers.
    package static let debugBytesMax = Limits.frameBytesMax - 8

    /// The error code; NO_ERROR unless another is named.
    package var code = HTTP2ErrorCode.noError
    /// What the frame says beside its numbers.
    package var debugData = DebugData.none
    /// The last stream that the frame calls processed.
    package var lastStreamID = LastStreamID.processed
    /// Whether a first frame announces the end with the highest stream number there is (RFC 9113 §6.8).
    package var isTwoStep = false
    /// How many frames are sent; those after the first have no debug data (`provider-api.md` §1.5).
    package var frameCount = 1
    /// What becomes of the connection.
    package var close = Close.afterStreams

    /// A GOAWAY as APNs sends it at a restart, but for its reason.
    package init() {}
}

/// Values of a SETTINGS frame (`models.md`, action `settings`; RFC 9113 §6.5.2); `nil` leaves one out.
package struct FaultSettings: Sendable, Hashable {
    /// SETTINGS_MAX_CONCURRENT_STREAMS.
    package var maxConcurrentStreams: UInt32?
    /// SETTINGS_INITIAL_WINDOW_SIZE, in bytes, below 2^31.
    package var initialWindowSize: UInt32?
    /// SETTINGS_HEADER_TABLE_SIZE, in bytes.
    package var headerTableSize: UInt32?
    /// SETTINGS_MAX_FRAME_SIZE, in bytes, from 2^14 to 2^24-1.
    package var maxFrameSize: UInt32?
    /// Whether no SETTINGS frame is sent at all; at the handshake only, and without values.
    package var isWithheld = false

    /// No values.
    package init() {}
}

/// What goes wrong in TLS (`models.md`, action `tls`).
package enum FaultTLS: Sendable, Hashable {
    /// A certificate that a provider must not accept.
    package enum Certificate: String, CaseIterable, Sendable {
        /// Of our CA and with the right names, out of date.
        case expired
        /// Of our CA, for names of another service.
        case wrongHost
        /// With the right names, of a CA that nobody has been told of.
        case untrusted
    }

    /// When an alert is sent.
    package enum AlertTime: String, CaseIterable, Sendable {
        /// In answer to the ClientHello.
        case duringHandshake
        /// Behind the server's Finished: a client of TLS 1.3 believes itself connected then.
        case afterHandshake
    }

    /// A fatal alert; then the connection is closed.
    case alert(TLSAlert, AlertTime)
    /// Another certificate.
    case certificate(Certificate)
    /// The ClientHello is read and never answered.
    case stall
    /// The ClientHello is answered so much later.
    case slow(Duration)
}

/// The end of a connection (`models.md`, action `close`).
package struct FaultClose: Sendable, Hashable {
    /// What the peer sees.
    package enum How: String, CaseIterable, Sendable {
        /// An orderly end of TCP, without close_notify or GOAWAY.
        case fin
        /// A reset.
        case rst
        /// Nothing: whatever arrives is taken and dropped, as behind a NAT that forgot the connection.
        case halfOpen
    }

    /// When it happens.
    package enum Time: Sendable, Hashable {
        /// At once.
        case atOnce
        /// When so many further bytes have been sent on the connection.
        case afterBytes(Int)
        /// When so many further pushes have been answered on the connection.
        case afterPushes(Int)
        /// When nothing has come on the connection for so long.
        case afterIdle(Duration)
    }

    /// What the peer sees.
    package let how: How
    /// When it happens.
    package let time: Time

    /// An end.
    package init(how: How, time: Time = .atOnce) {
        self.how = how
        self.time = time
    }
}
