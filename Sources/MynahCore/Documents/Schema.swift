package import APNsRules

/// The members of a JSON object: what ``ObjectReader`` accepts, and what the control API's OpenAPI document describes.
package struct Schema: Sendable, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package let members: [Member]
    package init(_ members: [Member]) { self.members = members }
    package init(arrayLiteral members: Member...) { self.members = members }
    package init(dictionaryLiteral forms: (String, Form)...) { members = forms.map { Member($0, $1) } }
    package var names: [String] { members.map(\.name) }
    package subscript(name: String) -> Member? { members.first { $0.name == name } }
    package static func + (left: Schema, right: Schema) -> Schema { Schema(left.members + right.members) }
}

package struct Member: Sendable {
    package let name: String
    package let form: Form
    /// The description in the OpenAPI document and in the help of commands, one or two sentences; may be empty.
    package let summary: String
    package let standard: JSONValue?
    package let isRequired: Bool
    /// Whether `null`, as it is of a variable that is not set, counts as absent; not where that would mean everything.
    package let mayBeNull: Bool
    /// Whether a document without the member has `null` there, and not an object of defaults.
    package let isNullByDefault: Bool
    /// Whether some answers don't have the member.
    package let isOptional: Bool
    /// Values in the OpenAPI document, where the sentence alone does not show what is meant.
    package let examples: [JSONValue]

    package init(
        _ name: String, _ form: Form, summary: String = "", default standard: JSONValue? = nil,
        isRequired: Bool = false, mayBeNull: Bool = true, isNullByDefault: Bool = false, isOptional: Bool = false,
        examples: [JSONValue] = []
    ) {
        self.name = name
        self.form = form
        self.summary = summary
        self.standard = standard
        self.isRequired = isRequired
        self.mayBeNull = mayBeNull && !isRequired
        self.isNullByDefault = isNullByDefault
        self.isOptional = isOptional
        self.examples = examples
    }
}

/// A type of JSON.
package enum JSONType: String, Sendable {
    case number, string, object

    fileprivate var noun: String { self == .object ? "an object" : "a \(rawValue)" }

    fileprivate func has(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.number, .number), (.string, .string), (.object, .object): true
        default: false
        }
    }
}

/// What a value in a document may be.
package indirect enum Form: Sendable {
    /// Anything; a value of a document of its own is described under that name in the OpenAPI document.
    case any(schema: String? = nil)
    /// A value of one of these types, whatever is in it.
    case types([JSONType])
    case bool
    case integer(ClosedRange<Int64>)
    case number
    /// A number above 0 and at most 1.
    case fraction
    /// A string with a number of bytes in a range.
    case text(ClosedRange<Int>)
    /// ASCII letters, digits and `punctuation`, as they may stand in a URL; errors name the thing by the noun.
    case name(String, bytesMax: Int, punctuation: String = "._-")
    /// Pairs of hexadecimal digits.
    case hexadecimal(bytes: ClosedRange<Int>)
    case choice([String])
    case duration(ClosedRange<Duration>)
    case time
    case array(of: Form, ClosedRange<Int> = 0...Int.max)
    /// An object with any names, whose values are of one form.
    case map(of: Form, countMax: Int = .max)
    case object(Schema)
    case nullable(Form)
    /// A form that the OpenAPI document describes under a name.
    case named(String, Form)
    /// A form of a member of an answer, and what the OpenAPI document says about it.
    case described(Form, String)
    /// A string of the first form, or a number, duration or object of the second; also a value of some
    /// types, or an array.
    case either(Form, Form)

    package static let anyText = Form.text(0...Int.max)
    package static let someText = Form.text(1...Int.max)
    package static let nullableText = Form.nullable(.anyText)
    /// Bytes of a device's name, model or version, and of the name of a type.
    package static let shortTextBytesMax = 256
    package static let shortText = Form.text(1...shortTextBytesMax)
    /// Any whole number.
    package static let whole = Form.integer(Int64.min...Int64.max)
    /// The longest duration that a text can write.
    package static let durationMax = Duration.milliseconds(Int64.max)

    package func described(_ summary: String) -> Form { summary.isEmpty ? self : .described(self, summary) }

    /// The form of such a value in an answer, which states no limits.
    package var shown: Form {
        switch self {
        case .text, .name, .hexadecimal: .anyText
        case .integer: .whole
        case .array(let form, _): .array(of: form.shown)
        case .map(let form, _): .map(of: form.shown)
        case .nullable(let form): .nullable(form.shown)
        case .described(let form, let summary): .described(form.shown, summary)
        default: self
        }
    }

    /// An array of documents that the OpenAPI document describes under a name.
    package static func list(_ item: String) -> Form { .array(of: .any(schema: item)) }

    package static func integer(_ range: ClosedRange<Int>) -> Form {
        .integer(Int64(range.lowerBound)...Int64(range.upperBound))
    }

    package static func choice<Choice: RawRepresentable<String> & CaseIterable>(_: Choice.Type) -> Form {
        .choice(Choice.allCases.map(\.rawValue))
    }

    package var expected: String {
        switch self {
        case .any: "a value"
        case .types(let types): InputError.alternatives(types.map(\.noun))
        case .bool: "true or false"
        case .integer(let range):
            "a whole number from \(range.lowerBound)" + (range.upperBound == .max ? "" : " to \(range.upperBound)")
        case .number: "a number"
        case .fraction: "a number above 0 and at most 1"
        case .text(0...Int.max): "a string"
        case .text(1...Int.max): "a string that is not empty"
        case .text(let range): "a string of \(Form.count(range)) bytes"
        case .name(let noun, let bytesMax, let punctuation):
            "\(noun) of 1 to \(bytesMax) characters of A-Z a-z 0-9\(punctuation.map { " \($0)" }.joined())"
        case .hexadecimal(let bytes): "\(2 * bytes.lowerBound) to \(2 * bytes.upperBound) hexadecimal digits"
        case .choice(let names): InputError.alternatives(names)
        case .duration(let range):
            "a duration with a unit, such as \(InputError.alternatives(DurationText.examples)),"
                + " from \(DurationText.text(range.lowerBound))"
                + (range.upperBound == Form.durationMax ? "" : " to \(DurationText.text(range.upperBound))")
        case .time: "a time in RFC 3339, such as 2026-11-21T09:30:00Z"
        case .array(_, 0...Int.max): "an array"
        case .array(_, let range): "an array of \(Form.count(range)) elements"
        case .map(_, Int.max), .object: "an object"
        case .map(_, let countMax): "an object of at most \(countMax) members"
        case .nullable(let form): "\(form.expected) or null"
        case .named(_, let form), .described(let form, _): form.expected
        case .either(let first, let second): "\(first.expected), or \(second.expected)"
        }
    }

    private static func count(_ range: ClosedRange<Int>) -> String {
        switch range.lowerBound {
        case 0: "at most \(range.upperBound)"
        case range.upperBound: "\(range.upperBound)"
        default: "\(range.lowerBound) to \(range.upperBound)"
        }
    }

    /// Checks a value; `null` inside of it is a value of the form `any` only.
    package func check(_ value: JSONValue, at place: String) throws(InputError) {
        switch (self, value) {
        case (.any, _), (.bool, .bool), (.number, .number), (.nullable, .null): return
        case (.named(_, let form), _), (.described(let form, _), _): return try form.check(value, at: place)
        case (.types(let types), _): if types.contains(where: { $0.has(value) }) { return }
        case (.integer(let range), .number): if let number = value.integer, range.contains(number) { return }
        case (.fraction, .number(let number)): if number.double > 0, number.double <= 1 { return }
        case (.text(let range), .string(let text)): if range.contains(text.utf8.count) { return }
        case (.name(_, let bytesMax, let punctuation), .string(let text)):
            if Form.isName(text, bytesMax: bytesMax, punctuation: punctuation) { return }
        case (.hexadecimal(let bytes), .string(let text)):
            let isPaired = text.utf8.count.isMultiple(of: 2) && bytes.contains(text.utf8.count / 2)
            if isPaired, text.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit) { return }
        case (.choice(let names), .string(let text)):
            guard names.contains(text) else { throw .unlisted(text, at: place, among: names) }
            return
        case (.duration(let range), .string(let text)):
            if let duration = DurationText.parse(text) { return try Form.check(duration, text, in: range, at: place) }
        case (.time, .string(let text)): if Instant(rfc3339: text) != nil { return }
        case (.array(let form, let range), .array(let elements)):
            guard range.contains(elements.count) else {
                let given = elements.count == 1 ? "1 element is" : "\(elements.count) elements are"
                throw InputError(at: place, "\(given) not valid: expected \(expected)")
            }
            for (index, element) in elements.enumerated() { try form.check(element, at: "\(place)/\(index)") }
            return
        case (.map(let form, let countMax), .object(let members)):
            guard members.count <= countMax else {
                throw InputError(at: place, "\(members.count) members are not valid: expected \(expected)")
            }
            for member in members { try form.check(member.value, at: JSONPointer.below(place, member.name)) }
            return
        case (.object(let schema), .object):
            _ = try ObjectReader(value, at: place, schema)
            return
        case (.nullable(.text), .string): return
        case (.either(.types(let types), let form), _):
            if types.contains(where: { $0.has(value) }) { return }
            if case .array = value { return try form.check(value, at: place) }
        case (.either(let first, _), .string): return try first.check(value, at: place)
        case (.either(_, let form), .object), (.either(_, let form), .number):
            switch (form, value) {
            case (.object, .object), (.map, .object), (.integer, .number): return try form.check(value, at: place)
            default: break
            }
        default: break
        }
        throw .mismatch(value, at: place, expected: expected, allowed: allowed)
    }

    private static func check(
        _ duration: Duration, _ text: String, in range: ClosedRange<Duration>, at place: String
    ) throws(InputError) {
        guard duration <= range.upperBound else {
            throw InputError(at: place, "\(text) is too long: expected at most \(DurationText.text(range.upperBound))")
        }
        guard duration >= range.lowerBound else {
            throw InputError(
                at: place, "\(text) is too short: expected at least \(DurationText.text(range.lowerBound))")
        }
    }

    private var allowed: [String] {
        switch self {
        case .bool: ["true", "false"]
        case .choice(let names), .either(.choice(let names), _): names
        default: []
        }
    }

    /// What a name is of, its longest length and its punctuation; `nil` for another form.
    var name: (noun: String, bytesMax: Int, punctuation: String)? {
        guard case .name(let noun, let bytesMax, let punctuation) = self else { return nil }
        return (noun, bytesMax, punctuation)
    }

    /// Whether a text is 1 to `bytesMax` of `A-Z a-z 0-9` and some punctuation.
    package static func isName(_ text: String, bytesMax: Int, punctuation: String = "._-") -> Bool {
        (1...bytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || punctuation.utf8.contains($0) }
    }
}
