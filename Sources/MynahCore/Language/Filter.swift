internal import APNsRules

/// Which pushes somebody means: every condition must hold.
///
/// One language for lists, deletion, events, faults and expectations (`ControlAPI`); three readers make
/// it: ``init(parameters:besides:)``, ``init(line:)`` and ``init(json:at:)``. Contradictory conditions are no error,
/// they match nothing.
package struct Filter: Sendable, Hashable {
    /// One condition.
    package struct Condition: Sendable, Hashable {
        /// What it looks at.
        package let field: FilterField
        /// What that must be.
        package let matcher: Matcher

        /// A condition.
        package init(_ field: FilterField, _ matcher: Matcher) {
            self.field = field
            self.matcher = matcher
        }
    }

    /// The conditions, cheapest first.
    package let conditions: [Condition]

    /// All of these conditions; none matches every push.
    package init(_ conditions: [Condition] = []) {
        self.conditions = conditions.sorted { $0.field.cost < $1.field.cost }
    }

    /// Both this filter's conditions and the other's.
    package func and(_ other: Filter) -> Filter { Filter(conditions + other.conditions) }

    /// The one scope whose pushes can match; `nil` where none or several can.
    var onlyScope: String? {
        for condition in conditions where condition.field == .key(.scope) {
            if case .equal(.string(let scope)) = condition.matcher { return scope }
        }
        return nil
    }

    /// The size in memory of the regular expressions in it.
    var patternByteCount: Int { conditions.reduce(0) { $0 + $1.matcher.patternByteCount } }

    /// Whether there is no condition.
    package var isEmpty: Bool { conditions.isEmpty }

    /// Whether the push meets every condition; the payload is parsed once, and only when nothing else decides.
    package func matches(_ view: PushView) -> Bool {
        var reading = PushReading(view)
        return conditions.allSatisfy { $0.matcher.matches(anyOf: reading.values(of: $0.field)) }
    }

    /// Whether something other than a push, with these values of fields, meets every condition.
    func matches(_ values: (FilterField) -> [JSONValue]) -> Bool {
        conditions.allSatisfy { $0.matcher.matches(anyOf: values($0.field)) }
    }

    /// The conditions that the push does not meet, with what it has instead.
    func unmet(_ view: PushView) -> [(condition: Condition, actual: JSONValue?)] {
        var reading = PushReading(view)
        var unmet: [(condition: Condition, actual: JSONValue?)] = []
        for condition in conditions where !condition.matcher.matches(anyOf: reading.values(of: condition.field)) {
            unmet.append((condition, reading.actual(of: condition.field)))
        }
        return unmet
    }
}

/// One push while conditions are put to it: what was worked out for one is there for the next.
struct PushReading {
    let view: PushView
    private var parsed: JSONValue??
    private var shown: JSONValue??
    private var text: String?

    init(_ view: PushView) {
        self.view = view
    }

    private mutating func payload() -> JSONValue? {
        if let parsed { return parsed }
        let payload = view.payload
        parsed = .some(payload)
        return payload
    }

    private mutating func screen() -> JSONValue? {
        if let shown { return shown }
        let screen = view.screen(payload: payload())
        shown = .some(screen)
        return screen
    }

    private mutating func searchText() -> String {
        if let text { return text }
        let text = payload()?.searchText ?? String(decoding: view.entry.body, as: UTF8.self).lowercased()
        self.text = text
        return text
    }

    /// The values of a field in the form in which matchers expect them; none when it is not there.
    mutating func values(of field: FilterField) -> [JSONValue] {
        switch field {
        case .key(let key): value(of: key).map { $0 == .null ? [] : [$0] } ?? []
        case .payload(let pointer): payload().flatMap { pointer.value(in: $0) }.map { [$0] } ?? []
        case .payloadIncludes: payload().map { [$0] } ?? []
        case .screen(let pointer): screen().flatMap { pointer.value(in: $0) }.map { $0 == .null ? [] : [$0] } ?? []
        case .header(let name): view.headers.filter { $0.name == name }.map { .string($0.value) }
        }
    }

    /// What is in a field, for people: the payload itself where its words were searched, all values of a header that
    /// came several times.
    mutating func actual(of field: FilterField) -> JSONValue? {
        if field == .key(.text) { return payload() ?? .string(searchText()) }
        let values = values(of: field)
        return values.count > 1 ? .array(values) : values.first
    }

    private mutating func value(of key: FilterKey) -> JSONValue? {
        let entry = view.entry
        return switch key {
        case .token: .text(entry.token?.hex)
        case .device: .text(view.device)
        case .scope: .text(view.scope)
        case .topic: .text(view.topic)
        case .team: .text(view.identity?.team)
        case .keyId: .text(view.identity?.keyID)
        case .apnsId: .string(entry.notificationID.text.lowercased())
        case .collapseId: .text(view.collapseID)
        case .pushType: .string(view.pushType(payload: view.givenPushType == nil ? payload() : nil))
        case .priority: .whole(view.priority?.rawValue)
        case .environment: .string(entry.environment.rawValue)
        case .connection: .whole(entry.connection)
        case .status: .whole(entry.status)
        case .reason: .text(entry.reasonText)
        case .outcome: .string(entry.outcome.rawValue)
        case .shown: .bool(entry.outcome == .delivered && view.isShown(payload: payload()))
        case .fault: .text(view.fault)
        case .since, .until: .whole(entry.receivedAt.milliseconds)
        case .text: .string(searchText())
        }
    }
}
