public import APNsRules

/// One event of `GET /v1/events` (`Documents#Event-stream`).
public struct ServerEvent: Sendable, Equatable {
    /// `notification`, `outcome`, `device`, `activity`, `channel`, `fault`, `connection`, `clock`, `reset` or `gap`.
    public let name: String
    /// The document of the event, which a ``ControlAnswer`` reads: `try ControlClient.Notification(json: event.data)`.
    public let data: JSONValue
}

/// Parses a stream of server-sent events (WHATWG HTML, *Interpreting an event stream*).
struct EventParser {
    /// The most bytes of an event, of one line or of many: far more than a push with its headers has.
    static let eventBytesMax = 16 << 20

    /// The ID with which the next stream continues.
    private(set) var lastEventID: String?
    // The ID of an event that is not complete, and may still be lost.
    private var nextEventID: String?
    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var endedByCarriageReturn = false

    /// Returns the events that end in these bytes; throws when the data of one is not JSON, or it is too long.
    mutating func read(_ bytes: some Sequence<UInt8>) throws(ClientError) -> [ServerEvent] {
        var events: [ServerEvent] = []
        for byte in bytes {
            let follows = endedByCarriageReturn
            endedByCarriageReturn = byte == 0x0D
            switch byte {
            case 0x0A where follows: break
            case 0x0A, 0x0D: if let event = try endLine() { events.append(event) }
            default:
                guard line.count + data.count < EventParser.eventBytesMax else {
                    throw ClientError(.notMynah, "an event has more than \(EventParser.eventBytesMax) bytes")
                }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() throws(ClientError) -> ServerEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return try endEvent() }
        let colon = line.firstIndex(of: 0x3A) ?? line.count
        var value = line[min(colon + 1, line.count)...]
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "id": nextEventID = String(decoding: value, as: UTF8.self)
        case "data":
            if !data.isEmpty { data.append(0x0A) }
            data += value
        default: break
        }
        return nil
    }

    private mutating func endEvent() throws(ClientError) -> ServerEvent? {
        defer {
            lastEventID = nextEventID ?? lastEventID
            name = ""
            data.removeAll(keepingCapacity: true)
        }
        guard !data.isEmpty else { return nil }
        do { return ServerEvent(name: name.isEmpty ? "message" : name, data: try JSONValue(parsing: data)) } catch {
            throw ClientError(.notMynah, "the data of an event is \(error)")
        }
    }
}
