internal import Mynah
internal import MynahCore

/// A part of a device's inbox, in the order of arrival.
struct InboxPage: Sendable {
    /// The answer.
    var list: ListPage

    /// What a query asks for of an inbox.
    ///
    /// - Throws: ``Problem`` when the cursor points into what went to make room.
    init(_ query: InboxQuery, _ inbox: DeviceInbox) throws(Problem) {
        if let cursor = query.window.cursor, cursor.isEvicted(through: inbox.dropped) {
            throw Problem(
                .evicted,
                "the cursor points into what went to make room, the first \(inbox.dropped) arrivals; begin again "
                    + "without it", field: "cursor")
        }
        var evicted = inbox.dropped
        var found: [Arrival] = []
        for arrival in InboxPage.arrivals(behind: query.after, inbox) {
            if arrival.view == nil { evicted += 1 }
            if InboxPage.holds(query, arrival) { found.append(arrival) }
        }
        if query.window.order == .descending { found.reverse() }
        let behind = found.filter { query.window.isBehindCursor($0.ordinal) }
        let items = behind.prefix(query.window.limit)
        list = ListPage(items: Array(items), matched: found.count) { $0.json }
        if behind.count > items.count, let last = items.last {
            list.nextCursor = Cursor(order: query.window.order, sequence: last.ordinal).text
        }
        list.evicted = evicted
        // Of the arrival that came last, which need not be the greatest: `after` goes by the order of arrival.
        list.lastSequence = inbox.items.last?.sequence ?? 0
    }

    private static func arrivals(behind after: UInt64, _ inbox: DeviceInbox) -> [Arrival] {
        guard after > 0 else { return inbox.arrivals }
        if let place = inbox.place(behind: after) { return Array(inbox.arrivals[place...]) }
        // A number of the journal, or of what is no longer there: what was sent later is meant.
        return inbox.arrivals.filter { $0.sequence > after }
    }

    private static func holds(_ query: InboxQuery, _ arrival: Arrival) -> Bool {
        guard query.hasFilter else { return true }
        guard let view = arrival.view else { return false }
        if let kinds = query.kinds, !(arrival.kind.map(kinds.contains) ?? false) { return false }
        return query.filter.matches(view)
    }
}
