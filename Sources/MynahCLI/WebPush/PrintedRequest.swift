import APNsRules
import MynahCore

/// A request as a program has printed it: JSON, such as that of the `generateRequestDetails` of Node's web-push, or Go's
/// values.
struct PrintedRequest {
    private(set) var method: String?
    private(set) var target: String?
    private(set) var fields: [HTTPField] = []
    /// `nil` if it wasn't printed.
    private(set) var body: [UInt8]?
    /// The size of the body, if something says so.
    private(set) var byteCount: Int?

    /// Reads an object of headers, or one that has such a member; `nil` for a text that doesn't begin like one.
    init?(json bytes: [UInt8]) throws(CommandFailure) {
        guard bytes.first == UInt8(ascii: "{") else { return nil }
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue(parsing: bytes) } catch {
            throw CommandFailure(
                .usage,
                "the input begins like JSON, and is \(error): expected an object as JSON.stringify or json.dumps prints it"
            )
        }
        let headers = value["headers"]
        fields = PrintedRequest.fields(headers ?? value)
        guard headers != nil, let endpoint = (value["endpoint"] ?? value["url"])?.string else { return }
        target = endpoint
        method = value["method"]?.string ?? "POST"
        body = try value["body"].map(PrintedRequest.bytes)
        byteCount = body?.count
    }

    /// Reads `http.Header` or `http.Request` as `%v` and `%+v` print them; `nil` for another text.
    init?(go text: String) {
        let headers = text.firstMatch(of: /map\[((?:[A-Za-z0-9-]+:\[[^\[\]]*\]\s*)+)\]/)
        guard let headers, headers.1.contains(/\b(?i:authorization|ttl):/) else { return nil }
        fields = headers.1.matches(of: /([A-Za-z0-9-]+):\[([^\[\]]*)\]/).map {
            HTTPField($0.1.lowercased(), String($0.2))
        }
        guard let start = text.firstMatch(of: #/\{(?:Method:)?([A-Z]+) (?:URL:)?(\S+) /#) else { return }
        method = String(start.1)
        target = String(start.2)
        byteCount = text.firstMatch(of: /ContentLength:([0-9]+)/).flatMap { Int($0.1) }
    }

    private static func fields(_ headers: JSONValue) -> [HTTPField] {
        // Mynah's journal has pairs.
        let pairs = headers.array?.compactMap { pair -> JSONMember? in
            guard let pair = pair.array, pair.count == 2, let name = pair[0].string else { return nil }
            return JSONMember(name, pair[1])
        }
        return (pairs ?? headers.object ?? []).flatMap { member in
            // Go has an array for each name.
            (member.value.array ?? [member.value]).map { value in
                HTTPField(member.name.lowercased(), value.string ?? value.encodedText)
            }
        }
    }

    /// The bytes of a text, of a `Buffer`, of an array, or of a `Uint8Array`, which is an object of its places.
    private static func bytes(of body: JSONValue) throws(CommandFailure) -> [UInt8] {
        if body == .null { return [] }
        if let text = body.string { return Array(text.utf8) }
        let values = (body["data"] ?? body).array ?? body.object?.map(\.value) ?? []
        let bytes = values.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }
        guard !bytes.isEmpty, bytes.count == values.count else {
            throw CommandFailure(
                .usage, "body is \(body.kind): expected text, null, or bytes as JSON.stringify prints those of a Buffer"
            )
        }
        return bytes
    }
}
