internal import MynahCore

/// What `GET /v1/notifications` is asked for.
struct NotificationQuery: Sendable {
    /// The parameters beside the filters.
    static let parameters = ["limit", "order", "after", "cursor", "wait", "count"]

    let filter: Filter
    let window: ListWindow
    /// Only entries behind this number.
    let after: UInt64

    init(_ query: consuming QueryString) throws(Problem) {
        window = try ListWindow(taking: &query)
        after = UInt64(try query.takeInteger("after", in: 0...Int64.max) ?? 0)
        filter = try FilterReading.filter(query.rest, otherParameters: NotificationQuery.parameters)
    }
}
