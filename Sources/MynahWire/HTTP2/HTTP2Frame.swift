internal import APNsRules

/// The types of frames (RFC 9113 §6).
enum HTTP2FrameType: UInt8 {
    case data, headers, priority, rstStream, settings, pushPromise, ping, goAway, windowUpdate, continuation
}

/// The flags of a frame that have a meaning here (RFC 9113 §6).
enum HTTP2Flag {
    static let ack: UInt8 = 1
    static let endStream: UInt8 = 1
}

/// A setting with its value (RFC 9113 §6.5.2).
struct HTTP2Setting: Equatable {
    enum ID: UInt16 {
        case headerTableSize = 1
        case maxConcurrentStreams = 3
        case initialWindowSize = 4
        case maxFrameSize = 5
        case maxHeaderListSize = 6
    }

    let id: ID
    let value: UInt32
}

/// Frames that nghttp2 would not write, as bytes (RFC 9113 §4.1).
enum HTTP2Frame {
    /// GOAWAY with any contents.
    static func goAway(_ goAway: GoAway) -> [UInt8] {
        frame(.goAway, bigEndian(goAway.lastStreamID) + bigEndian(goAway.code.rawValue) + goAway.debugData)
    }

    /// SETTINGS whose length is not a multiple of six: a connection error FRAME_SIZE_ERROR (RFC 9113 §6.5).
    static let malformed = frame(.settings, [0, 0, 0, 0, 0])

    /// SETTINGS of unknown identifiers that are larger than `byteCountMax` and valid in every other way.
    ///
    /// On stream 0, so that the error is the whole connection's (RFC 9113 §4.2). A frame's length has 24 bits: nothing
    /// is too large for a peer that accepts every frame.
    static func oversized(beyond byteCountMax: Int) -> [UInt8] {
        let lengthMax = 1 << 24 - 1
        let count = min(byteCountMax / 6 + 1, lengthMax / 6)
        let unknown: [UInt8] = [0xF0, 0x0D, 0, 0, 0, 0]
        return frame(.settings, Array(repeatElement(unknown, count: count).joined()))
    }

    private static func frame(_ type: HTTP2FrameType, _ payload: [UInt8]) -> [UInt8] {
        let length = Array(bigEndian(UInt32(payload.count)).dropFirst())
        return length + [type.rawValue, 0, 0, 0, 0, 0] + payload
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - $0 * 8)) }
    }
}
