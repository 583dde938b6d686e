package import APNsRules

/// The calls of ``ControlClient`` with their answers as the server wrote them.
///
/// The commands print these: they work with servers of other versions, whose answers have other members.
package struct ControlDocuments: Sendable {
    let client: ControlClient

    init(_ client: ControlClient) { self.client = client }
}

extension ControlClient {
    /// The same calls with their answers as JSON.
    package var documents: ControlDocuments { ControlDocuments(self) }
}

extension ControlDocuments {
    func target(_ components: [String], _ query: [QueryItem] = []) throws(ClientError) -> String {
        guard !components.contains("") else {
            throw ClientError(
                .invalidArgument, "an empty ID was given for /v1/\(components[0]): expected one that it lists")
        }
        return QueryItem.target("/v1/" + components.map(QueryItem.encoded).joined(separator: "/"), query)
    }

    func get(
        _ components: String..., query: [QueryItem] = [], timeout: Duration? = nil
    ) async throws(ClientError) -> JSONValue {
        try await client.json("GET", target(components, query), timeout: timeout)
    }

    @discardableResult
    func delete(_ components: String..., query: [QueryItem] = []) async throws(ClientError) -> JSONValue {
        try await client.json("DELETE", target(components, query))
    }

    func send(
        _ method: String, _ components: String..., body: JSONValue, timeout: Duration? = nil
    ) async throws(ClientError) -> JSONValue {
        try await client.json(method, target(components), body: body, timeout: timeout)
    }

    func ofScope(_ scope: String?) -> [QueryItem] { scope.map { [QueryItem("scope", $0)] } ?? [] }

    func list(_ name: String, _ query: [QueryItem] = []) async throws(ClientError) -> [JSONValue] {
        try items(of: try await get(name, query: query), called: name)
    }

    /// The items of the page at a cursor (`ControlAPI#Lists-and-waiting`); throws for a list that doesn't end.
    func nextPage(
        of name: String, _ filters: [QueryItem], _ cursor: inout PageCursor
    ) async throws(ClientError) -> [JSONValue] {
        let query = filters + [QueryItem("limit", String(PageCursor.itemsPerPage))]
        let place = cursor.text.map { [QueryItem("cursor", $0)] } ?? []
        let (page, byteCount) = try await client.sizedJSON("GET", try target([name], query + place))
        let items = try items(of: page, called: name)
        try cursor.advance(to: page["nextCursor"]?.string, behind: items.count, bytes: byteCount)
        return items
    }

    func all(of name: String, _ filters: [QueryItem]) async throws(ClientError) -> [JSONValue] {
        var items: [JSONValue] = []
        var cursor = PageCursor(bytesMax: PageCursor.keptBytesMax)
        repeat { items += try await nextPage(of: name, filters, &cursor) } while cursor.text != nil
        return items
    }

    /// The items of a page; throws for a document without any, named as a list of `name`.
    package func items(of page: JSONValue, called name: String) throws(ClientError) -> [JSONValue] {
        guard let items = page["items"]?.array else {
            throw ClientError(.notMynah, "the list of \(name) at \(client.url) has no items")
        }
        return items
    }
}
