internal import CNghttp2

/// The header of an HTTP/2 frame (RFC 9113 §4.1).
struct FrameHeader: Equatable {
    static let byteCount = 9

    let length: Int
    let type: UInt8
    let flags: UInt8
    let stream: Int32

    /// The header in the lowest bytes of a number.
    init(_ bits: UInt128) {
        self.length = Int(truncatingIfNeeded: bits >> 48) & 0xFF_FFFF
        self.type = UInt8(truncatingIfNeeded: bits >> 40)
        self.flags = UInt8(truncatingIfNeeded: bits >> 32)
        // The highest bit is reserved.
        self.stream = Int32(truncatingIfNeeded: bits & UInt128(Int32.max))
    }

    func isType(_ type: nghttp2_frame_type) -> Bool { UInt32(self.type) == type.rawValue }

    /// Whether the peer ends the stream with the frame, which is DATA or HEADERS.
    var endsStream: Bool { UInt32(flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0 }

    /// Whether the frame is DATA without data that does not end its stream.
    var isFutile: Bool { length == 0 && isType(NGHTTP2_DATA) && !endsStream }
}

/// Finds the frame headers among a client's bytes, which come in pieces of any length.
///
/// nghttp2 has a callback for most frames, but none for one that it ignores.
struct FrameHeaderReader {
    // The client's preface comes first (RFC 9113 §3.4).
    private var byteCountToSkip = 24
    private var bits: UInt128 = 0
    private var byteCount = 0

    /// The next header that ends in `bytes` at or after `position`, which is then behind it; `nil` at their end.
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
