/// The header of an HTTP/2 frame (RFC 9113 §4.1).
struct FrameHeader: Equatable {
    static let byteCount = 9

    let length: Int
    /// `nil` for a type that RFC 9113 does not define.
    let type: HTTP2FrameType?
    let flags: UInt8
    let stream: Int32

    /// Reads a header from the lowest bytes of a number.
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

/// Finds the frame headers among a client's bytes, which come in pieces of any length.
///
/// nghttp2 has a callback for most frames, but none for a frame that it ignores.
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
        while position < bytes.byteCount {
            bits = bits << 8 | UInt128(bytes.unsafeLoad(fromByteOffset: position, as: UInt8.self))
            position += 1
            byteCount += 1
            guard byteCount == FrameHeader.byteCount else { continue }
            let header = FrameHeader(bits)
            (bits, byteCount, byteCountToSkip) = (0, 0, header.length)
            return header
        }
        return nil
    }
}
