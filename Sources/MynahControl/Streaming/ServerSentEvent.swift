internal import APNsRules
internal import HTTPTypes

/// One event of a `text/event-stream` (WHATWG HTML, *Server-sent events*).
enum ServerSentEvent {
    /// The type of the stream.
    static let contentType = "text/event-stream"

    /// Where a reader that comes again says what it has.
    static let lastEventID = HTTPField.Name.known("Last-Event-ID")

    /// Appends an event; `id` is what a reader gives back as `Last-Event-ID`.
    ///
    /// JSON has no line ends of its own, so one `data` line holds it; a payload that was sent with some is written
    /// anew without them.
    static func write(_ name: String, id: UInt64?, _ data: JSONValue, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "event: \(name)\n".utf8)
        if let id { bytes.append(contentsOf: "id: \(id)\n".utf8) }
        bytes.append(contentsOf: "data: ".utf8)
        let start = bytes.count
        data.write(to: &bytes)
        // Only a payload that is given back as it was sent can have them, and there they are white space.
        for index in start..<bytes.count where bytes[index] == 0x0A || bytes[index] == 0x0D { bytes[index] = 0x20 }
        bytes.append(contentsOf: "\n\n".utf8)
    }

    /// A line that readers skip; keeps proxies from taking the stream for dead.
    static let comment = Array(": \n\n".utf8)

    /// The same with the number that a reader is to give back although there is no event: readers take it, and show
    /// nothing.
    static func comment(id: UInt64) -> [UInt8] { Array(": \nid: \(id)\n\n".utf8) }

    /// Reads what a reader gave back as `Last-Event-ID`.
    ///
    /// - Throws: ``Problem`` when it is no whole number.
    static func number(_ text: String) throws(Problem) -> UInt64 {
        guard let number = UInt64(text) else {
            throw Problem(
                .invalidParameter, "Last-Event-ID is \(text); it is the id of an event of this stream, a whole number",
                field: "Last-Event-ID")
        }
        return number
    }
}
