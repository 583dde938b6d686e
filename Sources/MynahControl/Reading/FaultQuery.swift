internal import MynahCore

/// The parameters of `GET /v1/faults`.
struct FaultQuery: Sendable {
    let filter: FaultFilter
    let limit: Int
    /// Only rules that are tried after this one.
    let after: String?

    init(_ query: consuming QueryString) throws {
        limit = try query.takeLimit()
        after = try query.takeCursor(IDCursor.init(_:))?.id
        filter = try FaultFilter(parameters: query.pairs, besides: query.declared)
    }
}
