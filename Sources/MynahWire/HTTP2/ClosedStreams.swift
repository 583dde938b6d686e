internal import APNsRules

/// Distinguishes a client's frame on a stream that has ended or was skipped from a frame that was in flight when this
/// side reset the stream (RFC 9113 §5.1, §5.1.1).
///
/// The former ends the connection, the latter is ignored; nghttp2 ignores both.
struct ClosedStreams {
    /// The most resets that are remembered; frames on streams up to the highest forgotten one are ignored.
    private static let resetsKept = 1000

    /// The highest stream on which the client has sent HEADERS, and whether the client has ended it.
    private var highest = (id: Int32(-1), hasEnded: false)
    private var firstSkipped = Int32.max
    private var resets: Set<Int32> = []
    private var forgottenResetsMax: Int32 = 0
    /// The last stream of a GOAWAY, above which frames are ignored (RFC 9113 §6.8).
    private var ignoredAbove = Int32.max

    /// Records a client's frame; returns whether its stream may be closed: rarely, as most are on the newest stream.
    mutating func mayContain(_ frame: FrameHeader) -> Bool {
        guard frame.stream % 2 == 1 else { return false }
        switch frame.type {
        case .headers where frame.stream > highest.id:
            if frame.stream > highest.id + 2 { firstSkipped = min(firstSkipped, highest.id + 2) }
            highest = (frame.stream, frame.endsStream)
            return false
        case .headers, .data:
            guard frame.stream == highest.id, !highest.hasEnded else { return frame.stream <= highest.id }
            highest.hasEnded = frame.endsStream
            return false
        case .rstStream where frame.stream == highest.id:
            highest.hasEnded = true
            return false
        default: return false
        }
    }

    /// Why a frame on a closed stream ends the connection; `nil` when it is ignored.
    func violation(by frame: FrameHeader) -> HTTP2Error? {
        let id = frame.stream
        guard id <= ignoredAbove, id > forgottenResetsMax, !resets.contains(id) else { return nil }
        guard frame.type == .headers else {
            return HTTP2Error("DATA on stream \(id), which is closed", code: .streamClosed)
        }
        return id < firstSkipped
            ? HTTP2Error("HEADERS on stream \(id), which is closed", code: .streamClosed)
            : HTTP2Error("HEADERS on stream \(id) after stream \(highest.id): a higher stream was expected")
    }

    /// Records that this side has reset a stream that the client had not ended.
    mutating func recordReset(_ id: Int32) {
        if resets.count == ClosedStreams.resetsKept {
            forgottenResetsMax = resets.max() ?? 0
            resets.removeAll(keepingCapacity: true)
        }
        resets.insert(id)
    }

    mutating func recordGoAway(lastStreamID: Int32) { ignoredAbove = min(ignoredAbove, lastStreamID) }
}
