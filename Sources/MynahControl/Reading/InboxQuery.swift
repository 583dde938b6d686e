internal import APNsRules
internal import MynahCore

/// The parameters of `GET /v1/devices/{id}/inbox`.
struct InboxQuery: Sendable {
    let filter: Filter
    /// The kinds of arrivals; `nil` for all.
    let kinds: Set<InboxKind>?
    /// The page, by the number of the arrival, and what to wait for.
    let window: ListWindow
    /// Only what arrived after the push with this number; 0 for everything.
    let after: UInt64

    init(_ query: consuming QueryString) throws {
        window = try ListWindow(taking: &query)
        after = UInt64(try query.takeInteger("after", in: 0...Int64.max) ?? 0)
        let kinds = query.takeAll("kind")
        for kind in kinds { try Form.choice(InboxKind.self).check(.string(kind), at: "kind") }
        self.kinds = kinds.isEmpty ? nil : Set(kinds.compactMap { InboxKind(rawValue: $0) })
        filter = try Filter(parameters: query.pairs, besides: query.declared)
    }

    /// Whether items are chosen by their content, which is unknown for a push that is no longer in the journal.
    var hasFilter: Bool { kinds != nil || !filter.isEmpty }
}
