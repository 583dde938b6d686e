internal import MynahYAML

/// Turns the YAML of a scenario into JSON, member by member in the same order.
enum ScenarioJSON {
    static func text(ofYAML yaml: String, path: String) throws -> String {
        do throws(YAMLFault) {
            if let root = try YAMLReader.read(yaml) { return json(root) }
        } catch {
            throw FileEmbedder.Unfit(description: "\(path):\(error.line): \(error.problem)")
        }
        throw FileEmbedder.Unfit(description: "\(path) is empty: expected a scenario")
    }

    private static func json(_ node: YAMLNode) -> String {
        switch node.content {
        case .scalar(let text, let isPlain):
            isPlain && text.wholeMatch(of: literal) != nil ? text : quoted(text)
        case .mapping(let members):
            "{" + members.map { json($0.key) + ":" + json($0.value) }.joined(separator: ",") + "}"
        case .sequence(let elements):
            "[" + elements.map(json).joined(separator: ",") + "]"
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
