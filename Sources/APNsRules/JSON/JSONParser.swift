/// Why bytes are not JSON.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The offset of the byte at which reading stopped.
    public let offset: Int
    /// What was expected there.
    public let problem: String

    package init(offset: Int, problem: String) {
        self.offset = offset
        self.problem = problem
    }

    /// One sentence.
    public var description: String { "not JSON at byte \(offset): \(problem)" }
}

extension JSONValue {
    /// How deep arrays and objects may be nested; deeper is an error, not a full stack.
    public static let depthMax = 128

    /// Reads one JSON document (RFC 8259), white space around it allowed.
    ///
    /// - Throws: ``JSONError`` with the place of the first fault.
    public init(parsing bytes: Span<UInt8>) throws(JSONError) {
        var parser = JSONParser(position: 0)
        self = try parser.document(bytes)
    }

    /// Reads one JSON document from an array of bytes.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        try self.init(parsing: bytes.span)
    }

    /// Reads one JSON document from text.
    public init(parsing text: String) throws(JSONError) {
        try self.init(parsing: Array(text.utf8))
    }
}

private struct JSONParser {
    var position: Int

    mutating func document(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        let value = try value(bytes, depth: 0)
        skipSpace(bytes)
        guard position == bytes.count else { throw error("the end was expected") }
        return value
    }

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= JSONValue.depthMax else {
            throw error("nested deeper than \(JSONValue.depthMax) levels")
        }
        skipSpace(bytes)
        guard position < bytes.count else { throw error("a value was expected, the input ends") }
        switch bytes[position] {
        case 0x7B: return try object(bytes, depth: depth)
        case 0x5B: return try array(bytes, depth: depth)
        case 0x22: return .string(try string(bytes))
        case 0x74: return try word(bytes, "true", is: .bool(true))
        case 0x66: return try word(bytes, "false", is: .bool(false))
        case 0x6E: return try word(bytes, "null", is: .null)
        case 0x2D, 0x30...0x39: return try number(bytes)
        default: throw error("a value was expected")
        }
    }

    private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
        position += 1
        var members: [JSONMember] = []
        skipSpace(bytes)
        if take(bytes, 0x7D) { return .object(members) }
        while true {
            skipSpace(bytes)
            guard position < bytes.count, bytes[position] == 0x22 else {
                throw error("a member's name in quotes was expected")
            }
            let name = try string(bytes)
            skipSpace(bytes)
            guard take(bytes, 0x3A) else { throw error("a colon was expected") }
            members.append(JSONMember(name, try value(bytes, depth: depth + 1)))
            skipSpace(bytes)
            if take(bytes, 0x7D) { return .object(members) }
            guard take(bytes, 0x2C) else { throw error("a comma or a closing brace was expected") }
        }
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace(bytes)
        if take(bytes, 0x5D) { return .array(elements) }
        while true {
            elements.append(try value(bytes, depth: depth + 1))
            skipSpace(bytes)
            if take(bytes, 0x5D) { return .array(elements) }
            guard take(bytes, 0x2C) else { throw error("a comma or a closing bracket was expected") }
        }
    }

    private mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
        position += 1
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case 0x22:
                position += 1
                guard let result = String(validating: text, as: UTF8.self) else {
                    throw error("the string before is not UTF-8")
                }
                return result
            case 0x5C:
                position += 1
                try escape(bytes, into: &text)
            case 0..<0x20:
                throw error("a control character in a string must be escaped")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw error("a closing quote was expected, the input ends")
    }

    private mutating func escape(_ bytes: Span<UInt8>, into text: inout [UInt8]) throws(JSONError) {
        guard position < bytes.count else { throw error("an escape was expected, the input ends") }
        let byte = bytes[position]
        position += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: text.append(byte)
        case 0x62: text.append(0x08)
        case 0x66: text.append(0x0C)
        case 0x6E: text.append(0x0A)
        case 0x72: text.append(0x0D)
        case 0x74: text.append(0x09)
        case 0x75:
            var code = try fourDigits(bytes)
            if (0xD800..<0xDC00).contains(code), position + 1 < bytes.count, bytes[position] == 0x5C,
                bytes[position + 1] == 0x75
            {
                let afterHigh = position
                position += 2
                let low = try fourDigits(bytes)
                if (0xDC00..<0xE000).contains(low) {
                    code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
                } else {
                    position = afterHigh
                }
            }
            // Half of a surrogate pair alone is legal JSON but no character; U+FFFD stands in for it.
            let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
            text.append(contentsOf: Array(String(Character(scalar)).utf8))
        default:
            position -= 1
            throw error("an unknown escape")
        }
    }

    private mutating func fourDigits(_ bytes: Span<UInt8>) throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard position < bytes.count, let digit = Hex.value(of: bytes[position]) else {
                throw error("four hexadecimal digits were expected")
            }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }

    private mutating func number(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        var text: [UInt8] = []
        if bytes[position] == 0x2D {
            text.append(0x2D)
            position += 1
        }
        if position < bytes.count, bytes[position] == 0x30 {
            text.append(0x30)
            position += 1
        } else {
            try digits(bytes, into: &text)
        }
        if position < bytes.count, bytes[position] == 0x2E {
            text.append(0x2E)
            position += 1
            try digits(bytes, into: &text)
        }
        if position < bytes.count, bytes[position] | 0x20 == 0x65 {
            text.append(bytes[position])
            position += 1
            if position < bytes.count, bytes[position] == 0x2B || bytes[position] == 0x2D {
                text.append(bytes[position])
                position += 1
            }
            try digits(bytes, into: &text)
        }
        return .number(JSONNumber(text: String(decoding: text, as: UTF8.self)))
    }

    private mutating func digits(_ bytes: Span<UInt8>, into text: inout [UInt8]) throws(JSONError) {
        let start = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
            text.append(bytes[position])
            position += 1
        }
        guard position > start else { throw error("a digit was expected") }
    }

    private mutating func word(
        _ bytes: Span<UInt8>, _ word: String, is value: JSONValue
    ) throws(JSONError) -> JSONValue {
        let end = position + word.utf8.count
        guard end <= bytes.count, bytes.extracting(position..<end).equals(word) else {
            throw error("\(word) was expected")
        }
        position = end
        return value
    }

    private mutating func skipSpace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func take(_ bytes: Span<UInt8>, _ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private func error(_ problem: String) -> JSONError {
        JSONError(offset: position, problem: problem)
    }
}
