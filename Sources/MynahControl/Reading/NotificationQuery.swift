internal import MynahCore

/// What `GET /v1/notifications` is asked for.
struct NotificationQuery: Sendable {
    /// Items of a page when nothing is said, and at most.
    static let limitDefault: Int64 = 100
    static let limitMax: Int64 = 1000
    /// The longest `wait`, shorter than what proxies and test runners allow a call.
    static let waitMax: Duration = .seconds(60)

    /// The parameters beside the filters.
    static let parameters = ["limit", "order", "after", "cursor", "wait", "count"]

    let filter: Filter
    let limit: Int
    let order: Cursor.Order
    /// Only entries behind this number.
    let after: UInt64
    let cursor: Cursor?
    /// How long the answer is held until `count` match; `nil` answers at once.
    let wait: Duration?
    let count: Int

    init(_ query: consuming QueryString) throws(Problem) {
        limit = Int(
            try query.takeInteger("limit", in: 1...NotificationQuery.limitMax) ?? NotificationQuery.limitDefault)
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
            // Ascending, so that pages and `after` go the same way: what comes later is on a later page.
            order = word.flatMap { Cursor.Order(rawValue: $0) } ?? .ascending
        }
        wait = try query.takeDuration("wait", max: NotificationQuery.waitMax)
        let count = try query.takeInteger("count", in: 1...Int64(Int32.max))
        if count != nil, wait == nil {
            throw Problem(
                .invalidParameter, "count says what to wait for; give wait as well, such as wait=5s", field: "count")
        }
        self.count = Int(count ?? 1)
        filter = try FilterReading.filter(query.rest, otherParameters: NotificationQuery.parameters)
    }

    /// Whether an entry comes after the pages before.
    func isBehindCursor(_ sequence: UInt64) -> Bool {
        guard let cursor else { return true }
        return switch cursor.order {
        case .ascending: sequence > cursor.sequence
        case .descending: sequence < cursor.sequence
        }
    }
}
