package import APNsRules

/// The pushes that a test expects to have arrived (`Documents#Expectations`).
package struct Expectation: Sendable, Equatable {
    package enum Subject: Sendable, Equatable {
        case matching(Filter, Count)
        /// A push for each filter, in this order of sequence numbers, with others between them.
        case inOrder([Filter])
    }

    package struct Count: Sendable, Equatable {
        package let min: Int
        /// `nil` for no limit.
        package let max: Int?

        package init(min: Int = 1, max: Int? = nil) {
            self.min = min
            self.max = max
        }
    }

    /// The longest `within` and `settle`.
    package static let waitMax: Duration = .seconds(3600)
    package static let withinDefault: Duration = .seconds(5)
    /// The most filters of `inOrder`.
    package static let stepsMax = 1000
    /// The most pushes in an answer.
    package static let itemsMax = 100

    package let subject: Subject
    /// Wall time in which ``Count/min`` pushes must have arrived.
    package let within: Duration
    /// Wall time after that in which no more than ``Count/max`` may have arrived.
    package let settle: Duration
    /// Only pushes after this number count.
    package let after: UInt64
    /// Only pushes of this scope count.
    package let scope: String?

    package init(
        _ subject: Subject, within: Duration = Expectation.withinDefault, settle: Duration = .zero,
        after: UInt64 = 0, scope: String? = nil
    ) {
        self.subject = subject
        self.within = within
        self.settle = settle
        self.after = after
        self.scope = scope
    }

    /// The only scope whose pushes can match: the expectation's own, or the one that its filters name.
    package var onlyScope: String? {
        if let scope { return scope }
        let filters: [Filter] =
            switch subject {
            case .matching(let filter, _): [filter]
            case .inOrder(let filters): filters
            }
        let scopes = Set(filters.map(\.onlyScope))
        return scopes.count == 1 ? scopes.first ?? nil : nil
    }

    // More filters than this are not worth applying to every push.
    private static let mayCountFiltersMax = 16

    /// Whether a push may count; judging only those that may gives the same verdict.
    ///
    /// Always true if `inOrder` has many filters.
    package var mayCount: (PushView) -> Bool {
        let filters: Set<Filter> =
            switch subject {
            case .matching(let filter, _): [filter]
            case .inOrder(let filters): Set(filters)
            }
        guard filters.count <= Expectation.mayCountFiltersMax else { return { _ in true } }
        let judged = filters.map { $0.and(scopeFilter) }
        return { view in judged.contains { $0.matches(view) } }
    }

    /// A filter that every push that counts passes.
    package var commonFilter: Filter {
        switch subject {
        case .matching(let filter, _): filter.and(scopeFilter)
        case .inOrder: Expectation.filter(ofScope: onlyScope)
        }
    }

    var scopeFilter: Filter { Expectation.filter(ofScope: scope) }

    private static func filter(ofScope scope: String?) -> Filter {
        Filter(scope.map { [Filter.Condition(.key(.scope), .equal(.string($0)))] } ?? [])
    }
}

extension Expectation {
    package static let memberNames = ["match", "inOrder", "count", "within", "settle", "after", "scope"]

    /// Reads an expectation.
    ///
    /// - Throws: ``QueryError`` whose field is a JSON pointer.
    package init(json: JSONValue) throws(QueryError) {
        guard let members = json.object else {
            throw QueryError("", "\(json.kind) was given: expected an object")
        }
        guard !reader.has("inOrder") else {
            if reader.has("match") { throw reader.error("inOrder", "either match or inOrder may be given, not both") }
            if count != nil {
                throw reader.error("count", "count belongs to match; inOrder has one push for each filter")
            }
            self.subject = .inOrder(try Expectation.steps(steps))
        case (nil, nil): self.subject = .matching(Filter(), count ?? Count())
        default: throw QueryError("/inOrder", "either match or inOrder may be given, not both")
        }
        self.within = try Expectation.duration(json["within"], at: "/within") ?? Expectation.withinDefault
        self.settle = try Expectation.duration(json["settle"], at: "/settle") ?? .zero
        switch json["after"] {
        case nil, .null: self.after = 0
        case let value?:
            guard let number = value.integer, number >= 0 else {
                throw QueryError(
                    "/after", "invalid sequence number \(value.encodedText): expected a whole number from 0")
            }
            self.after = UInt64(number)
        }
        switch json["scope"] {
        case nil, .null: self.scope = nil
        case .string(let scope):
            try ScopeName.check(scope, at: "/scope")
            self.scope = scope
        case let value?: throw QueryError("/scope", "\(value.kind) was given: expected a string")
        }
        let filter = try reader.has("match") ? Expectation.filter(json["match"] ?? .null, at: "/match") : Filter()
        self.init(.matching(filter, count ?? Count()), reader)
    }

    /// Reads a `match`, which may have a line of the query language besides its fields.
    private static func filter(_ json: JSONValue, at place: String) throws(QueryError) -> Filter {
        let filter = try Filter(json: json, at: place, besides: ["q"])
        guard let line = json["q"] else { return filter }
        let place = place + "/q"
        guard let text = line.string else {
            throw QueryError(place, "\(line.kind) was given: expected a line of the query language")
        }
        do throws(QueryError) {
            return filter.and(try Filter(line: text))
        } catch {
            throw InputError(error.kind, at: place + "/q", error.problem, allowed: error.allowed)
        }
    }

    private static func steps(_ json: JSONValue) throws(QueryError) -> [Filter] {
        guard let elements = json.array, !elements.isEmpty, elements.count <= stepsMax else {
            throw QueryError("/inOrder", "expected an array of 1 to \(stepsMax) filters")
        }
        var filters: [Filter] = []
        var budget = PatternBudget(PatternBudget.expectationBytesMax)
        for (element, place) in reader.elements("inOrder") {
            let filter = try filter(element, at: place)
            try budget.take(filter.patternByteCount, at: place)
            filters.append(filter)
        }
        guard !filters.isEmpty else {
            throw reader.error("inOrder", "inOrder is empty: expected 1 to \(stepsMax) filters")
        }
        return filters
    }

    private static func duration(_ json: JSONValue?, at place: String) throws(QueryError) -> Duration? {
        guard let json, json != .null else { return nil }
        guard let duration = json.string.flatMap({ DurationText.parse($0) }) else {
            throw QueryError(
                place, "invalid duration \(json.encodedText): expected a string with a unit",
                allowed: DurationText.examples)
        }
        guard duration <= waitMax else {
            throw QueryError(place, "\(json.encodedText) is longer than \(DurationText.text(waitMax))")
        }
        return duration
    }
}

extension Expectation.Count {
    /// Reads `{"min", "max"}` or `{"exactly"}`; `min` is 0 if `max` is given alone.
    init(json: JSONValue) throws(QueryError) {
        guard let members = json.object else {
            throw QueryError(
                "/count", "\(json.kind) was given: expected an object", allowed: ["min", "max", "exactly"])
        }
        var values: [String: Int] = [:]
        for member in members {
            let place = "/count" + JSONPointer(steps: [member.name]).description
            guard ["min", "max", "exactly"].contains(member.name) else {
                throw .unknown("member", member.name, at: place, among: ["min", "max", "exactly"])
            }
            guard member.value != .null else { continue }
            guard let value = member.value.integer, value >= 0, let count = Int(exactly: value) else {
                throw QueryError(place, "invalid count \(member.value.encodedText): expected a whole number from 0")
            }
            values[member.name] = count
        }
        if let exactly = values["exactly"] {
            guard values.count == 1 else { throw QueryError("/count", "exactly stands alone, without min and max") }
            self.init(min: exactly, max: exactly)
            return
        }
        self.init(min: min ?? (max == nil ? 1 : 0), max: max)
        if let max, max < self.min { throw reader.error("max", "max \(max) is below min \(self.min)") }
    }
}
