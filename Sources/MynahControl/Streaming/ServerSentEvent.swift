internal import APNsRules

/// One event of a `text/event-stream` (WHATWG HTML, *Server-sent events*).
enum ServerSentEvent {
    static let contentType = "text/event-stream"

    /// Appends an event; `id` is what a returning reader sends as `Last-Event-ID`.
    static func write(_ name: String, id: UInt64?, _ data: JSONValue, to bytes: inout [UInt8]) {
        bytes += "event: \(name)\n".utf8
        if let id { bytes += "id: \(id)\n".utf8 }
        bytes += "data: ".utf8
        let start = bytes.count
        data.write(to: &bytes)
        // `data` must be one line; only payloads, which are written as they were sent, have line ends, as white space.
        for index in start..<bytes.count where bytes[index] == 0x0A || bytes[index] == 0x0D { bytes[index] = 0x20 }
        bytes += "\n\n".utf8
    }

    /// A line that readers skip; keeps proxies from closing the stream as idle.
    static let comment = Array(": \n\n".utf8)

    /// A comment that also sets the number to resume from.
    static func comment(id: UInt64) -> [UInt8] { Array(": \nid: \(id)\n\n".utf8) }

    static func number(_ text: String) throws(Problem) -> UInt64 {
        let problem = "invalid Last-Event-ID \(text): expected the ID of an event, a whole number"
        return try UInt64(text).found(or: .parameter("Last-Event-ID", problem))
    }
}
