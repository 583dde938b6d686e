internal import MynahCore

/// The parameters of `GET /v1/notifications`.
struct NotificationQuery: Sendable {
    let filter: Filter
    let window: ListWindow
    /// Only entries after this number.
    let after: UInt64

    init(_ query: consuming QueryString) throws {
        window = try ListWindow(taking: &query)
        after = UInt64(try query.takeInteger("after", in: 0...Int64.max) ?? 0)
        filter = try Filter(parameters: query.pairs, besides: query.declared)
    }
}
