package import APNsRules

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
    /// The server failed.
    package static let internalError = HTTP2ErrorCode(rawValue: 2)
    /// The request was not processed and may be sent again.
    package static let refusedStream = HTTP2ErrorCode(rawValue: 7)

    /// The name, or the number where it has none.
    package var json: JSONValue {
        Int(rawValue) < HTTP2ErrorCode.names.count
            ? .string(HTTP2ErrorCode.names[Int(rawValue)]) : .number(JSONNumber(rawValue))
    }

    /// Reads a name or a number of 32 bits.
    init(json: JSONValue, at place: String) throws(QueryError) {
        switch json {
        case .string(let name):
            guard let index = HTTP2ErrorCode.names.firstIndex(of: name) else {
                throw .unknown("HTTP/2 error code", name, at: place, among: HTTP2ErrorCode.names)
            }
            self.rawValue = UInt32(index)
        default:
            guard let number = json.integer, let code = UInt32(exactly: number) else {
                throw QueryError(
                    place, "\(json.encodedText) is no HTTP/2 error code; a name or a number of 32 bits was expected",
                    allowed: HTTP2ErrorCode.names)
            }
            self.rawValue = code
        }
    }
}
