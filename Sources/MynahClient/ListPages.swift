internal import APNsRules

/// The pages of a list of the control API, each read by one call (`ControlAPI#Lists-and-waiting`).
struct ListPages {
    /// Items per call: the most that the API allows.
    private static let pageSize = 1000

    let client: ControlClient
    let path: String
    let filters: [QueryItem]
    /// The name of the items in an error.
    let name: String

    private var cursor: String?
    private var isAtEnd = false

    init(client: ControlClient, path: String, filters: [QueryItem], name: String) {
        self.client = client
        self.path = path
        self.filters = filters
        self.name = name
    }

    /// The items of the next page; `nil` after the last one.
    mutating func next() async throws(ClientError) -> [JSONValue]? {
        guard !isAtEnd else { return nil }
        var query = filters + [QueryItem("limit", String(ListPages.pageSize))]
        if let cursor { query.append(QueryItem("cursor", cursor)) }
        let page = try await client.json("GET", QueryItem.target(path, query))
        let items = try client.items(of: page, called: name)
        cursor = page["nextCursor"]?.string
        isAtEnd = cursor == nil
        return items
    }
}

extension ControlClient {
    /// The items of an answer that is a list.
    ///
    /// - Throws: ``ClientError/Code/notMynah`` when it has no member `items`.
    func items(of list: JSONValue, called name: String) throws(ClientError) -> [JSONValue] {
        guard let items = list["items"]?.array else {
            throw ClientError(.notMynah, "the list of \(name) at \(url) has no items")
        }
        return items
    }
}
