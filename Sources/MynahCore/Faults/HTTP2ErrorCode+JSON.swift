internal import APNsRules

extension HTTP2ErrorCode {
    /// The name, or the number where it has none.
    var json: JSONValue {
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
            self.init(rawValue: UInt32(index))
        default:
            guard let number = json.integer, let code = UInt32(exactly: number) else {
                throw QueryError(
                    place, "\(json.encodedText) is no HTTP/2 error code; a name or a number of 32 bits was expected",
                    allowed: HTTP2ErrorCode.names)
            }
            self.init(rawValue: code)
        }
    }
}
