internal import APNsRules
internal import Mynah

/// Where the next page of a list begins; opaque to callers.
struct Cursor: Equatable, Sendable {
    typealias Order = JournalReader.Order

    let order: Order
    /// The last sequence number of the previous page.
    let sequence: UInt64

    /// As written in `nextCursor`.
    var text: String { Base64.encode(Array("\(order.rawValue):\(sequence)".utf8), url: true) }
}

extension Cursor {
    /// Reads ``text``; `nil` for any other string.
    init?(_ text: String) {
        guard let bytes = Base64.decode(text.utf8)?.bytes else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
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
