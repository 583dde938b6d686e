internal import APNsRules
internal import Mynah

/// Where the next page of a list begins; opaque to callers.
struct Cursor: Equatable, Sendable {
    /// The order in which a list is read.
    typealias Order = JournalReader.Order

    let order: Order
    /// The last sequence number of the page before.
    let sequence: UInt64

    /// As it stands in `nextCursor`.
    var text: String { Base64.encode(Array("\(order.rawValue):\(sequence)".utf8), url: true) }
}

extension Cursor {
    /// Reads what ``text`` wrote, and nothing else.
    init?(_ text: String) {
        guard let bytes = Base64.decode(text.utf8)?.bytes else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let order = Order(rawValue: String(parts[0])), let sequence = UInt64(parts[1]) else {
            return nil
        }
        self.init(order: order, sequence: sequence)
        guard self.text == text else { return nil }
    }

    /// Whether the page that begins here would lack what was evicted since.
    ///
    /// Upwards, something evicted behind the cursor would have come next. Downwards, what is evicted is the end
    /// of the list, which every answer shows by its count; only a cursor that itself lies there has nothing left.
    func isEvicted(through evicted: UInt64) -> Bool {
        switch order {
        case .ascending: evicted > sequence
        case .descending: evicted >= sequence
        }
    }
}
