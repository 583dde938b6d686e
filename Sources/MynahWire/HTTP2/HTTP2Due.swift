internal import APNsRules
internal import CNghttp2

/// What HTTP/2 leaves to its connection to do, beside sending its output.
enum HTTP2Due {
    /// The stream of a withheld answer has ended.
    case abandoned(Int32)
    /// The connection ends for this reason, which the peer is told by GOAWAY.
    case shutDown(Reason)
    /// GOAWAY has been said; the connection ends once its streams have.
    case drain
    /// The connection ends behind the output.
    case close
    /// GOAWAY has been said, and the connection stays.
    case leaveOpen
    /// GOAWAY has been announced, and is due when the peer has heard that.
    case awaitRoundTrip
    /// This is done below HTTP/2.
    case transport(WireAct)

    /// Whether it concerns the output that is about to leave.
    var precedesOutput: Bool {
        switch self {
        case .transport(.throttle), .transport(.close(_, afterBytes: .some)): true
        default: false
        }
    }
}

/// Frames of nghttp2's making that are dropped on their way out: it goes on as if the peer had got them.
struct MutedFrames: OptionSet {
    let rawValue: UInt8

    /// SETTINGS, acknowledgements among them.
    static let settings = MutedFrames(rawValue: 1)
    /// WINDOW_UPDATE.
    static let windowUpdates = MutedFrames(rawValue: 2)
    /// The answers to PING.
    static let pingAnswers = MutedFrames(rawValue: 4)
    /// GOAWAY.
    static let goAway = MutedFrames(rawValue: 8)

    /// Whether a frame is dropped.
    func contains(frameType: UInt8, flags: UInt8) -> Bool {
        switch UInt32(frameType) {
        case _ where isEmpty: false
        case NGHTTP2_SETTINGS.rawValue: contains(.settings)
        case NGHTTP2_WINDOW_UPDATE.rawValue: contains(.windowUpdates)
        case NGHTTP2_PING.rawValue: contains(.pingAnswers) && UInt32(flags) & NGHTTP2_FLAG_ACK.rawValue != 0
        case NGHTTP2_GOAWAY.rawValue: contains(.goAway)
        default: false
        }
    }
}
