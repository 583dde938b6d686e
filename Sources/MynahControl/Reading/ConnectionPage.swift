internal import Mynah

/// A part of the open connections as a list answers it (`ControlAPI#Lists-and-waiting`).
struct ConnectionPage: Sendable {
    private let items: [ConnectionView]
    private let nextCursor: Cursor?
    private let lastSequence: UInt64
    /// How many match in all, on every page.
    let matched: Int
    /// Whether the caller waited in vain.
    var isTimedOut = false

    /// Takes what a query asks for out of the table's entries, and asks each of the page what has passed over it.
    init(_ query: ConnectionQuery, _ entries: [ConnectionEntry], _ server: Server) async {
        var matching = entries.filter { query.matches($0) }
        matched = matching.count
        if query.window.order == .descending { matching.reverse() }
        matching.removeAll { !query.window.isBehindCursor($0.id) }
        let page = Array(matching.prefix(query.window.limit))
        items = await server.views(of: page)
        nextCursor =
            matching.count > page.count ? page.last.map { Cursor(order: query.window.order, sequence: $0.id) } : nil
        lastSequence = server.journal.lastIssued
    }

    /// The answer.
    var list: ListPage {
        var list = ListPage(items: items, matched: matched) { $0.json }
        list.nextCursor = nextCursor?.text
        list.isTimedOut = isTimedOut
        list.lastSequence = lastSequence
        return list
    }
}
