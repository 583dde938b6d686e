internal import APNsRules

/// A selection of pushes: every condition must hold.
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

    /// Whether something with these values of fields meets every condition.
    func matches(_ values: (FilterField) -> [JSONValue]) -> Bool {
        conditions.allSatisfy { $0.matcher.matches(anyOf: values($0.field)) }
    }
}
