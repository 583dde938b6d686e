internal import APNsRules

package typealias FaultFilter = ParameterFilter<FaultFilterKey>

package enum FaultFilterKey: String, ParameterKey {
    case fault, name
    /// Empty for rules without a scope.
    case scope
    case enabled, event
    /// Whether the rule has acted at least once.
    case fired
    /// The type of the rule's action, or of one of its actions.
    case action

    package var form: Form? {
        switch self {
        case .fault: FaultRuleID.form
        case .name: nil
        case .scope: .nullable(ScopeName.form)
        case .enabled, .fired: .bool
        case .event: .choice(FaultEvent.self)
        case .action: .choice(FaultActionType.self)
        }
    }

    package var sentence: String {
        switch self {
        case .fault: "The ID."
        case .name: "The name."
        case .scope: "The scope; empty for rules without one."
        case .enabled: "Whether the rule is enabled."
        case .event: "When the rule is tried."
        case .fired: "Whether the rule has acted at least once."
        case .action: "The type of one of its actions."
        }
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
    /// Reads the parameters of a URL, and refuses rules that there can't be.
    package init(of parameters: [(name: String, value: String)], besides: [String] = []) throws(InputError) {
        try self.init(parameters: parameters, besides: besides)
        let events = Set(values(of: .event).filter { $0.name == FaultFilterKey.event.rawValue }.map(\.value))
        let scopes = values(of: .scope).filter { $0.name == FaultFilterKey.scope.rawValue }.map(\.value)
        guard !events.isEmpty, !events.contains(FaultEvent.request.rawValue), !scopes.isEmpty, !scopes.contains("")
        else { return }
        throw InputError(
            at: "scope",
            "a rule of event \(InputError.alternatives(events.sorted())) has no scope: expected one of both")
    }

    package func holds(_ rule: FaultRule, _ counters: FaultCounters) -> Bool { holds { $0.values(of: rule, counters) } }
}
