/// GOAWAY and what follows it (`Documents#Actions`; RFC 9113 §6.8).
package struct WireGoAway: Sendable, Hashable {
    /// What the frame says beside its numbers.
    package enum DebugData: Sendable, Hashable {
        /// Nothing.
        case none
        /// `{"reason":"…"}`, as APNs' own (`ProviderAPI#GOAWAY`).
        case reason(String)
        /// These bytes, as the HTTP/2 library's own (`ProviderAPI#GOAWAY`).
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
    /// How many frames are sent; those after the first have no debug data (`ProviderAPI#GOAWAY`).
    package var frameCount = 1
    /// What becomes of the connection.
    package var close = Close.afterStreams

    /// A GOAWAY as APNs sends it at a restart, but for its reason.
    package init() {}
}
