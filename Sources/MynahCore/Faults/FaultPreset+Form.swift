package import APNsRules

// The presets as the page's form for a new rule offers them.
extension FaultPreset {
    /// The groups of the form with their presets: the label of each, the rule that it makes, and the members of its
    /// action that have a field, each with a JSON pointer into the rule.
    package static var formGroups: JSONValue {
        .array(
            groups.map { label, presets in
                ["label": .string(label), "presets": .array(presets.map(\.form))]
            })
    }

    /// Two more, since their reasons are usual and share their statuses with others.
    private static let reasons = [Reason.expiredProviderToken, .tooManyProviderTokenUpdates].compactMap {
        named($0.rawValue)
    }

    private static var groups: [(label: String, presets: [FaultPreset])] {
        [
            ("Refuse pushes", statuses + reasons), ("Unusual answers", answers), ("Break streams", streams),
            ("Break connections", connections), ("Break handshakes", handshakes),
        ]
    }

    private var form: JSONValue {
        [
            "name": .string(name), "label": .string(help.prefix(1).uppercased() + help.dropFirst()), "rule": rule,
            "fields": .array(options.compactMap { $0.field(of: FaultPreset.type(of: rule["action"])) }),
        ]
    }
}

extension FaultPreset.Option {
    /// The field of the member that the option sets; `nil` for a switch, and for what another option would clear.
    fileprivate func field(of type: FaultActionType?) -> JSONValue? {
        guard !value.isEmpty, clears == nil else { return nil }
        let form = type?.schema[member]?.form
        var pointer = "/action/\(member)"
        var label = name.replacing("-", with: " ")
        if case .map = form {
            // The header that providers look at; others are written in the JSON.
            pointer += "/retry-after"
            label = "retry-after of the answer"
        }
        var isNumber = false
        if case .integer = form { isNumber = true }
        return [
            "pointer": .string(pointer), "label": .string(label.prefix(1).uppercased() + label.dropFirst()),
            "hint": .string(help.prefix(1).uppercased() + help.dropFirst() + "."), "isNumber": .bool(isNumber),
        ]
    }
}
