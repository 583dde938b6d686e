internal import Mynah

/// A page of the open connections (`ControlAPI#Lists-and-waiting`).
struct ConnectionPage: Sendable {
    private let items: [ConnectionView]
    private let nextCursor: Cursor?
    private let lastSequence: UInt64
    /// How many match on all pages.
    let matched: Int
    /// Whether the caller waited without success.
    var isTimedOut = false

    /// Selects the connections that a query asks for, and collects their counters from their event loops.
    init(_ query: ConnectionQuery, _ entries: [ConnectionEntry], _ server: Server) async {
        var matching = entries.filter { query.matches($0) }
        matched = matching.count
        if query.window.order == .descending { matching.reverse() }
        matching.removeAll { !query.window.isAfterCursor($0.id) }
        let page = Array(matching.prefix(query.window.limit))
        items = await server.views(of: page)
        nextCursor =
            matching.count > page.count ? page.last.map { Cursor(order: query.window.order, sequence: $0.id) } : nil
        lastSequence = server.journal.lastIssued
    }

    var list: ListPage {
        var list = ListPage(items: items, matched: matched) { $0.json }
        list.nextCursor = nextCursor?.text
        list.isTimedOut = isTimedOut
        list.lastSequence = lastSequence
        return list
    }
}
