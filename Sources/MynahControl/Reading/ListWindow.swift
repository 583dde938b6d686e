internal import APNsRules
internal import Mynah
internal import MynahCore

/// The parameters that lists share: which page, in which order, and what to wait for (`ControlAPI#Lists-and-waiting`).
struct ListWindow: Sendable {
    /// The longest `wait`: shorter than the time limits of proxies and test runners.
    static let waitMax: Duration = .seconds(60)
    let limit: Int
    /// Ascending by default, so that new items are on later pages.
    let order: Cursor.Order
    let cursor: Cursor?
    /// How long to hold the answer until `count` items match; `nil` answers at once.
    let wait: Duration?
    let count: Int

    /// Takes the parameters; `count` may be as low as `countMin`, and means something with `wait` only.
    init(taking query: inout QueryString, countMin: Int64 = 1) throws(Problem) {
        limit = try query.takeLimit()
        let order = try query.takeOrder()
        cursor = try query.takeCursor(Cursor.init(_:))
        if let known = cursor?.order.rawValue, let order, order.rawValue != known {
            throw .parameter("order", "the cursor is of another order: expected order=\(known)", allowed: [known])
        }
        self.order = cursor?.order ?? order ?? .ascending
        wait = try query.takeDuration("wait", max: ListWindow.waitMax)
        count = Int(try query.takeInteger("count", in: countMin...Int64(Int32.max)) ?? 1)
    }

    func isAfterCursor(_ sequence: UInt64) -> Bool {
        guard let cursor else { return true }
        return switch cursor.order {
        case .ascending: sequence > cursor.sequence
        case .descending: sequence < cursor.sequence
        }
    }

    func cursor(after sequence: UInt64) -> String { Cursor(order: order, sequence: sequence).text }

    /// Whether the wait is over when this many items match; with `count=0`, when none does.
    func isContent(with matched: Int) -> Bool { wait == nil || (count == 0 ? matched == 0 : matched >= count) }
}

extension CallParameter {
    static let limit = limit(ListPage.limitDefault)

    static func limit(_ standard: Int64) -> CallParameter {
        query(
            "limit", "Items per page.",
            schema: [
                "type": "integer", "minimum": 1, "maximum": .whole(ListPage.limitMax), "default": .whole(standard),
            ])
    }

    /// The order of a list.
    static func order(_ ascending: String = "oldest first", default standard: Cursor.Order = .ascending) -> Self {
        let schema = Form.choice(Cursor.Order.self).openAPI().object ?? []
        return query(
            "order", "asc: \(ascending); desc: the other way round.",
            schema: .object(schema + [JSONMember("default", .string(standard.rawValue))]))
    }

    /// The parameters of a list that is in memory.
    static func page(
        _ ascending: String = "oldest first", limit: Int64 = ListPage.limitMax, order: Cursor.Order = .ascending
    ) -> [CallParameter] {
        [.limit(limit), .order(ascending, default: order), .cursor]
    }
}

extension QueryString {
    /// Takes the sequence number after which items are listed.
    mutating func takeAfter(_ name: String = "after") throws(Problem) -> UInt64? {
        try takeInteger(name, in: 0...Int64.max).map { UInt64($0) }
    }

    mutating func takeLimit(default standard: Int64 = ListPage.limitDefault) throws(Problem) -> Int {
        Int(try takeInteger("limit", in: 1...ListPage.limitMax) ?? standard)
    }

    mutating func takeOrder() throws(Problem) -> Cursor.Order? { try takeChoice("order") }
}

/// Where the next page of a list begins; opaque to callers.
struct Cursor: Equatable, Sendable {
    typealias Order = JournalStore.Order
    let order: Order
    /// The last sequence number of the previous page.
    let sequence: UInt64
    var text: String { IDCursor(id: "\(order.rawValue):\(sequence)").text }
}

extension Cursor {
    /// Reads ``text``; `nil` for any other string.
    init?(_ text: String) {
        let parts = IDCursor(text)?.id.split(separator: ":", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, let order = Order(rawValue: String(parts[0])), let sequence = UInt64(parts[1]) else {
            return nil
        }
        self.init(order: order, sequence: sequence)
        guard self.text == text else { return nil }
    }

    /// Whether items of the page that begins here have been evicted.
    ///
    /// In ascending order they would have come next. In descending order evicted items end the list, and only a cursor
    /// among them has no items left.
    func isEvicted(through evicted: UInt64) -> Bool {
        switch order {
        case .ascending: evicted > sequence
        case .descending: evicted >= sequence
        }
    }
}

/// Where the next page begins of a list whose items have IDs; opaque to callers.
struct IDCursor: Equatable, Sendable {
    let id: String
    var text: String { Base64.encode(Array(id.utf8), url: true) }
}

extension IDCursor {
    /// Reads ``text``; `nil` for any other string.
    init?(_ text: String) {
        guard let bytes = Base64.decode(text.utf8)?.bytes, !bytes.isEmpty,
            let id = String(validating: bytes, as: UTF8.self)
        else { return nil }
        self.init(id: id)
        guard self.text == text else { return nil }
    }
}
