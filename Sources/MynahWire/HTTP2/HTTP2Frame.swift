internal import APNsRules
internal import CNghttp2

/// Frames that nghttp2 would not write, as bytes (RFC 9113 §4.1).
enum HTTP2Frame {
    /// GOAWAY with any numbers; the code and the data are the act's, unless `isBare` leaves the data out.
    static func goAway(_ goAway: WireGoAway, lastStreamID: UInt32, isBare: Bool) -> [UInt8] {
        var debug: [UInt8] = []
        if !isBare {
            switch goAway.debugData {
            case .none: break
            case .reason(let reason): debug = Reply.body(reason: reason, timestamp: nil)
            case .raw(let text): debug = Array(text.utf8)
            }
        }
        return frame(NGHTTP2_GOAWAY, bigEndian(lastStreamID) + bigEndian(goAway.code.rawValue) + debug)
    }

    /// SETTINGS whose length is no multiple of six: a connection error FRAME_SIZE_ERROR (RFC 9113 §6.5).
    static let malformed = frame(NGHTTP2_SETTINGS, [0, 0, 0, 0, 0])

    /// SETTINGS of unknown identifiers, with which nothing is wrong but that they are larger than `byteCountMax`.
    ///
    /// A frame on stream 0, so that the whole connection is in error (RFC 9113 §4.2), and without meaning, so that
    /// nothing else is. 24 bits hold the length: there is nothing larger for a peer that takes every frame.
    static func oversized(beyond byteCountMax: Int) -> [UInt8] {
        let lengthMax = 1 << 24 - 1
        let count = min(byteCountMax / 6 + 1, lengthMax / 6)
        let unknown: [UInt8] = [0xF0, 0x0D, 0, 0, 0, 0]
        return frame(NGHTTP2_SETTINGS, Array(repeatElement(unknown, count: count).joined()))
    }

    private static func frame(_ type: nghttp2_frame_type, _ payload: [UInt8]) -> [UInt8] {
        let length = Array(bigEndian(UInt32(payload.count)).dropFirst())
        return length + [UInt8(type.rawValue), 0, 0, 0, 0, 0] + payload
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - $0 * 8)) }
    }
}
