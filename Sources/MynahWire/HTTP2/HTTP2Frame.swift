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
    static func goAway(_ code: HTTP2ErrorCode, lastStreamID: UInt32, _ debugData: [UInt8]) -> [UInt8] {
        frame(.goAway, lastStreamID.networkBytes + code.rawValue.networkBytes + debugData)
    }

    /// SETTINGS whose length is not a multiple of six: a connection error FRAME_SIZE_ERROR (RFC 9113 §6.5).
    static let malformed = frame(.settings, [0, 0, 0, 0, 0])

    /// SETTINGS of unknown identifiers that are larger than `byteCountMax`, up to the 24 bits of a frame's length; on
    /// stream 0, so that the error is the whole connection's (RFC 9113 §4.2).
    static func oversized(beyond byteCountMax: Int) -> [UInt8] {
        let lengthMax = 1 << 24 - 1
        let count = min(byteCountMax / 6 + 1, lengthMax / 6)
        let unknown: [UInt8] = [0xF0, 0x0D, 0, 0, 0, 0]
        return frame(.settings, Array(repeatElement(unknown, count: count).joined()))
    }

    private static func frame(_ type: HTTP2FrameType, _ payload: [UInt8]) -> [UInt8] {
        UInt32(payload.count).networkBytes.dropFirst() + [type.rawValue, 0, 0, 0, 0, 0] + payload
    }
}

extension UInt32 {
    var networkBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> UInt32(24 - $0 * 8)) } }
}

extension Span<UInt8> {
    /// The 32-bit number at an offset, in network byte order.
    func number(at offset: Int) -> UInt32 { (offset..<offset + 4).reduce(0) { $0 << 8 | UInt32(self[$1]) } }
}

/// The header of an HTTP/2 frame (RFC 9113 §4.1).
struct FrameHeader: Equatable {
    static let byteCount = 9

    let length: Int
    /// `nil` for a type that RFC 9113 does not define.
    let type: HTTP2FrameType?
    let flags: UInt8
    let stream: Int32

    init(_ bits: UInt128) {
        self.length = Int(truncatingIfNeeded: bits >> 48) & 0xFF_FFFF
        self.type = HTTP2FrameType(rawValue: UInt8(truncatingIfNeeded: bits >> 40))
        self.flags = UInt8(truncatingIfNeeded: bits >> 32)
        // The highest bit is reserved.
        self.stream = Int32(truncatingIfNeeded: bits & UInt128(Int32.max))
    }

    /// Whether the peer ends its side of the stream with this DATA or HEADERS frame.
    var endsStream: Bool { flags & HTTP2Flag.endStream != 0 }
    /// Whether the frame is DATA that neither carries data nor ends its stream.
    var isFutile: Bool { length == 0 && type == .data && !endsStream }
}

/// Finds the frame headers among a client's bytes; nghttp2 has no callback for a frame that it ignores.
struct FrameHeaderReader {
    // The client's preface comes first (RFC 9113 §3.4).
    private var byteCountToSkip = 24
    private var bits: UInt128 = 0
    private var byteCount = 0

    /// The next header that ends in `bytes` at or after `position`, which moves after it; `nil` at the end of `bytes`.
    mutating func next(in bytes: RawSpan, from position: inout Int) -> FrameHeader? {
        let skipped = min(byteCountToSkip, bytes.byteCount - position)
        byteCountToSkip -= skipped
        position += skipped
        if byteCount == 0, bytes.byteCount - position >= FrameHeader.byteCount {
            let start = bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self).bigEndian
            let last = bytes.unsafeLoad(fromByteOffset: position + 8, as: UInt8.self)
            position += FrameHeader.byteCount
            let header = FrameHeader(UInt128(start) << 8 | UInt128(last))
            byteCountToSkip = header.length
            return header
        }
        // The frame header may be cut at the end of a read.
        while position < bytes.byteCount {
            bits = bits << 8 | UInt128(bytes.unsafeLoad(fromByteOffset: position, as: UInt8.self))
            position += 1
            byteCount += 1
            guard byteCount == FrameHeader.byteCount else { continue }
            let header = FrameHeader(bits)
            bits = 0
            byteCount = 0
            byteCountToSkip = header.length
            return header
        }
        return nil
    }
}
