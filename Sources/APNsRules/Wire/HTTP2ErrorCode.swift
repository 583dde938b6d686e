/// The code of a RST_STREAM or GOAWAY frame (RFC 9113 §7): any number; the standard ones have names.
public struct HTTP2ErrorCode: Sendable, Hashable {
    /// The number on the wire.
    public let rawValue: UInt32

    /// A code by its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The names of RFC 9113 §7, in the order of their numbers from 0.
    package static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    /// Graceful end.
    public static let noError = HTTP2ErrorCode(rawValue: 0)
    /// The peer broke the protocol.
    public static let protocolError = HTTP2ErrorCode(rawValue: 1)
    /// The server failed.
    public static let internalError = HTTP2ErrorCode(rawValue: 2)
    /// The peer broke flow control.
    public static let flowControlError = HTTP2ErrorCode(rawValue: 3)
    /// A frame arrived on a closed stream.
    public static let streamClosed = HTTP2ErrorCode(rawValue: 5)
    /// The request was not processed and may be sent again.
    public static let refusedStream = HTTP2ErrorCode(rawValue: 7)
    /// The stream is no longer needed.
    public static let cancel = HTTP2ErrorCode(rawValue: 8)
    /// The peer causes too much work.
    public static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 11)
    /// TLS does not meet the requirements.
    public static let inadequateSecurity = HTTP2ErrorCode(rawValue: 12)
    /// The server wants HTTP/1.1.
    public static let http11Required = HTTP2ErrorCode(rawValue: 13)
}
