internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// A page of any list (`ControlAPI#Lists-and-waiting`).
struct ListPage: Sendable {
    static let limitDefault: Int64 = 100
    static let limitMax: Int64 = 1000
    private let itemCount: Int
    // Writes one item as JSON.
    private let writeItem: @Sendable (Int, inout [UInt8]) -> Void
    var nextCursor: String?
    /// How many match on all pages.
    let matched: Int
    /// Whether the caller waited without success.
    var isTimedOut = false
    /// How many items are missing because they were evicted.
    var evicted: UInt64 = 0
    /// The value of `after` that selects later items.
    var lastSequence: UInt64

    /// A page with these items, which are converted to JSON only as they are written.
    init<Item: Sendable>(
        items: [Item], matched: Int, lastSequence: UInt64 = 0, json: @escaping @Sendable (Item) -> JSONValue
    ) {
        itemCount = items.count
        writeItem = { json(items[$0]).write(to: &$1) }
        self.matched = matched
        self.lastSequence = lastSequence
    }

    /// A page with all that match.
    init(items: [JSONValue], to call: Call) {
        self.init(items: items, matched: items.count, lastSequence: call.server.journal.lastIssued) { $0 }
    }

    /// The page that a call's `limit`, `order` and `cursor` ask for, of a list that is in memory.
    /// - Parameters:
    ///   - items: In ascending order.
    ///   - limit: The items of a page by default.
    ///   - order: The order by default.
    ///   - id: The item's ID, which is unique in the list.
    ///   - isListed: Whether an item passes the call's filters.
    /// - Throws: ``Problem`` when the last item of the previous page is gone.
    init<Item: Sendable>(
        _ items: [Item], to call: Call, limit: Int64 = ListPage.limitMax, order: Cursor.Order = .ascending,
        id: (Item) -> String, where isListed: (Item) -> Bool = { _ in true },
        json: @escaping @Sendable (Item) -> JSONValue
    ) throws(Problem) {
        var query = call.query
        let limit = try query.takeLimit(default: limit)
        let items = try query.takeOrder() ?? order == .descending ? items.reversed() : items
        var rest = items[...]
        if let last = try query.takeCursor(IDCursor.init(_:))?.id {
            let problem = "\(last), where the previous page ended, is gone: start again without cursor"
            let index = items.firstIndex { id($0) == last }
            rest = items[(try index.found(or: Problem(.evicted, problem, field: "cursor")) + 1)...]
        }
        self.init(
            rest.filter(isListed), limit: limit, matched: items.count(where: isListed),
            lastSequence: call.server.journal.lastIssued, cursor: { IDCursor(id: id($0)).text }, json: json)
    }

    /// A page with the first `limit` of the items after the previous page, and the cursor of the next page.
    init<Item: Sendable>(
        _ rest: [Item], limit: Int, matched: Int, lastSequence: UInt64, cursor: (Item) -> String,
        json: @escaping @Sendable (Item) -> JSONValue
    ) {
        let items = Array(rest.prefix(limit))
        self.init(items: items, matched: matched, lastSequence: lastSequence, json: json)
        if rest.count > items.count { nextCursor = items.last.map(cursor) }
    }

    /// The answer as one object or, if the caller wants lines, one line for each item and the rest in header fields.
    ///
    /// A long answer is written piece by piece as the caller reads it.
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

    /// The answer to a call that may wait: this page if it has enough items, otherwise the page that `later` returns by
    /// the deadline.
    func response(
        to call: Call, _ window: ListWindow,
        later: @escaping @Sendable (ContinuousClock.Instant) async throws -> ListPage
    ) async throws -> Response {
        guard let wait = window.wait, !window.isContent(with: matched) else { return response(to: call) }
        let deadline = call.deadline(after: wait)
        return try await call.whileCallerStays { try await later(deadline).response(to: call) }
    }

    private var headers: HTTPFields {
        var headers: HTTPFields = [
            ListHeaders.matched: String(matched), ListHeaders.timedOut: String(isTimedOut),
            ListHeaders.evicted: String(evicted), ListHeaders.lastSequence: String(lastSequence),
        ]
        headers[ListHeaders.nextCursor] = nextCursor
        return headers
    }

    /// The members of a page with items of a kind; what was evicted and which number is last depends on the list.
    ///
    /// ``piece(from:asLines:)`` writes them, piece by piece.
    static func schema(
        of item: String, evicted: String = "0: nothing is ever evicted from this list.",
        last: String = "The last sequence number of the journal."
    ) -> Schema {
        [
            Member("items", .list(item), summary: "The items of this page."),
            Member("nextCursor", .nullableText, summary: "null on the last page."),
            Member("matched", .whole, summary: "On all pages."),
            Member("timedOut", .bool, summary: "Whether the call waited without success."),
            Member("evicted", .whole, summary: evicted),
            Member("lastSequence", .whole, summary: last),
        ]
    }

    /// The part of the answer that begins with item `start`, about ``StreamLimits/batchBytesMax`` long, and the index
    /// after its last item.
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
