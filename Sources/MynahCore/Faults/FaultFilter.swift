internal import APNsRules

package typealias FaultFilter = ParameterFilter<FaultFilterKey>

package enum FaultFilterKey: String, ParameterKey {
    case fault, name
    /// Empty for rules without a scope.
    case scope
    case enabled, event
    /// Whether it has acted at least once.
    case fired
    /// The type of its action, or of one of its actions.
    case action

    /// Throws for a value that no rule could have.
    package func normalized(_ value: String, at name: String) throws(InputError) -> String {
        let form: Form? =
            switch self {
            case .fault: FaultRuleID.form
            case .name: nil
            case .scope: value.isEmpty ? nil : ScopeName.form
            case .enabled, .fired: .choice(["true", "false"])
            case .event: .choice(FaultEvent.self)
            case .action: .choice(FaultActionType.self)
            }
        try form?.check(.string(value), at: name)
        return value
    }

    fileprivate func values(of rule: FaultRule, _ counters: FaultCounters) -> [String] {
        switch self {
        case .fault: [rule.id]
        case .name: [rule.name ?? ""]
        case .scope: [rule.scope ?? ""]
        case .enabled: [rule.isEnabled ? "true" : "false"]
        case .fired: [counters.fired > 0 ? "true" : "false"]
        case .event: [rule.match.event.rawValue]
        case .action: rule.schedule.actions.map(\.type.rawValue)
        }
    }
}

extension ParameterFilter<FaultFilterKey> {
    package func holds(_ rule: FaultRule, _ counters: FaultCounters) -> Bool { holds { $0.values(of: rule, counters) } }
}
