internal import APNsRules

package typealias FaultFilter = ParameterFilter<FaultFilterKey>

package enum FaultFilterKey: String, CaseIterable, Sendable {
    case fault, name
    /// Empty for rules without a scope.
    case scope
    case enabled, event
    /// The type of its action, or of one of its actions.
    case action

    fileprivate func form(of value: String) -> Form? {
        switch self {
        case .fault, .name: nil
        case .scope: value.isEmpty ? nil : ScopeName.form
        case .enabled: .choice(["true", "false"])
        case .event: .choice(FaultEvent.self)
        case .action: .choice(FaultActionType.self)
        }
    }

    fileprivate func values(of rule: FaultRule) -> [String] {
        switch self {
        case .fault: [rule.id]
        case .name: [rule.name ?? ""]
        case .scope: [rule.scope ?? ""]
        case .enabled: [rule.isEnabled ? "true" : "false"]
        case .event: [rule.match.event.rawValue]
        case .action: rule.schedule.actions.map(\.type.rawValue)
        }
    }
}

extension ParameterFilter<FaultFilterKey> {
    /// Reads the filters of a URL; one that no rule could meet is an error.
    package init(parameters: [(name: String, value: String)], besides: [String] = []) throws(InputError) {
        try self.init(parameters, besides: besides) { key, value, name throws(InputError) in
            try key.form(of: value)?.check(.string(value), at: name)
            return value
        }
    }

    package func holds(_ rule: FaultRule) -> Bool { holds { $0.values(of: rule) } }
}
