internal import MynahCore

/// The parameters of `GET /v1/events`.
struct EventQuery: Sendable {
    /// The kinds of events that can be chosen; gaps are always sent.
    static let kinds = Event.Kind.allCases.filter { $0 != .gap }

    let filter: Filter
    let kinds: Set<Event.Kind>
    /// Only events after this number; `nil` for new events only.
    let after: UInt64?

    /// Reads the parameters; `lastEventID` is the field `Last-Event-ID`.
    ///
    /// The field takes precedence over `after`, because a browser reconnects with the same URL.
    init(_ query: consuming QueryString, lastEventID: String?) throws {
        let given = try query.takeAfter()
        let wanted = try EventQuery.takeKinds("event", &query)
        let unwanted = try EventQuery.takeKinds("!event", &query)
        kinds = (wanted.isEmpty ? Set(EventQuery.kinds) : wanted).subtracting(unwanted)
        filter = try Filter(parameters: query.pairs, besides: query.declared + ["!event"])
        after = try lastEventID.map { text throws(Problem) in try ServerSentEvent.number(text) } ?? given
    }

    private static func takeKinds(_ name: String, _ query: inout QueryString) throws -> Set<Event.Kind> {
        var chosen: Set<Event.Kind> = []
        for value in query.takeAll(name) {
            let allowed = kinds.map(\.rawValue)
            guard value != Event.Kind.gap.rawValue else {
                throw Problem.parameter(name, "gap can't be chosen: gaps are sent to every reader", allowed: allowed)
            }
            guard let kind = Event.Kind(rawValue: value) else {
                throw InputError.unlisted(value, at: name, among: allowed)
            }
            chosen.insert(kind)
        }
        return chosen
    }
}
