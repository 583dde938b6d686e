internal import MynahCore

/// What `GET /v1/devices` is asked for.
struct DeviceQuery: Sendable {
    /// The parameters beside the filters.
    static let parameters = ["limit", "cursor", "after"]

    let filter: DeviceFilter
    let limit: Int
    /// Only devices whose id comes after this one.
    let after: String?

    init(_ query: consuming QueryString) throws(Problem) {
        limit = Int(try query.takeInteger("limit", in: 1...ListPage.limitMax) ?? ListPage.limitDefault)
        let after = try query.take("after")
        let cursor = try query.takeCursor(IDCursor.init(_:))
        self.after = [after, cursor?.id].compactMap(\.self).max()
        filter = try DeviceQuery.filter(query.rest, besides: DeviceQuery.parameters)
    }

    /// The filter of what is left of a URL's parameters.
    ///
    /// - Throws: ``Problem`` for what is no filter, so that one that is misspelt never widens a DELETE.
    static func filter(
        _ parameters: [QueryString.Parameter], besides: [String] = []
    ) throws(Problem) -> DeviceFilter {
        do {
            return try DeviceFilter(parameters: parameters.map { ($0.name, $0.value) }, besides: besides)
        } catch {
            throw Problem(error)
        }
    }
}
