internal import MynahCore

/// What `GET /v1/devices/{id}/inbox` is asked for.
struct InboxQuery: Sendable {
    /// The parameters beside the filters of the journal.
    static let parameters = ["limit", "order", "after", "cursor", "wait", "count", "kind"]

    let filter: Filter
    /// Kinds, any of which an item must be; `nil`: any at all.
    let kinds: Set<InboxKind>?
    let limit: Int
    let order: Cursor.Order
    /// Only what arrived behind the push with this number; 0: everything.
    let after: UInt64
    /// Where the page begins, by the number of the arrival.
    let cursor: Cursor?
    /// How long the answer is held until `count` match; `nil` answers at once.
    let wait: Duration?
    let count: Int

    init(_ query: consuming QueryString) throws(Problem) {
        limit = Int(try query.takeInteger("limit", in: 1...ListPage.limitMax) ?? ListPage.limitDefault)
        after = UInt64(try query.takeInteger("after", in: 0...Int64.max) ?? 0)
        let word = try query.takeWord("order", Cursor.Order.allCases.map(\.rawValue))
        if let text = try query.take("cursor") {
            guard let cursor = Cursor(text) else {
                throw Problem(
                    .invalidParameter, "cursor is \(text); take it from nextCursor of the page before", field: "cursor")
            }
            guard word == nil || word == cursor.order.rawValue else {
                throw Problem(
                    .invalidParameter, "the cursor belongs to order=\(cursor.order.rawValue)", field: "order",
                    allowed: [cursor.order.rawValue])
            }
            self.cursor = cursor
            order = cursor.order
        } else {
            cursor = nil
            order = word.flatMap { Cursor.Order(rawValue: $0) } ?? .ascending
        }
        wait = try query.takeDuration("wait", max: NotificationQuery.waitMax)
        let count = try query.takeInteger("count", in: 1...Int64(Int32.max))
        if count != nil, wait == nil {
            throw Problem(
                .invalidParameter, "count says what to wait for; give wait as well, such as wait=5s", field: "count")
        }
        self.count = Int(count ?? 1)
        kinds = try InboxQuery.kinds(query.rest)
        filter = try FilterReading.filter(
            query.rest.filter { $0.name != "kind" }, otherParameters: InboxQuery.parameters)
    }

    private static func kinds(_ parameters: [QueryString.Parameter]) throws(Problem) -> Set<InboxKind>? {
        let given = parameters.filter { $0.name == "kind" }
        guard !given.isEmpty else { return nil }
        let allowed = InboxKind.allCases.map(\.rawValue)
        var kinds: Set<InboxKind> = []
        for parameter in given {
            guard let kind = InboxKind(rawValue: parameter.value) else {
                throw Problem(
                    .invalidParameter,
                    "kind is \(parameter.value); it is one of \(allowed.joined(separator: ", "))"
                        + NearestName.suggestion(for: parameter.value, among: allowed),
                    field: "kind", allowed: allowed)
            }
            kinds.insert(kind)
        }
        return kinds
    }

    /// Whether items are chosen by what they say, which one that is gone from the journal cannot tell.
    var hasFilter: Bool { kinds != nil || !filter.isEmpty }
}
