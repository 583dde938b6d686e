internal import Yams

/// Reads a YAML text, within bounds.
struct YAMLReader {
    /// How deep values may lie in each other.
    static let depthMax = 100
    /// How many values a text may have, those behind an alias counted wherever it stands, so that a few lines of
    /// aliases to aliases can't fill the memory.
    static let valuesMax = 1_000_000

    private var values = 0

    /// The root of a text; `nil` when there is nothing in it.
    static func read(_ text: String) throws(YAMLFault) -> YAMLNode? {
        let root: Node?
        do {
            root = try compose(yaml: text)
        } catch {
            throw fault(error, in: text)
        }
        var reader = YAMLReader()
        return try root.map { root throws(YAMLFault) in try reader.node(root, depth: 1) }
    }

    private mutating func node(_ node: Node, depth: Int) throws(YAMLFault) -> YAMLNode {
        let line = node.mark?.line ?? 1
        guard depth <= YAMLReader.depthMax else {
            throw YAMLFault(line: line, problem: "values lie in each other more than \(YAMLReader.depthMax) deep")
        }
        values += 1
        guard values <= YAMLReader.valuesMax else {
            throw YAMLFault(
                line: line, problem: "more than \(YAMLReader.valuesMax) values, those behind an alias counted each time"
            )
        }
        if let scalar = node.scalar {
            return YAMLNode(
                content: .scalar(scalar.string, isPlain: scalar.style == .plain || scalar.style == .any), line: line)
        }
        if let sequence = node.sequence {
            var elements: [YAMLNode] = []
            for element in sequence { elements.append(try self.node(element, depth: depth + 1)) }
            return YAMLNode(content: .sequence(elements), line: line)
        }
        var members: [(key: YAMLNode, value: YAMLNode)] = []
        for (key, value) in node.mapping ?? [:] {
            members.append((try self.node(key, depth: depth + 1), try self.node(value, depth: depth + 1)))
        }
        return YAMLNode(content: .mapping(members), line: line)
    }

    /// What Yams found wrong.
    private static func fault(_ error: any Error, in text: String) -> YAMLFault {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _):
            return YAMLFault(line: mark.line, problem: "not YAML: \(problem)")
        case .composer(let context, let problem, let mark, _):
            let expectation = context.map { $0.text + " " } ?? ""
            return YAMLFault(line: mark.line, problem: "not YAML: \(expectation)\(problem)")
        case .reader(let problem, let offset, _, _):
            // Of a byte that cannot be in a text the place alone is known.
            let before = text.utf8.prefix(offset ?? 0)
            return YAMLFault(line: before.count { $0 == UInt8(ascii: "\n") } + 1, problem: "not YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            let names = duplicates.sorted().joined(separator: ", ")
            return YAMLFault(line: context.mark.line, problem: "given more than once: \(names)")
        default:
            return YAMLFault(line: 1, problem: "not YAML: \(error)")
        }
    }
}
