internal import MynahCore

/// What `GET /v1/faults` is asked for.
struct FaultQuery: Sendable {
    /// The parameters beside the filters.
    private static let parameters = ["limit", "cursor"]

    let filter: FaultFilter
    let limit: Int
    /// Only rules that are asked after this one.
    let after: String?

    init(_ query: consuming QueryString) throws(Problem) {
        limit = Int(try query.takeInteger("limit", in: 1...ListPage.limitMax) ?? ListPage.limitDefault)
        after = try query.takeCursor(IDCursor.init(_:))?.id
        filter = try FaultQuery.filter(query.rest, besides: FaultQuery.parameters)
    }

    /// The filter of what is left of a URL's parameters.
    ///
    /// - Throws: ``Problem`` for what is no filter, so that one that is misspelt never widens a DELETE.
    static func filter(
        _ parameters: [QueryString.Parameter], besides: [String] = []
    ) throws(Problem) -> FaultFilter {
        do {
            return try FaultFilter(parameters: parameters.map { ($0.name, $0.value) }, besides: besides)
        } catch {
            throw Problem(error)
        }
    }
}
