internal import Mynah

/// Which part of a list a call asks for, and what it waits for: the parameters that all lists share
/// (`ControlAPI#Lists-and-waiting`).
struct ListWindow: Sendable {
    /// The longest `wait`, shorter than what proxies and test runners allow a call.
    static let waitMax: Duration = .seconds(60)

    /// Items of a page.
    let limit: Int
    /// Ascending unless it is said, so that pages and `after` go the same way: what comes later is on a later page.
    let order: Cursor.Order
    /// The end of the page before.
    let cursor: Cursor?
    /// How long the answer is held until `count` match; `nil` answers at once.
    let wait: Duration?
    /// How many must match, with `wait`.
    let count: Int

    /// Takes the parameters; `count` may be as few as `countMin`.
    ///
    /// - Throws: ``Problem`` for one that is wrong.
    init(taking query: inout QueryString, countMin: Int64 = 1) throws(Problem) {
        limit = Int(try query.takeInteger("limit", in: 1...ListPage.limitMax) ?? ListPage.limitDefault)
        let word = try query.takeWord("order", Cursor.Order.allCases.map(\.rawValue))
        cursor = try query.takeCursor(Cursor.init(_:))
        if let cursor {
            guard word == nil || word == cursor.order.rawValue else {
                throw Problem(
                    .invalidParameter, "the cursor belongs to order=\(cursor.order.rawValue)", field: "order",
                    allowed: [cursor.order.rawValue])
            }
            order = cursor.order
        } else {
            order = word.flatMap { Cursor.Order(rawValue: $0) } ?? .ascending
        }
        wait = try query.takeDuration("wait", max: ListWindow.waitMax)
        let count = try query.takeInteger("count", in: countMin...Int64(Int32.max))
        if count != nil, wait == nil {
            throw Problem(
                .invalidParameter, "count says what to wait for; give wait as well, such as wait=5s", field: "count")
        }
        self.count = Int(count ?? 1)
    }

    /// Whether an item comes after the pages before.
    func isBehindCursor(_ sequence: UInt64) -> Bool {
        guard let cursor else { return true }
        return switch cursor.order {
        case .ascending: sequence > cursor.sequence
        case .descending: sequence < cursor.sequence
        }
    }
}
