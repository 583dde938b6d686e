/// The code of a RST_STREAM or GOAWAY frame (RFC 9113 §7): any number, with names for those that have one.
package struct HTTP2ErrorCode: Sendable, Hashable {
    /// The number on the wire.
    package let rawValue: UInt32

    /// A code by its number.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The names of RFC 9113 §7, in the order of their numbers from 0.
    package static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    /// Graceful end.
    package static let noError = HTTP2ErrorCode(rawValue: 0)
    /// The peer broke the protocol.
    package static let protocolError = HTTP2ErrorCode(rawValue: 1)
    /// The server failed.
    package static let internalError = HTTP2ErrorCode(rawValue: 2)
    /// A frame came on a stream that is closed.
    package static let streamClosed = HTTP2ErrorCode(rawValue: 5)
    /// The request was not processed and may be sent again.
    package static let refusedStream = HTTP2ErrorCode(rawValue: 7)
    /// The stream is not needed any more.
    package static let cancel = HTTP2ErrorCode(rawValue: 8)
    /// The peer causes more work than it should.
    package static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 11)
}
