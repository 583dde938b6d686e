internal import Yams

/// Turns the YAML of a scenario into JSON, member by member in the same order.
enum ScenarioJSON {
    static func text(ofYAML yaml: String, path: String) throws -> String {
        guard let root = try compose(yaml: yaml) else {
            throw FileEmbedder.Unfit(description: "\(path) is empty: expected a scenario")
        }
        return json(root)
    }

    private static func json(_ node: Node) -> String {
        switch node {
        case .scalar(let scalar):
            let isLiteral = scalar.style == .plain && scalar.string.wholeMatch(of: literal) != nil
            return isLiteral ? scalar.string : quoted(scalar.string)
        case .mapping(let members):
            return "{" + members.map { json($0.key) + ":" + json($0.value) }.joined(separator: ",") + "}"
        case .sequence(let elements):
            return "[" + elements.map(json).joined(separator: ",") + "]"
        case .alias(let alias):
            return quoted(alias.anchor.rawValue)
        }
    }

    /// What means the same without quotes in JSON.
    private static var literal: some RegexComponent { /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?/ }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
