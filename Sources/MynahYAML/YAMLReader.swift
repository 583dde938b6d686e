internal import CLibYAML

/// Reads a YAML text with libyaml, with limits on depth and size.
package struct YAMLReader: ~Copyable {
    /// How deeply values may be nested.
    package static let depthMax = 100
    /// How many values a text may have, with aliases resolved: aliases to aliases could fill the memory.
    package static let valuesMax = 1_000_000

    // On the heap, because libyaml keeps pointers into it.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let text: UnsafeBufferPointer<UInt8>
    private var anchors: [String: YAMLNode] = [:]
    private var mergedCount = 0

    /// Returns the root of a text, or `nil` if the text has no value.
    package static func read(_ text: String) throws(YAMLFault) -> YAMLNode? {
        // libyaml requires a pointer, which an empty array need not have.
        guard !text.isEmpty else { return nil }
        let root = try Array(text.utf8).withUnsafeBufferPointer { bytes throws(YAMLFault) in
            var reader = YAMLReader(bytes)
            return try reader.document()
        }
        if let root {
            var values = 0
            try check(root, depth: 1, values: &values)
        }
        return root
    }

    private init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    private mutating func document() throws(YAMLFault) -> YAMLNode? {
        _ = try next()  // the start of the stream
        guard case .documentStart = try next().kind else { return nil }
        let root = try value(try next(), depth: 1)
        _ = try next()  // the end of the document
        let end = try next()
        guard case .streamEnd = end.kind else {
            throw YAMLFault(
                line: end.line,
                problem: "a second document begins: expected one in a file")
        }
        return root
    }

    private mutating func value(_ event: Event, depth: Int) throws(YAMLFault) -> YAMLNode {
        // Before the next level is read, since each takes room on the stack.
        guard depth <= YAMLReader.depthMax else { throw YAMLReader.tooDeep(at: event.line) }
        let content: YAMLNode.Content
        switch event.kind {
        case .alias:
            guard let node = event.anchor.flatMap({ anchors[$0] }) else {
                throw YAMLFault(
                    line: event.line, problem: "not YAML: found undefined alias *\(event.anchor ?? "")")
            }
            return node
        case .scalar(let text, let isPlain): content = .scalar(text, isPlain: isPlain)
        case .sequenceStart: content = .sequence(try elements(depth: depth + 1))
        case .mappingStart: content = .mapping(try members(depth: depth + 1))
        case .documentStart, .streamEnd, .end:
            preconditionFailure("libyaml gave the end of a value in place of a value")
        }
        let node = YAMLNode(content: content, line: event.line)
        if let anchor = event.anchor { anchors[anchor] = node }
        return node
    }

    private mutating func elements(depth: Int) throws(YAMLFault) -> [YAMLNode] {
        var elements: [YAMLNode] = []
        while true {
            let event = try next()
            if case .end = event.kind { return elements }
            elements.append(try value(event, depth: depth))
        }
    }

    private mutating func members(depth: Int) throws(YAMLFault) -> [(key: YAMLNode, value: YAMLNode)] {
        var members: [(key: YAMLNode, value: YAMLNode)] = []
        while true {
            let event = try next()
            guard case .end = event.kind else {
                members.append((try value(event, depth: depth), try value(try next(), depth: depth)))
                continue
            }
            let repeated = Dictionary(grouping: members.map(\.key).filter { $0.text != nil }) { $0.text ?? "" }
                .filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
            guard let first = repeated.first?.value.first else { return try merged(members) }
            let names = repeated.map(\.key).joined(separator: ", ")
            throw YAMLFault(line: first.line, problem: "given more than once: \(names)")
        }
    }

    /// The members with the members of mappings that a plain `<<` names, as in YAML 1.1; a mapping's own member counts
    /// first, then the first named mapping's.
    private mutating func merged(
        _ members: [(key: YAMLNode, value: YAMLNode)]
    ) throws(YAMLFault) -> [(key: YAMLNode, value: YAMLNode)] {
        guard let merge = members.first(where: { $0.key.isMerge }) else { return members }
        let sources = merge.value.sequence ?? [merge.value]
        var merged = members.filter { !$0.key.isMerge }
        for source in sources {
            guard let more = source.mapping else {
                throw YAMLFault(
                    line: merge.key.line, problem: "<< is not valid: expected a mapping, or a list of mappings")
            }
            let own = Set(merged.compactMap(\.key.text))
            merged += more.filter { !own.contains($0.key.text ?? "") }
            // Unlike aliases, merged mappings take memory of their own.
            mergedCount += more.count
            guard mergedCount <= YAMLReader.valuesMax else { throw YAMLReader.tooMany(at: merge.key.line) }
        }
        return merged
    }

    /// Checks a value's depth and number of values, with aliases resolved.
    private static func check(_ node: YAMLNode, depth: Int, values: inout Int) throws(YAMLFault) {
        guard depth <= depthMax else { throw tooDeep(at: node.line) }
        values += 1
        guard values <= valuesMax else { throw tooMany(at: node.line) }
        for element in node.sequence ?? [] { try check(element, depth: depth + 1, values: &values) }
        for (key, value) in node.mapping ?? [] {
            try check(key, depth: depth + 1, values: &values)
            try check(value, depth: depth + 1, values: &values)
        }
    }

    private static func tooMany(at line: Int) -> YAMLFault {
        YAMLFault(line: line, problem: "more than \(valuesMax) values, with aliases resolved")
    }

    private static func tooDeep(at line: Int) -> YAMLFault {
        YAMLFault(line: line, problem: "nested more than \(depthMax) levels deep")
    }

    /// An event of libyaml, copied.
    private struct Event {
        enum Kind {
            case documentStart
            case alias
            case scalar(String, isPlain: Bool)
            case sequenceStart
            case mappingStart
            /// The end of a sequence, a mapping or a document.
            case end
            case streamEnd
        }

        let kind: Kind
        let anchor: String?
        let line: Int
    }

    private func next() throws(YAMLFault) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw fault() }
        defer { yaml_event_delete(&event) }
        let kind: Event.Kind
        var anchor: UnsafeMutablePointer<yaml_char_t>?
        switch event.type {
        case YAML_ALIAS_EVENT:
            kind = .alias
            anchor = event.data.alias.anchor
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            let tag = scalar.tag.map { String(cString: $0) }
            kind = .scalar(text, isPlain: YAMLReader.isPlain(tag) ?? (scalar.style == YAML_PLAIN_SCALAR_STYLE))
            anchor = scalar.anchor
        case YAML_SEQUENCE_START_EVENT:
            kind = .sequenceStart
            anchor = event.data.sequence_start.anchor
        case YAML_MAPPING_START_EVENT:
            kind = .mappingStart
            anchor = event.data.mapping_start.anchor
        case YAML_DOCUMENT_START_EVENT: kind = .documentStart
        case YAML_STREAM_END_EVENT: kind = .streamEnd
        default: kind = .end
        }
        return Event(kind: kind, anchor: anchor.map { String(cString: $0) }, line: Int(event.start_mark.line) + 1)
    }

    /// Whether a tag says that a scalar has a value other than a text (YAML 1.2.2 §10.3); `nil` for one that says neither.
    private static func isPlain(_ tag: String?) -> Bool? {
        let prefix = "tag:yaml.org,2002:"
        guard let tag, tag.hasPrefix(prefix) else { return nil }
        return switch tag.dropFirst(prefix.count) {
        case "str": false
        case "int", "float", "bool", "null": true
        default: nil
        }
    }

    private func fault() -> YAMLFault {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "out of memory"
        let line =
            parser.pointee.error == YAML_READER_ERROR
            // For an invalid byte, libyaml gives only the offset.
            ? text.prefix(Int(parser.pointee.problem_offset)).count { $0 == UInt8(ascii: "\n") }
            : Int(parser.pointee.problem_mark.line)
        let clearer = [
            "found character that cannot start any token":
                "not YAML: a character that no value begins with: expected spaces in place of a tab, and quotes around @, ` or %",
            "did not find expected <document start>": "text follows the end of the document: expected one in a file",
        ]
        return YAMLFault(line: line + 1, problem: clearer[problem] ?? "not YAML: \(problem)")
    }
}

/// A value of a YAML text, with the line on which it begins.
package struct YAMLNode: Sendable {
    /// The three kinds of YAML values.
    package enum Content: Sendable {
        /// Text; plain text has no quotes, so it may mean a number, a boolean or null.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// Members in the order of the text, each with its own key.
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    package let content: Content
    /// Counted from 1; the value of an alias has the line of its anchor.
    package let line: Int

    package var text: String? { if case .scalar(let text, _) = content { text } else { nil } }
    /// Whether this is a scalar without quotes.
    package var isPlain: Bool { if case .scalar(_, let isPlain) = content { isPlain } else { false } }
    /// Whether, as a key, it stands for the members of other mappings.
    fileprivate var isMerge: Bool { text == "<<" && isPlain }
    package var sequence: [YAMLNode]? { if case .sequence(let elements) = content { elements } else { nil } }
    package var mapping: [(key: YAMLNode, value: YAMLNode)]? {
        if case .mapping(let members) = content { members } else { nil }
    }
}

/// An error in a YAML text and its place.
package struct YAMLFault: Error, Equatable {
    /// Counted from 1.
    package let line: Int
    package let problem: String
}
