internal import MynahCore

/// What `GET /v1/events` is asked for.
struct EventQuery: Sendable {
    /// The parameters beside the filters.
    static let parameters = ["event", "!event", "after"]

    /// The kinds of events that can be asked for; a gap is told to everybody.
    static let kinds = Event.Kind.allCases.filter { $0 != .gap }

    let filter: Filter
    /// The kinds that are wanted.
    let kinds: Set<Event.Kind>
    /// Only what comes behind this number; `nil`: from now on.
    let after: UInt64?

    /// Reads the parameters; `lastEventID` is the field `Last-Event-ID`.
    ///
    /// That field counts before `after`: a browser that comes again sends the same URL and says so what it has.
    /// - Throws: ``Problem`` for one that is unknown or wrong.
    init(_ query: consuming QueryString, lastEventID: String?) throws(Problem) {
        let given = try query.takeInteger("after", in: 0...Int64.max).map { UInt64($0) }
        let wanted = try EventQuery.takeKinds("event", &query)
        let unwanted = try EventQuery.takeKinds("!event", &query)
        kinds = (wanted.isEmpty ? Set(EventQuery.kinds) : wanted).subtracting(unwanted)
        filter = try FilterReading.filter(query.rest, otherParameters: EventQuery.parameters)
        after = try lastEventID.map { text throws(Problem) in try ServerSentEvent.number(text) } ?? given
    }

    private static func takeKinds(_ name: String, _ query: inout QueryString) throws(Problem) -> Set<Event.Kind> {
        var kinds: Set<Event.Kind> = []
        for value in query.takeAll(name) {
            guard let kind = Event.Kind(rawValue: value), EventQuery.kinds.contains(kind) else {
                let allowed = EventQuery.kinds.map(\.rawValue)
                throw Problem(
                    .invalidParameter,
                    value == Event.Kind.gap.rawValue
                        ? "gap can't be chosen: every reader is told what is missing"
                        : "\(value) is no kind of event" + NearestName.suggestion(for: value, among: allowed),
                    field: name, allowed: allowed)
            }
            kinds.insert(kind)
        }
        return kinds
    }
}
