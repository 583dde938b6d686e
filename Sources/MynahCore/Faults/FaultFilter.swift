import APNsRules

/// Which fault rules a list holds or a removal takes: each condition must hold, by any of its values.
package struct FaultFilter: Sendable, Equatable {
    /// What a rule is asked for.
    package enum Key: String, CaseIterable, Sendable {
        /// Its id.
        case fault
        /// Its name.
        case name
        /// Its scope; empty for none.
        case scope
        /// `true` or `false`.
        case enabled
        /// Of its match.
        case event
        /// The type of its action, or of one of its actions.
        case action
    }

    private struct Condition: Sendable, Equatable {
        let key: Key
        let isNegated: Bool
        var values: [String]
    }

    private var conditions: [Condition] = []

    /// All rules.
    package init() {}

    /// Reads the filters of a URL, percent-decoded; a name again is *any of*, different names are *all of*, a name
    /// behind an exclamation mark is *not*.
    ///
    /// - Parameter besides: What the call knows besides filters, for the error that lists them.
    /// - Throws: ``QueryError`` whose field is the parameter's name, also for one that no rule could ever meet.
    package init(parameters: [(name: String, value: String)], besides: [String] = []) throws(QueryError) {
        for (name, value) in parameters {
            let isNegated = name.hasPrefix("!")
            let word = isNegated ? String(name.dropFirst()) : name
            guard let key = Key(rawValue: word) else {
                throw .unknown("parameter", word, at: name, among: Key.allCases.map(\.rawValue) + besides)
            }
            try FaultFilter.check(value, of: key, at: name)
            if let index = conditions.firstIndex(where: { $0.key == key && $0.isNegated == isNegated }) {
                conditions[index].values.append(value)
            } else {
                conditions.append(Condition(key: key, isNegated: isNegated, values: [value]))
            }
        }
    }

    /// Whether the filter holds for a rule.
    package func holds(_ rule: FaultRule) -> Bool {
        conditions.allSatisfy { condition in
            let own = FaultFilter.values(of: rule, condition.key)
            return own.contains { condition.values.contains($0) } != condition.isNegated
        }
    }

    private static func values(of rule: FaultRule, _ key: Key) -> [String] {
        switch key {
        case .fault: [rule.id]
        case .name: [rule.name ?? ""]
        case .scope: [rule.scope ?? ""]
        case .enabled: [rule.isEnabled ? "true" : "false"]
        case .event: [rule.match.event.rawValue]
        case .action: rule.schedule.actions.map(\.type.rawValue)
        }
    }

    private static func check(_ value: String, of key: Key, at name: String) throws(QueryError) {
        switch key {
        case .fault, .name: return
        case .scope:
            if !value.isEmpty { try ScopeName.check(value, at: name) }
        case .enabled: try check(value, at: name, among: ["true", "false"])
        case .event: try check(value, at: name, among: FaultEvent.allCases.map(\.rawValue))
        case .action: try check(value, at: name, among: FaultActionType.allCases.map(\.rawValue))
        }
    }

    private static func check(_ value: String, at name: String, among known: [String]) throws(QueryError) {
        guard !known.contains(value) else { return }
        throw .unknown(name.hasPrefix("!") ? String(name.dropFirst()) : name, value, at: name, among: known)
    }
}
