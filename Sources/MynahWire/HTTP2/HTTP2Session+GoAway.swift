internal import APNsRules
internal import CNghttp2

/// GOAWAY as a fault has it, which nghttp2 would not write: any last stream, several frames (RFC 9113 §6.8).
///
/// The bytes are ours. nghttp2 is told of an end with the same meaning and drops its own frame, so that streams above
/// the last one are closed, and later ones ignored, as after any GOAWAY.
extension HTTP2Session {
    /// The highest stream there is, which announces an end that nothing is lost by.
    private static let announcingStreamID = UInt32(Int32.max)

    /// Says GOAWAY, or announces it, and answers the request behind it where the GOAWAY does not deny it.
    ///
    /// Once: the requests that come along with the one on which a rule acted may be under the same rule.
    mutating func carryOut(_ goAway: WireGoAway, _ reply: Reply?, slot: Int?) {
        let stream = slot.map { recorder.pointee.streams.slots[$0].id }
        if recorder.pointee.announced == nil, recorder.pointee.streamBound == .max {
            if goAway.isTwoStep {
                announce(goAway)
            } else {
                conclude(goAway, atHand: stream)
            }
        }
        if let stream, stream <= recorder.pointee.streamBound { answer(slot, with: reply) }
    }

    /// The second step of what was announced; nothing when it has been taken.
    mutating func concludeGoAway() {
        guard let goAway = recorder.pointee.announced else { return }
        recorder.pointee.announced = nil
        drain()
        conclude(goAway, atHand: nil)
    }

    private mutating func announce(_ goAway: WireGoAway) {
        var first = goAway
        // The code is for the end itself (RFC 9113 §6.8).
        first.code = .noError
        recorder.pointee.early += HTTP2Frame.goAway(first, lastStreamID: HTTP2Session.announcingStreamID, isBare: false)
        recorder.pointee.announced = goAway
        withUnsafeBytes(of: nghttp2_ping.announcement) { data in
            _ = nghttp2_submit_ping(raw, 0, data.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
        recorder.pointee.due.append(.awaitRoundTrip)
        drain()
    }

    private mutating func conclude(_ goAway: WireGoAway, atHand stream: Int32?) {
        let last = lastStreamID(goAway.lastStreamID, atHand: stream)
        for index in 0..<goAway.frameCount {
            recorder.pointee.early += HTTP2Frame.goAway(goAway, lastStreamID: last, isBare: index > 0)
        }
        tellNghttp2(lastStreamID: last)
        switch goAway.close {
        case .afterStreams: recorder.pointee.due.append(.drain)
        case .never:
            // nghttp2 answers PING while a stream is open, and not after that; here it is never answered.
            recorder.pointee.muted.insert(.pingAnswers)
            recorder.pointee.due.append(.leaveOpen)
        case .atOnce:
            recorder.pointee.due.append(.close)
            end()
        }
    }

    /// The number on the wire.
    ///
    /// `lower` denies all that has no answer yet: the stream at hand and others in flight below it. Where there are
    /// none, the one that was taken up last.
    private func lastStreamID(_ wanted: WireGoAway.LastStreamID, atHand stream: Int32?) -> UInt32 {
        let truth = recorder.pointee.lastStreamID
        switch wanted {
        case .processed: return UInt32(truth)
        case .lower:
            let denied = min(recorder.pointee.streams.lowestOpen ?? truth, stream ?? truth)
            return UInt32(max(denied - 2, 0))
        // The highest bit is reserved.
        case .number(let number): return number & UInt32(Int32.max)
        }
    }

    private mutating func tellNghttp2(lastStreamID last: UInt32) {
        let bound = min(Int32(last), recorder.pointee.lastStreamID)
        recorder.pointee.streamBound = bound
        // A client's streams have odd numbers, and nghttp2 takes no other: 4 denies what 3 denies.
        let odd = bound > 0 && bound % 2 == 0 ? bound - 1 : bound
        let result = nghttp2_submit_goaway(raw, 0, odd, UInt32(NGHTTP2_NO_ERROR.rawValue), nil, 0)
        precondition(result == 0, "nghttp2 refused GOAWAY: \(String(cString: nghttp2_strerror(result)))")
        recorder.pointee.muted.insert(.goAway)
        drain()
        recorder.pointee.muted.remove(.goAway)
    }
}

extension nghttp2_ping {
    /// What the PING between two GOAWAYs carries.
    static let announcement: UInt64 = 0x6761_6f77_6179_0a0a

    /// Whether this is that PING's answer.
    var isAnnouncement: Bool {
        withUnsafeBytes(of: opaque_data) { $0.loadUnaligned(as: UInt64.self) == nghttp2_ping.announcement }
    }
}
