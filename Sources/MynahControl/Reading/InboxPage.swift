internal import APNsRules
internal import Mynah
internal import MynahCore

/// A page of a device's inbox, in the order of arrival.
struct InboxPage: Sendable {
    var list: ListPage

    /// - Throws: ``Problem`` when the cursor points to arrivals that were dropped.
    init(_ query: InboxQuery, _ inbox: DeviceInbox) throws(Problem) {
        if let cursor = query.window.cursor, cursor.isEvicted(through: inbox.dropped) {
            throw Problem(
                .evicted, "the cursor points to dropped arrivals, the first \(inbox.dropped): start again without it",
                field: "cursor")
        }
        var evicted = inbox.dropped
        var found: [Arrival] = []
        for arrival in InboxPage.arrivals(after: query.after, inbox) {
            if arrival.view == nil { evicted += 1 }
            if InboxPage.holds(query, arrival) { found.append(arrival) }
        }
        if query.window.order == .descending { found.reverse() }
        let rest = found.filter { query.window.isAfterCursor($0.ordinal) }
        let items = rest.prefix(query.window.limit)
        list = ListPage(items: Array(items), matched: found.count) { $0.json }
        if rest.count > items.count { list.nextCursor = query.window.cursor(after: items.last?.ordinal) }
        list.evicted = evicted
        // The last arrival's, which need not be the greatest number: `after` follows the order of arrival.
        list.lastSequence = inbox.items.last?.sequence ?? 0
    }

    private static func arrivals(after: UInt64, _ inbox: DeviceInbox) -> [Arrival] {
        guard after > 0 else { return inbox.arrivals }
        if let place = inbox.place(after: after) { return Array(inbox.arrivals[place...]) }
        // Not in the inbox, or no longer: what was sent later.
        return inbox.arrivals.filter { $0.sequence > after }
    }

    private static func holds(_ query: InboxQuery, _ arrival: Arrival) -> Bool {
        guard query.hasFilter else { return true }
        guard let view = arrival.view else { return false }
        if let kinds = query.kinds, !(arrival.kind.map(kinds.contains) ?? false) { return false }
        return query.filter.matches(view)
    }
}

/// The parameters of `GET /v1/devices/{id}/inbox`.
struct InboxQuery: Sendable {
    let filter: Filter
    /// The kinds of arrivals; `nil` for all.
    let kinds: Set<PushType>?
    /// The page, by the number of the arrival, and what to wait for.
    let window: ListWindow
    /// Only what arrived after the push with this number; 0 for everything.
    let after: UInt64

    init(_ query: consuming QueryString) throws {
        window = try ListWindow(taking: &query)
        after = try query.takeAfter() ?? 0
        let kinds = query.takeAll("kind")
        for kind in kinds { try Form.choice(PushType.self).check(.string(kind), at: "kind") }
        self.kinds = kinds.isEmpty ? nil : Set(kinds.compactMap { PushType(rawValue: $0) })
        filter = try Filter(parameters: query.pairs, besides: query.declared)
    }

    /// Whether items are chosen by their content, which is unknown for a push that is no longer in the journal.
    var hasFilter: Bool { kinds != nil || !filter.isEmpty }
}
