internal import APNsRules
internal import HTTPTypes
internal import Hummingbird

/// A part of any list, ready to be answered (`control-api.md`, *Lists and waiting*).
struct ListPage: Sendable {
    /// Items of a page when nothing is said, and at most.
    static let limitDefault: Int64 = 100
    static let limitMax: Int64 = 1000

    /// The items of the page, in order.
    var items: [JSONValue]
    /// Where the next one begins, when there is more; opaque to callers.
    var nextCursor: String?
    /// How many match in all, on every page.
    var matched: Int
    /// Whether the caller waited in vain.
    var isTimedOut = false
    /// How many items are missing because they went to make room.
    var evicted: UInt64 = 0
    /// Ask with `after` for what comes later.
    var lastSequence: UInt64 = 0

    /// The answer as one object, or as a line for each item with the rest in header fields.
    func response(asLines: Bool, status: HTTPResponse.Status = .ok) -> Response {
        var bytes: [UInt8] = []
        if asLines {
            for item in items {
                item.write(to: &bytes)
                bytes.append(0x0A)
            }
            var headers: HTTPFields = [
                ListHeaders.matched: String(matched), ListHeaders.timedOut: String(isTimedOut),
                ListHeaders.evicted: String(evicted), ListHeaders.lastSequence: String(lastSequence),
            ]
            headers[ListHeaders.nextCursor] = nextCursor
            return .bytes(bytes, "application/x-ndjson", status: status, headers: headers)
        }
        let document: JSONValue = [
            "items": .array(items),
            "nextCursor": nextCursor.map { .string($0) } ?? .null,
            "matched": .number(JSONNumber(matched)),
            "timedOut": .bool(isTimedOut),
            "evicted": .number(JSONNumber(evicted)),
            "lastSequence": .number(JSONNumber(lastSequence)),
        ]
        return .json(document, status: status)
    }
}
