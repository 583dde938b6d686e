internal import APNsRules

/// The contents of a GOAWAY frame (RFC 9113 §6.8).
struct GoAway: Equatable {
    /// The highest stream whose request has been or will be answered.
    let lastStreamID: UInt32
    /// Why the connection ends.
    let code: HTTP2ErrorCode
    /// The rest of the frame.
    let debugData: [UInt8]

    /// What APNs sends at a shutdown, on an idle connection and with some replies: NO_ERROR and the reason as JSON
    /// (`ProviderAPI#GOAWAY`).
    static func shutdown(_ reason: Reason, lastStreamID: Int32) -> GoAway {
        GoAway(
            lastStreamID: UInt32(lastStreamID), code: .noError,
            debugData: Reply.body(reason: reason.rawValue, timestamp: nil))
    }

    /// What a peer that broke HTTP/2 is sent.
    static func error(_ code: HTTP2ErrorCode, _ text: String, lastStreamID: Int32) -> GoAway {
        GoAway(lastStreamID: UInt32(lastStreamID), code: code, debugData: Array(text.utf8))
    }
}

/// GOAWAY as a fault wants it: any last stream, and several frames.
extension GoAway {
    /// The first of two steps: the highest stream there is, which denies nothing, and no error yet (RFC 9113 §6.8).
    static func announcement(of fault: WireGoAway) -> GoAway {
        GoAway(lastStreamID: UInt32(Int32.max), code: .noError, debugData: bytes(fault.debugData))
    }

    /// The frames of a fault; those after the first have no debug data.
    static func frames(of fault: WireGoAway, lastStreamID: UInt32) -> [GoAway] {
        (0..<fault.frameCount).map { index in
            GoAway(
                lastStreamID: lastStreamID, code: fault.code, debugData: index == 0 ? bytes(fault.debugData) : [])
        }
    }

    private static func bytes(_ debugData: WireGoAway.DebugData) -> [UInt8] {
        switch debugData {
        case .none: []
        case .reason(let reason): Reply.body(reason: reason, timestamp: nil)
        case .raw(let text): Array(text.utf8)
        }
    }
}

extension WireGoAway.LastStreamID {
    /// The number in the frame.
    ///
    /// - Parameters:
    ///   - processed: the highest stream whose request was taken up.
    ///   - current: the stream of the request at which the fault acts.
    ///   - lowestOpen: the lowest stream without a complete answer.
    func number(processed: Int32, current: Int32?, lowestOpen: Int32?) -> UInt32 {
        switch self {
        case .processed: return UInt32(processed)
        // Denies all that has no answer yet; where everything has one, the last stream.
        case .lower: return UInt32(max(min(lowestOpen ?? processed, current ?? processed) - 2, 0))
        // The highest bit is reserved.
        case .number(let number): return number & UInt32(Int32.max)
        }
    }
}
