internal import APNsRules
internal import HTTPTypes

/// One event of a `text/event-stream` (WHATWG HTML, *Server-sent events*).
enum ServerSentEvent {
    static let contentType = "text/event-stream"

    /// The field in which a returning reader names the last event that it has.
    static let lastEventID = HTTPField.Name.known("Last-Event-ID")

    /// Appends an event; `id` is what a returning reader sends as `Last-Event-ID`.
    static func write(_ name: String, id: UInt64?, _ data: JSONValue, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "event: \(name)\n".utf8)
        if let id { bytes.append(contentsOf: "id: \(id)\n".utf8) }
        bytes.append(contentsOf: "data: ".utf8)
        let start = bytes.count
        data.write(to: &bytes)
        // `data` must be one line; only payloads, which are written as they were sent, have line ends, as white space.
        for index in start..<bytes.count where bytes[index] == 0x0A || bytes[index] == 0x0D { bytes[index] = 0x20 }
        bytes.append(contentsOf: "\n\n".utf8)
    }

    /// A line that readers skip; keeps proxies from closing the stream as idle.
    static let comment = Array(": \n\n".utf8)

    /// A comment that also sets the number to resume from.
    static func comment(id: UInt64) -> [UInt8] { Array(": \nid: \(id)\n\n".utf8) }

    /// Reads the value of `Last-Event-ID`.
    static func number(_ text: String) throws(Problem) -> UInt64 {
        guard let number = UInt64(text) else {
            throw Problem(
                .invalidParameter, "invalid Last-Event-ID \(text): expected the ID of an event, a whole number",
                field: "Last-Event-ID")
        }
        return number
    }
}
