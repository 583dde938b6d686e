internal import APNsRules
internal import MynahCore

/// What `GET /v1/devices/{id}/inbox` is asked for.
struct InboxQuery: Sendable {
    /// The parameters beside the filters of the journal.
    static let parameters = ["limit", "order", "after", "cursor", "wait", "count", "kind"]

    let filter: Filter
    /// Kinds, any of which an item must be; `nil`: any at all.
    let kinds: Set<InboxKind>?
    /// Where the page begins, by the number of the arrival, and what to wait for.
    let window: ListWindow
    /// Only what arrived behind the push with this number; 0: everything.
    let after: UInt64

    init(_ query: consuming QueryString) throws(Problem) {
        window = try ListWindow(taking: &query)
        after = UInt64(try query.takeInteger("after", in: 0...Int64.max) ?? 0)
        kinds = try InboxQuery.kinds(query.rest)
        filter = try FilterReading.filter(
            query.rest.filter { $0.name != "kind" }, otherParameters: InboxQuery.parameters)
    }

    private static func kinds(_ parameters: [QueryString.Parameter]) throws(Problem) -> Set<InboxKind>? {
        let given = parameters.filter { $0.name == "kind" }
        guard !given.isEmpty else { return nil }
        do throws(InputError) {
            for parameter in given { try Form.choice(InboxKind.self).check(.string(parameter.value), at: "kind") }
        } catch {
            throw Problem(error)
        }
        return Set(given.compactMap { InboxKind(rawValue: $0.value) })
    }

    /// Whether items are chosen by what they say, which one that is gone from the journal cannot tell.
    var hasFilter: Bool { kinds != nil || !filter.isEmpty }
}
