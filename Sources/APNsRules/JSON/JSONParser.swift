/// A syntax error in a JSON text.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The offset of the byte at which reading stopped.
    public let offset: Int
    /// What was expected there.
    public let problem: String

    package init(offset: Int, problem: String) {
        self.offset = offset
        self.problem = problem
    }

    /// The byte and the problem, in one sentence.
    public var description: String { "not JSON at byte \(offset): \(problem)" }
}

extension JSONValue {
    /// How deeply arrays and objects may be nested; deeper nesting is an error, so that it can't overflow the stack.
    public static let depthMax = 128

    /// Reads one JSON document (RFC 8259), with or without white space around it; throws the first error.
    public init(parsing bytes: Span<UInt8>) throws(JSONError) {
        try self.init(parsing: bytes, depthMax: JSONValue.depthMax)
    }

    /// Reads a document that may be nested deeper, such as one with documents of callers in it.
    package init(parsing bytes: Span<UInt8>, depthMax: Int) throws(JSONError) {
        var parser = JSONParser(depthMax: depthMax)
        self = try parser.document(bytes)
    }

    /// Reads a document as WebKit does, which ignores commas before closing brackets.
    package init(parsingLeniently bytes: [UInt8]) throws(JSONError) {
        var parser = JSONParser(depthMax: JSONValue.depthMax, ignoresLastCommas: true)
        self = try parser.document(bytes.span)
    }

    /// Reads one JSON document from an array of bytes.
    public init(parsing bytes: [UInt8]) throws(JSONError) { try self.init(parsing: bytes.span) }
    /// Reads one JSON document from text.
    public init(parsing text: String) throws(JSONError) { try self.init(parsing: text.utf8Span.span) }
}

private struct JSONParser {
    private let depthMax: Int
    private let ignoresLastCommas: Bool
    private var position = 0

    init(depthMax: Int, ignoresLastCommas: Bool = false) {
        self.depthMax = depthMax
        self.ignoresLastCommas = ignoresLastCommas
    }

    private func next(_ bytes: Span<UInt8>) -> UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func document(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        let value = try value(bytes, depth: 0)
        skipSpace(bytes)
        guard next(bytes) == nil else { throw error("the end was expected") }
        return value
    }

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= depthMax else { throw error("nested deeper than \(depthMax) levels") }
        skipSpace(bytes)
        switch next(bytes) {
        case 0x7B: return try object(bytes, depth: depth)
        case 0x5B: return try array(bytes, depth: depth)
        case 0x22: return .string(try string(bytes))
        case 0x74: return try word(bytes, "true", is: .bool(true))
        case 0x66: return try word(bytes, "false", is: .bool(false))
        case 0x6E: return try word(bytes, "null", is: .null)
        case 0x2D?, (0x30...0x39)?: return try number(bytes)
        case nil: throw error("a value was expected, the input ends")
        default: throw error("a value was expected")
        }
    }

    private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
        position += 1
        var members: [JSONMember] = []
        if consume(bytes, 0x7D) { return .object(members) }
        while true {
            skipSpace(bytes)
            guard next(bytes) == 0x22 else { throw error("a member's name in quotes was expected") }
            let name = try string(bytes)
            guard consume(bytes, 0x3A) else { throw error("a colon was expected") }
            members.append(JSONMember(name, try value(bytes, depth: depth + 1)))
            if consume(bytes, 0x7D) { return .object(members) }
            guard consume(bytes, 0x2C) else { throw error("a comma or a closing brace was expected") }
            if ignoresLastCommas, consume(bytes, 0x7D) { return .object(members) }
        }
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        if consume(bytes, 0x5D) { return .array(elements) }
        while true {
            elements.append(try value(bytes, depth: depth + 1))
            if consume(bytes, 0x5D) { return .array(elements) }
            guard consume(bytes, 0x2C) else { throw error("a comma or a closing bracket was expected") }
            if ignoresLastCommas, consume(bytes, 0x5D) { return .array(elements) }
        }
    }

    private mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next(bytes) {
            switch byte {
            case 0x22:
                position += 1
                if let result = String(validating: text, as: UTF8.self) { return result }
                throw error("the preceding string is not UTF-8")
            case 0x5C:
                position += 1
                try escape(bytes, into: &text)
            case 0..<0x20: throw error("a control character in a string must be escaped")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw error("a closing quote was expected, the input ends")
    }

    private mutating func escape(_ bytes: Span<UInt8>, into text: inout [UInt8]) throws(JSONError) {
        guard let byte = next(bytes) else { throw error("an escape was expected, the input ends") }
        switch byte {
        case 0x22, 0x5C, 0x2F: text.append(byte)
        case 0x62: text.append(0x08)
        case 0x66: text.append(0x0C)
        case 0x6E: text.append(0x0A)
        case 0x72: text.append(0x0D)
        case 0x74: text.append(0x09)
        case 0x75:
            position += 1
            // A lone surrogate is legal JSON but not a character; U+FFFD replaces it.
            let scalar = Unicode.Scalar(try codePoint(bytes)) ?? "\u{FFFD}"
            text.append(contentsOf: String(scalar).utf8)
            return
        default: throw error("an unknown escape")
        }
        position += 1
    }

    private mutating func codePoint(_ bytes: Span<UInt8>) throws(JSONError) -> UInt32 {
        let high = try fourDigits(bytes)
        guard (0xD800..<0xDC00).contains(high), bytes.extracting(position...).starts(with: "\\u") else { return high }
        let afterHigh = position
        position += 2
        let low = try fourDigits(bytes)
        if (0xDC00..<0xE000).contains(low) { return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00) }
        position = afterHigh
        return high
    }

    private mutating func fourDigits(_ bytes: Span<UInt8>) throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next(bytes).flatMap(Hex.value) else {
                throw error("four hexadecimal digits were expected")
            }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }

    private mutating func number(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        let start = position
        if next(bytes) == 0x2D { position += 1 }
        if next(bytes) == 0x30 { position += 1 } else { try skipDigits(bytes) }
        if next(bytes) == 0x2E {
            position += 1
            try skipDigits(bytes)
        }
        if next(bytes) == 0x65 || next(bytes) == 0x45 {
            position += 1
            if next(bytes) == 0x2B || next(bytes) == 0x2D { position += 1 }
            try skipDigits(bytes)
        }
        return .number(JSONNumber(text: bytes.extracting(start..<position).text))
    }

    private mutating func skipDigits(_ bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        while let byte = next(bytes), byte.isASCIIDigit { position += 1 }
        guard position > start else { throw error("a digit was expected") }
    }

    private mutating func word(
        _ bytes: Span<UInt8>, _ word: String, is value: JSONValue
    ) throws(JSONError) -> JSONValue {
        guard bytes.extracting(position...).starts(with: word) else { throw error("\(word) was expected") }
        position += word.utf8.count
        return value
    }

    private mutating func skipSpace(_ bytes: Span<UInt8>) {
        while let byte = next(bytes), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Skips white space, then `byte` if it follows; returns whether it did.
    private mutating func consume(_ bytes: Span<UInt8>, _ byte: UInt8) -> Bool {
        skipSpace(bytes)
        guard next(bytes) == byte else { return false }
        position += 1
        return true
    }

    private func error(_ problem: String) -> JSONError { JSONError(offset: position, problem: problem) }
}
