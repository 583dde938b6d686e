internal import APNsRules

extension WireGoAway {
    /// The first GOAWAY of two: NO_ERROR and the highest possible stream, so that no request is denied (RFC 9113 §6.8).
    var announcement: [UInt8] { HTTP2Frame.goAway(.noError, lastStreamID: UInt32(Int32.max), debugData.bytes) }

    /// The frames of the fault; those after the first have no debug data.
    func frames(lastStreamID: UInt32) -> [UInt8] {
        (0..<frameCount).flatMap { HTTP2Frame.goAway(code, lastStreamID: lastStreamID, $0 == 0 ? debugData.bytes : []) }
    }
}

extension WireGoAway.DebugData {
    fileprivate var bytes: [UInt8] {
        switch self {
        case .none: []
        case .reason(let reason): Reply.body(reason: reason, timestamp: nil)
        case .raw(let text): Array(text.utf8)
        }
    }
}

extension WireGoAway.LastStreamID {
    /// The number in the frame; `current` is the stream of the request on which the fault acts.
    func number(processed: Int32, current: Int32?, lowestOpen: Int32?) -> UInt32 {
        switch self {
        case .processed: return UInt32(processed)
        // Denies all streams without an answer; if every stream has one, denies the last.
        case .lower: return UInt32(max(min(lowestOpen ?? processed, current ?? processed) - 2, 0))
        // The highest bit is reserved.
        case .number(let number): return number & UInt32(Int32.max)
        }
    }
}
