/// GOAWAY and its consequences (`Documents#Actions`; RFC 9113 §6.8).
package struct WireGoAway: Sendable, Hashable {
    package enum DebugData: Sendable, Hashable {
        case none
        /// `{"reason":"…"}`, as APNs sends (`ProviderAPI#GOAWAY`).
        case reason(String)
        /// These bytes, as the HTTP/2 library sends (`ProviderAPI#GOAWAY`).
        case raw(String)
    }

    /// The last stream that the frame calls processed.
    package enum LastStreamID: Sendable, Hashable {
        /// The highest stream that was processed.
        case processed
        /// A lower one than was processed.
        case lower
        case number(UInt32)
    }

    /// What becomes of the connection.
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
