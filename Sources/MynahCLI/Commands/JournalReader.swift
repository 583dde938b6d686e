import APNsRules
import MynahClient

/// Reads the journal in pages, oldest first.
struct JournalReader: Sendable {
    /// The most pushes of one call.
    static let pageSize = 1000

    let client: ControlClient
    let filters: [QueryItem]

    /// The filters of a query and of flags, as parameters.
    static func items(_ query: String?, _ filters: FilterOptions) -> [QueryItem] {
        (query.map { [QueryItem("q", $0)] } ?? []) + filters.queryItems
    }

    /// Calls `give` with every push that matches.
    func readAll(_ give: (JSONValue) throws -> Void) async throws {
        var after: Int64?
        while true {
            let page = try await page(after: after)
            for item in page.items { try give(item) }
            guard page.items.count == JournalReader.pageSize, let last = JournalReader.sequence(page.items.last)
            else { return }
            after = last
        }
    }

    private func page(after: Int64?) async throws(ClientError) -> NotificationPage {
        var items = filters
        items += [QueryItem("order", "asc"), QueryItem("limit", String(JournalReader.pageSize))]
        if let after { items.append(QueryItem("after", String(after))) }
        return try await client.notifications(items)
    }

    private static func sequence(_ item: JSONValue?) -> Int64? { item?["sequence"]?.integer }
}
