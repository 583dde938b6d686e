internal import APNsRules
internal import Mynah

/// Where the next page of a list begins; opaque to callers.
struct Cursor: Equatable, Sendable {
    typealias Order = JournalReader.Order

    let order: Order
    /// The last sequence number of the previous page.
    let sequence: UInt64

    /// As written in `nextCursor`.
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
    /// In ascending order they would have come next. In descending order evicted items are the end of the list, which
    /// every answer counts; only a cursor among them has nothing left.
    func isEvicted(through evicted: UInt64) -> Bool {
        switch order {
        case .ascending: evicted > sequence
        case .descending: evicted >= sequence
        }
    }
}

/// Where the next page begins of a list whose items have IDs; opaque to callers.
struct IDCursor: Equatable, Sendable {
    /// The last ID of the previous page.
    let id: String

    /// As written in `nextCursor`.
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
