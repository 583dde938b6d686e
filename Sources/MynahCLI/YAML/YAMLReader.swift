internal import CYAML

/// Reads a YAML text by libyaml, event by event.
///
/// libyaml and not a package, because those for Swift bring all of Foundation into the binary, which makes it three
/// times as large.
struct YAMLReader: ~Copyable {
    /// How deep values may lie in each other; deeper ones would overflow the stack.
    static let depthMax = 100
    /// How many values a text may have, those behind an alias counted wherever it stands, so that a few lines of
    /// aliases to aliases can't fill the memory.
    static let valuesMax = 1_000_000

    // libyaml keeps pointers to itself and to the input, so neither may move.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private var anchors: [String: (node: YAMLNode, values: Int)] = [:]
    private var values = 0

    /// The root of a text; `nil` when there is nothing in it.
    static func read(_ text: String) throws(YAMLFault) -> YAMLNode? {
        var reader = try YAMLReader(text)
        return try reader.root()
    }

    private init(_ text: String) throws(YAMLFault) {
        let bytes = Array(text.utf8)
        self.parser = .allocate(capacity: 1)
        self.input = .allocate(capacity: bytes.count)
        _ = input.initialize(from: bytes)
        guard yaml_parser_initialize(parser) == 1 else {
            // Nothing else than memory can be missing.
            throw YAMLFault(line: 1, problem: "not YAML: no memory to read it")
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    private mutating func root() throws(YAMLFault) -> YAMLNode? {
        guard case .streamStart = try next().kind else { return nil }
        guard case .documentStart = try next().kind else { return nil }
        let root = try node(try next(), depth: 1)
        _ = try next()
        let behind = try next()
        guard case .streamEnd = behind.kind else {
            throw YAMLFault(line: behind.line, problem: "not YAML: a second document begins here; one was expected")
        }
        return root
    }

    private mutating func node(_ event: Event, depth: Int) throws(YAMLFault) -> YAMLNode {
        guard depth <= YAMLReader.depthMax else {
            throw YAMLFault(
                line: event.line, problem: "values lie in each other more than \(YAMLReader.depthMax) deep")
        }
        let valuesBefore = values
        try count(1, event.line)
        let content: YAMLNode.Content
        switch event.kind {
        case .alias(let name):
            guard let anchored = anchors[name] else {
                throw YAMLFault(line: event.line, problem: "not YAML: found undefined alias *\(name)")
            }
            try count(anchored.values, event.line)
            return YAMLNode(content: anchored.node.content, line: event.line)
        case .scalar(let text, let isPlain):
            content = .scalar(text, isPlain: isPlain)
        case .sequenceStart:
            content = .sequence(try elements(depth))
        case .mappingStart:
            content = .mapping(try members(depth))
        case .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd:
            preconditionFailure("libyaml ends values in the order in which they began")
        }
        let node = YAMLNode(content: content, line: event.line)
        if let anchor = event.anchor { anchors[anchor] = (node, values - valuesBefore) }
        return node
    }

    private mutating func elements(_ depth: Int) throws(YAMLFault) -> [YAMLNode] {
        var elements: [YAMLNode] = []
        while true {
            let event = try next()
            if case .sequenceEnd = event.kind { return elements }
            elements.append(try node(event, depth: depth + 1))
        }
    }

    private mutating func members(_ depth: Int) throws(YAMLFault) -> [(key: YAMLNode, value: YAMLNode)] {
        var members: [(key: YAMLNode, value: YAMLNode)] = []
        var lines: [String: Int] = [:]
        var repeated: [String: Int] = [:]
        while true {
            let event = try next()
            if case .mappingEnd = event.kind { break }
            let key = try node(event, depth: depth + 1)
            if let name = key.text {
                if let first = lines[name] { repeated[name] = first } else { lines[name] = key.line }
            }
            members.append((key, try node(try next(), depth: depth + 1)))
        }
        guard let line = repeated.values.min() else { return members }
        throw YAMLFault(line: line, problem: "given more than once: \(repeated.keys.sorted().joined(separator: ", "))")
    }

    private mutating func count(_ more: Int, _ line: Int) throws(YAMLFault) {
        values += more
        guard values <= YAMLReader.valuesMax else {
            throw YAMLFault(
                line: line, problem: "more than \(YAMLReader.valuesMax) values, those behind an alias counted each time"
            )
        }
    }
}

extension YAMLReader {
    /// A step of libyaml, copied out of its memory.
    private struct Event {
        enum Kind {
            case streamStart, streamEnd, documentStart, documentEnd
            case alias(String)
            case scalar(String, isPlain: Bool)
            case sequenceStart, sequenceEnd, mappingStart, mappingEnd
        }

        let kind: Kind
        let anchor: String?
        let line: Int
    }

    private func next() throws(YAMLFault) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw fault() }
        defer { yaml_event_delete(&event) }
        let line = Int(event.start_mark.line) + 1
        switch event.type {
        case YAML_STREAM_START_EVENT: return Event(kind: .streamStart, anchor: nil, line: line)
        case YAML_DOCUMENT_START_EVENT: return Event(kind: .documentStart, anchor: nil, line: line)
        case YAML_DOCUMENT_END_EVENT: return Event(kind: .documentEnd, anchor: nil, line: line)
        case YAML_ALIAS_EVENT:
            let name = YAMLReader.text(event.data.alias.anchor) ?? ""
            return Event(kind: .alias(name), anchor: nil, line: line)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            let kind = Event.Kind.scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
            return Event(kind: kind, anchor: YAMLReader.text(scalar.anchor), line: line)
        case YAML_SEQUENCE_START_EVENT:
            return Event(
                kind: .sequenceStart, anchor: YAMLReader.text(event.data.sequence_start.anchor), line: line)
        case YAML_SEQUENCE_END_EVENT: return Event(kind: .sequenceEnd, anchor: nil, line: line)
        case YAML_MAPPING_START_EVENT:
            return Event(kind: .mappingStart, anchor: YAMLReader.text(event.data.mapping_start.anchor), line: line)
        case YAML_MAPPING_END_EVENT: return Event(kind: .mappingEnd, anchor: nil, line: line)
        // libyaml makes no event when the stream is over.
        default: return Event(kind: .streamEnd, anchor: nil, line: line)
        }
    }

    /// What libyaml found wrong.
    private func fault() -> YAMLFault {
        let state = parser.pointee
        let problem = state.problem.map { String(cString: $0) } ?? "no memory to read it"
        guard state.error == YAML_READER_ERROR else {
            return YAMLFault(line: Int(state.problem_mark.line) + 1, problem: "not YAML: \(problem)")
        }
        // Of a byte that cannot be in a text it knows the place alone.
        let before = input.prefix(Int(state.problem_offset))
        return YAMLFault(line: before.count { $0 == UInt8(ascii: "\n") } + 1, problem: "not YAML: \(problem)")
    }

    private static func text(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
        pointer.map { String(cString: $0) }
    }
}
