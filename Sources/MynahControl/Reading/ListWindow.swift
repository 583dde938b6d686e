internal import Mynah

/// The parameters that lists share: which page, in which order, and what to wait for (`ControlAPI#Lists-and-waiting`).
struct ListWindow: Sendable {
    /// The longest `wait`: shorter than the time limits of proxies and test runners.
    static let waitMax: Duration = .seconds(60)

    /// Items per page.
    let limit: Int
    /// Ascending by default, so that what comes later is on a later page.
    let order: Cursor.Order
    /// The end of the previous page.
    let cursor: Cursor?
    /// How long to hold the answer until `count` items match; `nil` answers at once.
    let wait: Duration?
    /// How many items must match, with `wait`.
    let count: Int

    /// Takes the parameters; `count` may be as low as `countMin`.
    init(taking query: inout QueryString, countMin: Int64 = 1) throws(Problem) {
        limit = try query.takeLimit()
        let word = try query.takeWord("order", Cursor.Order.allCases.map(\.rawValue))
        cursor = try query.takeCursor(Cursor.init(_:))
        if let cursor {
            guard word == nil || word == cursor.order.rawValue else {
                throw .parameter(
                    "order", "the cursor is of another order: expected order=\(cursor.order.rawValue)",
                    allowed: [cursor.order.rawValue])
            }
            order = cursor.order
        } else {
            order = word.flatMap { Cursor.Order(rawValue: $0) } ?? .ascending
        }
        wait = try query.takeDuration("wait", max: ListWindow.waitMax)
        let count = try query.takeInteger("count", in: countMin...Int64(Int32.max))
        if count != nil, wait == nil {
            throw .parameter("count", "count needs wait: expected wait as well, such as wait=5s")
        }
        self.count = Int(count ?? 1)
    }

    /// Whether an item comes after the previous pages.
    func isAfterCursor(_ sequence: UInt64) -> Bool {
        guard let cursor else { return true }
        return switch cursor.order {
        case .ascending: sequence > cursor.sequence
        case .descending: sequence < cursor.sequence
        }
    }
}

extension ListWindow {
    /// Where the page after an item begins.
    func cursor(after sequence: UInt64?) -> String? { sequence.map { Cursor(order: order, sequence: $0).text } }
}

extension QueryString {
    /// Takes the sequence number after which items count.
    mutating func takeAfter(_ name: String = "after") throws(Problem) -> UInt64? {
        try takeInteger(name, in: 0...Int64.max).map { UInt64($0) }
    }

    /// Takes how many items a page has.
    mutating func takeLimit() throws(Problem) -> Int {
        Int(try takeInteger("limit", in: 1...ListPage.limitMax) ?? ListPage.limitDefault)
    }
}
