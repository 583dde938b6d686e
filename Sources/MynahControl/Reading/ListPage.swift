internal import APNsRules
internal import HTTPTypes
internal import Hummingbird

/// A part of any list, ready to be answered (`ControlAPI#Lists-and-waiting`).
struct ListPage: Sendable {
    /// Items of a page when nothing is said, and at most.
    static let limitDefault: Int64 = 100
    static let limitMax: Int64 = 1000

    private let itemCount: Int
    // Writes one item as JSON.
    private let writeItem: @Sendable (Int, inout [UInt8]) -> Void
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

    /// The items of a page, in order, each of which is written as JSON when the answer comes to it.
    init<Item: Sendable>(items: [Item], matched: Int, json: @escaping @Sendable (Item) -> JSONValue) {
        itemCount = items.count
        writeItem = { json(items[$0]).write(to: &$1) }
        self.matched = matched
    }

    /// The items of a page, in order.
    init(items: [JSONValue], matched: Int) {
        self.init(items: items, matched: matched) { $0 }
    }

    /// The answer as one object, or, where the caller wants lines, as a line for each item with the rest in header
    /// fields.
    ///
    /// A long one is written piece by piece as the caller takes it.
    func response(to call: Call, status: HTTPResponse.Status = .ok) -> Response {
        let asLines = call.wantsLines
        let type = asLines ? "application/x-ndjson" : "application/json"
        let headers = asLines ? headers : [:]
        let first = piece(from: 0, asLines: asLines)
        guard first.end < itemCount else { return .bytes(first.bytes, type, status: status, headers: headers) }
        return call.streamed(type, status: status, headers: headers) { write in
            var piece = first
            try await write(piece.bytes)
            while piece.end < itemCount {
                piece = self.piece(from: piece.end, asLines: asLines)
                try await write(piece.bytes)
            }
        }
    }

    private var headers: HTTPFields {
        var headers: HTTPFields = [
            ListHeaders.matched: String(matched), ListHeaders.timedOut: String(isTimedOut),
            ListHeaders.evicted: String(evicted), ListHeaders.lastSequence: String(lastSequence),
        ]
        headers[ListHeaders.nextCursor] = nextCursor
        return headers
    }

    /// The part of the answer that begins with an item, about ``StreamLimits/batchBytesMax`` long, and the item that
    /// the next part begins with, which is the number of items when there is none.
    func piece(from start: Int, asLines: Bool) -> (bytes: [UInt8], end: Int) {
        var bytes: [UInt8] = []
        if start == 0, !asLines { bytes += #"{"items":["#.utf8 }
        var end = start
        while end < itemCount, bytes.count < StreamLimits.batchBytesMax {
            if end > 0, !asLines { bytes.append(0x2C) }
            writeItem(end, &bytes)
            if asLines { bytes.append(0x0A) }
            end += 1
        }
        guard end == itemCount, !asLines else { return (bytes, end) }
        bytes += #"],"nextCursor":"#.utf8
        (nextCursor.map { .string($0) } ?? JSONValue.null).write(to: &bytes)
        bytes += #","matched":\#(matched),"timedOut":\#(isTimedOut),"evicted":\#(evicted),"#.utf8
        bytes += #""lastSequence":\#(lastSequence)}"#.utf8
        return (bytes, end)
    }
}

/// What a list's object has beside its items, as header fields of JSON lines.
enum ListHeaders {
    static let nextCursor = HTTPField.Name.known("Mynah-Next-Cursor")
    static let matched = HTTPField.Name.known("Mynah-Matched")
    static let timedOut = HTTPField.Name.known("Mynah-Timed-Out")
    static let evicted = HTTPField.Name.known("Mynah-Evicted")
    static let lastSequence = HTTPField.Name.known("Mynah-Last-Sequence")

    static let all = [nextCursor, matched, timedOut, evicted, lastSequence]
}
