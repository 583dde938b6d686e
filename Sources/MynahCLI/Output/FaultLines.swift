import APNsRules
import MynahCore

/// Fault rules and scenarios as lines of text.
enum FaultLines {
    /// A rule as a row of a table: id, enabled, how often it fired and matched, scope, actions, name.
    static func row(_ rule: JSONValue) -> String {
        let fired = "\(rule["fired"]?.integer ?? 0)/\(rule["matched"]?.integer ?? 0)"
        return TableRow.text([
            (rule["id"]?.string ?? "-", 16), (rule["enabled"]?.bool == false ? "off" : "on", 4), (fired, 10),
            (rule["scope"]?.string ?? "-", 10), (actions(rule), 30), (rule["name"]?.string ?? "", 0),
        ])
    }

    /// A scenario as a row: name, completed steps, what the next step waits for, rules.
    static func row(ofScenario scenario: JSONValue) -> String {
        let steps = scenario["steps"]?.array?.count ?? 0
        let rules = (scenario["rules"]?.array ?? []).compactMap(\.string)
        let next = scenario["next"]?["after"]
        let waits = next?.string ?? next?["pushes"]?.integer.map { "\($0) pushes" }
        return TableRow.text([
            (scenario["name"]?.string ?? "-", 36), ("\(scenario["stepsDone"]?.integer ?? 0)/\(steps)", 6),
            (waits.map { "next after \($0)" } ?? "done", 20), (rules.joined(separator: ","), 0),
        ])
    }

    /// A summary of a rule's actions.
    private static func actions(_ rule: JSONValue) -> String {
        if let list = rule["actions"]?.array {
            return list.map(action).joined(separator: ", ") + ", then \(rule["then"]?.string ?? "pass")"
        }
        return action(rule["action"] ?? .null)
    }

    private static func action(_ action: JSONValue) -> String {
        let type = action["type"]?.string ?? "-"
        let details = ["status", "reason", "alert", "certificate", "how", "code", "delay", "by"].compactMap { name in
            action[name].flatMap { $0.string ?? $0.integer.map { String($0) } }
        }
        return ([type] + details).joined(separator: " ")
    }

    // MARK: Help

    /// All presets with their own options, for help: at most 78 columns.
    static var presets: String {
        FaultPreset.all.flatMap { preset -> [String] in
            let line = "  " + TableRow.padded(preset.name, 15) + preset.help
            guard !isShared(preset) else { return [line] }
            return [line] + wrapped(preset.options.map { "--" + $0.name })
        }.joined(separator: "\n")
    }

    /// Every common option of presets, with its help.
    static var options: String {
        var seen: Set<String> = []
        var lines: [String] = []
        for option in FaultPreset.commonOptions where seen.insert(option.name).inserted {
            lines.append("  " + TableRow.padded("--" + option.name + " " + option.value, 21) + option.help)
        }
        return lines.joined(separator: "\n")
    }

    /// Wraps words into indented lines.
    private static func wrapped(_ words: [String]) -> [String] {
        let indent = String(repeating: " ", count: 18)
        var lines: [String] = []
        for word in words {
            if let last = lines.last, last.count + word.count + 1 < columnsMax {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(indent + word)
            }
        }
        return lines
    }

    // For a terminal of 80 columns.
    private static let columnsMax = 79

    // The help lists the options that all statuses share only once.
    private static func isShared(_ preset: FaultPreset) -> Bool {
        preset.name.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
