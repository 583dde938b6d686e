/// A JSON value that keeps the order of members and the spelling of numbers, so that a payload is shown as it was sent.
public indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    /// Members in order; of two with the same name the last one counts, as in most parsers.
    case object([JSONMember])
    /// Encoded JSON, written as it is; parsing never returns it.
    case raw([UInt8])
}

/// A name and its value in a JSON object.
public struct JSONMember: Hashable, Sendable {
    /// The name, unescaped.
    public let name: String
    /// The value.
    public let value: JSONValue

    /// A member.
    public init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// A JSON number with its spelling; two are equal if their values are.
public struct JSONNumber: Hashable, Sendable {
    /// The number as it was written.
    public let text: String

    package init(text: String) { self.text = text }
    /// A whole number.
    public init(_ value: some FixedWidthInteger) { self.text = String(value) }

    /// The nearest `Double`; infinite if the number is too large for one.
    public var double: Double { Double(text) ?? .nan }
    /// The value if it is a whole number that fits, such as `1.0` or `1e3`; else `nil`.
    public var integer: Int64? { Int64(text) ?? Int64(exactly: double) }

    /// Whether the values are equal, regardless of spelling.
    ///
    /// Compares decimal digits, because two different numbers could round to the same double.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.text == right.text || DecimalDigits(left.text) == DecimalDigits(right.text)
    }

    /// Hashes the nearest double, which equal numbers share.
    public func hash(into hasher: inout Hasher) { hasher.combine(double) }
}

/// The value of a JSON number: `digits` after the decimal point, times ten to the power of `exponent`.
private struct DecimalDigits: Equatable {
    // Far beyond the exponents of a double, and far from overflowing an `Int`.
    private static let exponentMax = 1 << 60

    private var isNegative: Bool
    // The significant digits, without leading or trailing zeros; empty for zero.
    private var digits: [UInt8] = []
    private var exponent = 0

    init(_ text: String) {
        isNegative = text.utf8.first == 0x2D
        let parts = text.utf8.split(whereSeparator: { $0 | 0x20 == 0x65 })
        var isFraction = false
        for byte in parts[0] where byte != 0x2D {
            if byte == 0x2E {
                isFraction = true
            } else if digits.isEmpty, byte == 0x30 {
                if isFraction { exponent -= 1 }
            } else {
                digits.append(byte)
                if !isFraction { exponent += 1 }
            }
        }
        while digits.last == 0x30 { digits.removeLast() }
        if digits.isEmpty {
            isNegative = false
            exponent = 0
        } else if parts.count > 1 {
            let beyond = parts[1].first == 0x2D ? -DecimalDigits.exponentMax : DecimalDigits.exponentMax
            let power = Int(Substring(parts[1])) ?? beyond
            exponent += min(max(power, -DecimalDigits.exponentMax), DecimalDigits.exponentMax)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object, members in order.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { JSONMember($0, $1) })
    }
    /// Null.
    public init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
    /// The value of the last member with a name, if this is an object with such a member.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// The text of a string.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The truth value of a boolean.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The whole number of a number.
    public var integer: Int64? { if case .number(let value) = self { value.integer } else { nil } }
    /// The elements of an array.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The members of an object.
    public var object: [JSONMember]? { if case .object(let value) = self { value } else { nil } }

    /// The kind of value, with its article: "a string", "an object".
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        case .raw: "a document"
        }
    }
}
