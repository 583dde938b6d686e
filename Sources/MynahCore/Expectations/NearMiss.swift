package import APNsRules

/// A push that nearly matched, and how it differs (`Documents#Expectations`).
package struct NearMiss: Sendable {
    package struct Difference: Sendable, Equatable {
        /// The field as a JSON pointer into the push.
        package let field: String
        /// The matcher, in the form of a `match` object.
        package let expected: JSONValue
        /// `null` if the field is absent.
        package let actual: JSONValue

        package var json: JSONValue { .object(Difference.fields.members(of: self)) }

        fileprivate static let fields: Fields<Difference> = [
            Field(
                shown: "field", .anyText,
                "A JSON pointer into the push; below /screen into what was shown of it, below /headers a name."
            ) { .string($0.field) },
            Field(shown: "expected", .any(schema: "Matcher"), "What was expected there.") { $0.expected },
            Field(shown: "actual", .any(), "What the push has there.") { $0.actual },
        ]
    }

    package static let countMax = 3
    /// The most pushes, the newest ones, among which near misses and hints are looked for: about 20 ms, so that a test
    /// that fails needn't wait for its reasons.
    package static let searchedMax = 2000
    /// The most pushes that are searched with a filter on what a user saw or heard, which takes ten times as long to
    /// find out.
    package static let screensSearchedMax = 200

    /// How many pushes are looked at for a filter.
    static func searchedMax(for filter: Filter) -> Int { filter.asksForScreens ? screensSearchedMax : searchedMax }

    package let sequence: UInt64
    package let differences: [Difference]
    let view: PushView

    /// Whether one of the fields, or a part of it, differs.
    func differs(in fields: [String]) -> Bool {
        differences.contains { difference in
            fields.contains { difference.field == $0 || difference.field.hasPrefix($0 + "/") }
        }
    }

    package var json: JSONValue { .object(NearMiss.fields.members(of: self)) }

    static let fields: Fields<NearMiss> = [
        Field(shown: "sequence", .whole, "The push's sequence number.") { .whole($0.sequence) },
        Field(
            shown: "differences", .array(of: .object(Difference.fields.showing)),
            "Every field that differs from what was expected."
        ) { .array($0.differences.map(\.json)) },
        Field(shown: "push", .any(schema: "Notification"), "The push.") { $0.view.json },
    ]

    /// The pushes nearest to a filter that do not match it: fewest differences first, then the newest first.
    package static func nearest(
        to filter: Filter, among views: some Sequence<PushView>
    ) async throws(CancellationError) -> [NearMiss] {
        var pacer = TaskPacer()
        var nearest: [NearMiss] = []
        for view in views {
            let differences = filter.unmet(view).flatMap { NearMiss.differences($0.condition, $0.actual) }
            if !differences.isEmpty {
                nearest.append(NearMiss(sequence: view.entry.sequence, differences: differences, view: view))
                nearest.sort { ($0.differences.count, $1.sequence) < ($1.differences.count, $0.sequence) }
                if nearest.count > countMax { nearest.removeLast() }
            }
            try await pacer.step()
        }
        return nearest
    }

    private static func differences(_ condition: Filter.Condition, _ actual: JSONValue?) -> [Difference] {
        if case .includes(let expected) = condition.matcher, let actual {
            return missing(expected, actual, at: condition.field.pointer)
        }
        let (expected, shown) = readable(condition, actual ?? .null)
        return [Difference(field: condition.field.pointer, expected: expected, actual: shown)]
    }

    // Times are compared as milliseconds but shown as times.
    private static func readable(_ condition: Filter.Condition, _ actual: JSONValue) -> (JSONValue, JSONValue) {
        guard case .key(let key) = condition.field, key.kind == .time else { return (condition.matcher.json, actual) }
        return (condition.matcher.json.replacingTimes, actual.replacingTimes)
    }

    /// The parts of `expected` that `actual` lacks.
    private static func missing(_ expected: JSONValue, _ actual: JSONValue, at pointer: String) -> [Difference] {
        guard !actual.includes(expected) else { return [] }
        guard case .object(let members) = expected, actual.object != nil else {
            return [Difference(field: pointer, expected: expected, actual: actual)]
        }
        return members.flatMap { member in
            let place = JSONPointer.below(pointer, member.name)
            return actual[member.name].map { missing(member.value, $0, at: place) }
                ?? [Difference(field: place, expected: member.value, actual: .null)]
        }
    }
}

extension JSONValue {
    /// This document with every number read as milliseconds since 1970.
    fileprivate var replacingTimes: JSONValue {
        switch self {
        case .number(let number): .string(Instant(milliseconds: number.integer ?? 0).rfc3339)
        case .object(let members): .object(members.map { JSONMember($0.name, $0.value.replacingTimes) })
        case .array(let elements): .array(elements.map(\.replacingTimes))
        default: self
        }
    }
}
