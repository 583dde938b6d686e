package import APNsRules

/// The pushes that a test expects to have arrived (`Documents#Expectations`).
package struct Expectation: Sendable, Equatable {
    package enum Subject: Sendable, Equatable {
        case matching(Filter, ExpectedCount)
        /// A push for each filter, in this order of sequence numbers, with others between them.
        case inOrder([Filter])
    }

    /// The longest `within` and `settle`.
    package static let waitMax: Duration = .seconds(3600)
    package static let withinDefault: Duration = .seconds(5)
    package static let stepsMax = 1000
    package static let itemsMax = 100

    package let subject: Subject
    /// Pushes that meet one of these don't count for ``Subject/matching(_:_:)``.
    package let otherThan: [Filter]
    /// Wall time in which ``ExpectedCount/least`` pushes must have arrived.
    package let within: Duration
    /// Wall time after that in which no more than ``ExpectedCount/most`` may have arrived.
    package let settle: Duration
    /// Only pushes after this number count.
    package let after: UInt64
    package let scope: String?

    package init(
        _ subject: Subject, otherThan: [Filter] = [], within: Duration = Expectation.withinDefault,
        settle: Duration = .zero, after: UInt64 = 0, scope: String? = nil
    ) {
        self.subject = subject
        self.otherThan = otherThan
        self.scope = scope
        self.after = after
        self.within = within
        self.settle = settle
    }

    private var filters: [Filter] {
        switch subject {
        case .matching(let filter, _): [filter]
        case .inOrder(let filters): filters
        }
    }

    /// The only scope whose pushes can match: the expectation's own, or the one that its filters name.
    package var onlyScope: String? {
        if let scope { return scope }
        let scopes = Set(filters.map(\.onlyScope))
        return scopes.count == 1 ? scopes.first ?? nil : nil
    }

    /// The devices that the expectation asks for by their whole ids.
    package var namedDevices: [String] {
        var ids: [String] = []
        for condition in filters.flatMap(\.conditions) where condition.field == .key(.device) {
            for case .equal(.string(let id)) in condition.matcher.alternatives where !ids.contains(id) {
                ids.append(id)
            }
        }
        return ids
    }

    // More filters than this are not worth applying to every push.
    private static let mayCountFiltersMax = 16

    /// Whether a push may count, so that others need not be judged; always true if `inOrder` has many filters.
    package var mayCount: (PushView) -> Bool {
        let filters = Set(filters)
        guard filters.count <= Expectation.mayCountFiltersMax else { return { _ in true } }
        let judged = filters.map { $0.and(scopeFilter) }
        return { view in judged.contains { $0.matches(view) } }
    }

    /// A filter that every push that counts passes.
    package var commonFilter: Filter {
        switch subject {
        case .matching(let filter, _): filter.and(scopeFilter)
        case .inOrder: Filter(scope: onlyScope)
        }
    }

    var scopeFilter: Filter { Filter(scope: scope) }
}

extension Expectation {
    package static let schema: Schema = [
        Member("match", .any(schema: "Match"), summary: "Which pushes count; without it all."),
        Member(
            "otherThan", .array(of: .any(schema: "Match"), 1...stepsMax),
            summary: "Counts only pushes that none of these matches: with max 0, nothing else may come."),
        Member(
            "inOrder", .array(of: .any(schema: "Match"), 1...stepsMax),
            summary: "One push for each of these, in this order, possibly with others in between; instead of match "
                + "and count."),
        Member(
            "count", .object(ExpectedCount.schema),
            summary: "min and max, or exactly. With max alone, min is 0: max 0 with a settle expects no push."),
        Member(
            "within", .duration(.zero...waitMax), summary: "How long the pushes may take to arrive.", default: "5s"),
        Member(
            "settle", .duration(.zero...waitMax), summary: "How long to wait after that for too many pushes.",
            default: "0s"),
        Member("after", .integer(0...Int64.max), summary: "Counts only pushes after this sequence number.", default: 0),
        Member(
            "scope", ScopeName.form, summary: "Counts only pushes to devices of this scope.", mayBeNull: false),
    ]
    package static let document = RequestDocument(
        "Expectation", schema,
        example: [
            "match": ["topic": "com.example.app", "payload": ["/aps/alert": ["prefix": "hi"]]], "count": ["exactly": 1],
            "within": "5s",
        ])

    package init(json: JSONValue) throws(InputError) {
        let reader = try ObjectReader(json, Expectation.schema)
        let count = try reader.map("count", ExpectedCount.init)
        guard !reader.has("inOrder") else {
            if reader.has("match") { throw reader.error("inOrder", "either match or inOrder may be given, not both") }
            if count != nil {
                throw reader.error("count", "count belongs to match; inOrder has one push for each filter")
            }
            if reader.has("otherThan") {
                throw reader.error("otherThan", "otherThan belongs to match; inOrder lets others come in between")
            }
            let steps = try Expectation.filters("inOrder", reader)
            for step in steps { try Expectation.check(step, within: reader) }
            self.init(.inOrder(steps), [], reader)
            return
        }
        let others = try reader.has("otherThan") ? Expectation.filters("otherThan", reader) : []
        let filter = try reader.has("match") ? Expectation.filter(json["match"] ?? .null, at: "/match") : Filter()
        try Expectation.check(filter, within: reader)
        if let index = others.firstIndex(where: { $0.isEmpty || $0 == filter }) {
            throw InputError(
                at: reader.place("otherThan", index),
                "otherThan leaves out every push that match selects, so nothing can count: expected narrower filters")
        }
        self.init(.matching(filter, count ?? ExpectedCount()), others, reader)
    }

    private init(_ subject: Subject, _ otherThan: [Filter], _ reader: ObjectReader) {
        self.init(
            subject, otherThan: otherThan, within: reader.duration("within") ?? Expectation.withinDefault,
            settle: reader.duration("settle") ?? .zero, after: reader.integer("after") ?? 0,
            scope: reader.text("scope"))
    }

    /// The members of a `match`.
    package static let matchSchema =
        Filter.schema + [
            Member(
                "q", .anyText, summary: "In an expectation: all of this must hold as well.", mayBeNull: false,
                examples: ["-status:200 \"hi there\" payload:/aps/category:NEWS"])
        ]

    /// Reads a `match`, which may have a line of the query language (`q`) beside its fields.
    private static func filter(_ json: JSONValue, at place: String) throws(InputError) -> Filter {
        let filter = try Filter(json: json, at: place, besides: ["q"])
        guard let line = json["q"] else { return filter }
        try Form.anyText.check(line, at: place + "/q")
        // A variable that is not set must not mean every push.
        guard line.string?.contains(where: { !$0.isWhitespace }) == true else {
            throw InputError(at: place + "/q", "q is empty: expected a line of the query language, or no q")
        }
        do throws(InputError) {
            let both = filter.and(try Filter(line: line.string ?? ""))
            try both.checkPossible(at: "q")
            return both
        } catch {
            throw error.at(place + "/q")
        }
    }

    /// Refuses a device token of a length that no token on a server has; `byteCounts` are the lengths that it takes.
    package func checkTokens(_ byteCounts: ClosedRange<Int>) throws(InputError) {
        func check(_ filters: [Filter], _ name: String) throws(InputError) {
            for (index, filter) in filters.enumerated() {
                try filter.checkTokens(byteCounts, at: "/\(name)/\(index)/token")
            }
        }
        switch subject {
        case .matching(let filter, _): try filter.checkTokens(byteCounts, at: "/match/token")
        case .inOrder(let filters): try check(filters, "inOrder")
        }
        try check(otherThan, "otherThan")
    }

    /// Refuses a filter that no push of the expectation's scope can meet.
    private static func check(_ filter: Filter, within reader: ObjectReader) throws(InputError) {
        guard let scope = reader.text("scope") else { return }
        try Filter(scope: scope).and(filter).checkPossible(at: reader.place("scope"))
    }

    private static func filters(_ name: String, _ reader: ObjectReader) throws(InputError) -> [Filter] {
        var filters: [Filter] = []
        var budget = PatternBudget(PatternBudget.expectationBytesMax)
        for (element, place) in reader.elements(name) {
            let filter = try filter(element, at: place)
            try budget.spend(filter.patternByteCount, at: place)
            filters.append(filter)
        }
        guard !filters.isEmpty else {
            throw reader.error(name, "\(name) is empty: expected 1 to \(stepsMax) filters")
        }
        return filters
    }
}

/// The number of pushes that an expectation wants.
public struct ExpectedCount: Hashable, Sendable {
    /// The fewest.
    public let least: Int
    /// The most; `nil` for no limit.
    public let most: Int?

    package init(least: Int = 1, most: Int? = nil) {
        self.least = least
        self.most = most
    }

    fileprivate static let schema: Schema = [
        Member("min", .integer(0...Int.max), summary: "The smallest number of pushes.", default: 1),
        Member(
            "max", .integer(0...Int.max), summary: "The largest number of pushes; without it there is no limit."),
        Member(
            "exactly", .integer(0...Int.max), summary: "The exact number of pushes, in place of the other two."),
    ]

    /// Reads `{"min", "max"}` or `{"exactly"}`; with `max` alone the fewest is 0.
    fileprivate init(json: JSONValue, at pointer: String) throws(InputError) {
        let reader = try ObjectReader(json, at: pointer, ExpectedCount.schema)
        let min = reader.integer("min", Int.self)
        let max = reader.integer("max", Int.self)
        if let exactly = reader.integer("exactly", Int.self) {
            guard min == nil, max == nil else {
                throw InputError(at: pointer, "exactly stands alone, without min and max")
            }
            self.init(least: exactly, most: exactly)
            return
        }
        self.init(least: min ?? (max == nil ? 1 : 0), most: max)
        if let most, most < least { throw reader.error("max", "max \(most) is below min \(least)") }
    }
}
