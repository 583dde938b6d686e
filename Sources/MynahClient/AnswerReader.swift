internal import APNsRules

/// A value within an answer, and its place there for the error about a wrong one.
struct AnswerReader {
    let json: JSONValue
    // The name of the document's type.
    private let document: String
    // The value's JSON pointer in the document.
    private let place: String

    /// A whole document, which errors call by the name of its type.
    init(_ json: JSONValue, of document: String) { self.init(json, document, "") }

    private init(_ json: JSONValue, _ document: String, _ place: String) {
        self.json = json
        self.document = document
        self.place = place
    }

    func value<Value: AnswerValue>() throws(ClientError) -> Value { try Value(self) }

    /// A member that each such object has, and that isn't null.
    func member<Value: AnswerValue>(_ name: String) throws(ClientError) -> Value {
        guard let value = json[name] else {
            let place = below(name)
            throw ClientError(
                .notMynah, "\(place) of the \(document) is missing: expected \(Value.expected)", field: place)
        }
        return try Value(AnswerReader(value, document, below(name)))
    }

    /// A member that may be null, or absent.
    func optional<Value: AnswerValue>(_ name: String) throws(ClientError) -> Value? {
        switch json[name] {
        case nil, .null?: nil
        case let value?: try Value(AnswerReader(value, document, below(name)))
        }
    }

    func requireObject() throws(ClientError) {
        guard json.object != nil else { throw unexpected(insteadOf: "an object") }
    }

    /// The elements of an array.
    func elements() throws(ClientError) -> [AnswerReader] {
        guard let array = json.array else { throw unexpected(insteadOf: "an array") }
        return array.enumerated().map { AnswerReader($1, document, below(String($0))) }
    }

    /// The members of an object whose names aren't known, in order.
    func members() throws(ClientError) -> [(name: String, value: AnswerReader)] {
        guard let members = json.object else { throw unexpected(insteadOf: "an object") }
        return members.map { ($0.name, AnswerReader($0.value, document, below($0.name))) }
    }

    /// The error for a value that has another form.
    func unexpected(insteadOf expected: String) -> ClientError {
        let subject = place.isEmpty ? "the \(document)" : "\(place) of the \(document)"
        return ClientError(.notMynah, "\(subject) is \(json.kind): expected \(expected)", field: place)
    }

    /// The error for a text that means nothing.
    func unreadable(_ text: String, insteadOf expected: String) -> ClientError {
        ClientError(.notMynah, "\(place) of the \(document) is \"\(text)\": expected \(expected)", field: place)
    }

    private func below(_ name: String) -> String {
        let isPlain = !name.utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }
        return "\(place)/\(isPlain ? name : name.replacing("~", with: "~0").replacing("/", with: "~1"))"
    }
}

/// What is read of an answer's JSON.
protocol AnswerValue: Sendable {
    /// What the JSON has to be, with its article, for an error.
    static var expected: String { get }
    init(_ answer: AnswerReader) throws(ClientError)
}

/// An object whose members are known.
protocol AnswerObject: ControlAnswer, AnswerValue {}
extension AnswerObject { static var expected: String { "an object" } }

/// A string of which some values are known.
protocol AnswerWord: ControlWord, AnswerValue {}
extension AnswerWord {
    static var expected: String { "a string" }
    init(_ answer: AnswerReader) throws(ClientError) { self.init(rawValue: try String(answer)) }
}

extension JSONValue: AnswerValue {
    static var expected: String { "a value" }
    init(_ answer: AnswerReader) { self = answer.json }
}

extension String: AnswerValue {
    static var expected: String { "a string" }
    init(_ answer: AnswerReader) throws(ClientError) {
        guard let text = answer.json.string else { throw answer.unexpected(insteadOf: String.expected) }
        self = text
    }
}

extension Bool: AnswerValue {
    static var expected: String { "true or false" }
    init(_ answer: AnswerReader) throws(ClientError) {
        guard let isTrue = answer.json.bool else { throw answer.unexpected(insteadOf: Bool.expected) }
        self = isTrue
    }
}

extension Int: AnswerValue {
    static var expected: String { "a whole number" }
    init(_ answer: AnswerReader) throws(ClientError) {
        guard let number = answer.json.integer.flatMap({ Int(exactly: $0) }) else {
            throw answer.unexpected(insteadOf: Int.expected)
        }
        self = number
    }
}

extension UInt64: AnswerValue {
    static var expected: String { Int.expected }
    init(_ answer: AnswerReader) throws(ClientError) {
        // `integer` has 63 bits and a sign.
        guard case .number(let number) = answer.json,
            let whole = UInt64(number.text) ?? number.integer.flatMap({ UInt64(exactly: $0) })
        else { throw answer.unexpected(insteadOf: UInt64.expected) }
        self = whole
    }
}

extension Double: AnswerValue {
    static var expected: String { "a number" }
    init(_ answer: AnswerReader) throws(ClientError) {
        guard case .number(let number) = answer.json else { throw answer.unexpected(insteadOf: Double.expected) }
        self = number.double
    }
}

extension Instant: AnswerValue {
    static var expected: String { "a time, RFC 3339" }
    init(_ answer: AnswerReader) throws(ClientError) {
        let text = try String(answer)
        guard let time = Instant(rfc3339: text) else { throw answer.unreadable(text, insteadOf: Instant.expected) }
        self = time
    }
}

extension Duration: AnswerValue {
    static var expected: String { "a duration, like 250ms" }
    init(_ answer: AnswerReader) throws(ClientError) {
        let text = try String(answer)
        guard let duration = DurationText.parse(text) else {
            throw answer.unreadable(text, insteadOf: Duration.expected)
        }
        self = duration
    }
}

extension Optional: AnswerValue where Wrapped: AnswerValue {
    static var expected: String { Wrapped.expected + " or null" }
    init(_ answer: AnswerReader) throws(ClientError) {
        self = if case .null = answer.json { nil } else { try Wrapped(answer) }
    }
}

extension Array: AnswerValue where Element: AnswerValue {
    static var expected: String { "an array" }
    init(_ answer: AnswerReader) throws(ClientError) {
        self.init()
        for element in try answer.elements() { append(try Element(element)) }
    }
}

extension Dictionary: AnswerValue where Key == String, Value: AnswerValue {
    static var expected: String { "an object" }
    init(_ answer: AnswerReader) throws(ClientError) {
        self.init()
        for (name, value) in try answer.members() { self[name] = try Value(value) }
    }
}
