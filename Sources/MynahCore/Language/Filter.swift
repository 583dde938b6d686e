internal import APNsRules

/// A selection of pushes: every condition must hold.
///
/// One language for lists, deletion, events, faults and expectations (`ControlAPI`).
package struct Filter: Sendable, Hashable {
    package struct Condition: Sendable, Hashable {
        package let field: FilterField
        package let matcher: Matcher
        package init(_ field: FilterField, _ matcher: Matcher) {
            self.field = field
            self.matcher = matcher
        }
    }

    /// Cheapest first; without any, every push matches.
    package let conditions: [Condition]

    package init(_ conditions: [Condition] = []) {
        self.conditions = conditions.sorted { $0.field.cost < $1.field.cost }
    }

    /// The pushes to devices of a scope; `nil` for all pushes.
    package init(scope: String?) { self.init(scope.map { [Condition(.key(.scope), .equal(.string($0)))] } ?? []) }

    package func and(_ other: Filter) -> Filter { Filter(conditions + other.conditions) }
    /// The one scope whose pushes can match; `nil` if there are none or several.
    var onlyScope: String? {
        for case .equal(.string(let scope)) in conditions.filter({ $0.field == .key(.scope) }).map(\.matcher) {
            return scope
        }
        return nil
    }

    /// Refuses a filter whose bounds exclude every time.
    func checkTimes(at place: String) throws(InputError) {
        func bounds(_ key: FilterKey) -> [Int64] {
            conditions.filter { $0.field == .key(key) }.compactMap { condition in
                switch condition.matcher {
                case .atLeast(let time), .atMost(let time): time.integer
                default: nil
                }
            }
        }
        guard let since = bounds(.since).max(), let until = bounds(.until).min(), until < since else { return }
        throw InputError(
            at: place,
            "until is before since, so nothing can match: expected a time from "
                + "\(Instant(milliseconds: since).rfc3339) on")
    }

    var patternByteCount: Int { conditions.reduce(0) { $0 + $1.matcher.patternByteCount } }
    package var isEmpty: Bool { conditions.isEmpty }

    /// Whether the filter can be decided only by what a push did to its device's screen.
    var asksForScreens: Bool {
        conditions.contains { condition in
            switch condition.field {
            case .place(.screen, _): true
            case .key(let key): key.known == .onDevice
            default: false
            }
        }
    }

    /// Whether the values of fields meet every condition.
    func matches(_ values: (FilterField) -> [JSONValue]) -> Bool {
        conditions.allSatisfy { $0.matcher.matches(anyOf: values($0.field)) }
    }
}
