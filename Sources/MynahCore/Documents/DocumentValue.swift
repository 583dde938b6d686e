package import APNsRules

/// A value of a member of a document: its form, and how it is read and printed.
package protocol DocumentValue: KeptValue, Sendable, Equatable {
    static var form: Form { get }
    /// Whether `null` is one of the values.
    static var isOptional: Bool { get }
    /// Reads a value that has the form.
    init(json: JSONValue, at place: String) throws(InputError)
}

extension DocumentValue {
    package static var isOptional: Bool { false }

    /// Checks the form, and reads the value.
    package init(kept json: JSONValue, at place: String) throws(InputError) {
        if !Self.isOptional || json != .null { try Self.form.check(json, at: place) }
        try self.init(json: json, at: place)
    }
}

extension Bool: DocumentValue {
    package static var form: Form { .bool }
    package init(json: JSONValue, at place: String) throws(InputError) { self = json.bool == true }
    package var json: JSONValue { .bool(self) }
}

extension String: DocumentValue {
    package static var form: Form { .anyText }
    package init(json: JSONValue, at place: String) throws(InputError) { self = json.string ?? "" }
    package var json: JSONValue { .string(self) }
}

/// In whole milliseconds.
extension Duration: DocumentValue {
    package static var form: Form { .duration(.zero...Form.durationMax) }
    package init(json: JSONValue, at place: String) throws(InputError) {
        self = DurationText.parse(json.string ?? "") ?? .zero
    }
    package var json: JSONValue { .duration(self) }
}

/// What reads and prints an enumeration by its names.
extension DocumentValue where Self: RawRepresentable<String> & CaseIterable {
    package static var form: Form { .choice(Self.self) }

    package init(json: JSONValue, at place: String) throws(InputError) {
        guard let name = json.string, let value = Self(rawValue: name) else {
            throw .mismatch(json, at: place, expected: Self.form.expected)
        }
        self = value
    }

    package var json: JSONValue { .string(rawValue) }
}

/// `null` is `nil`.
extension Optional: KeptValue, DocumentValue where Wrapped: DocumentValue {
    package static var form: Form { Wrapped.form }
    package static var isOptional: Bool { true }

    package init(json: JSONValue, at place: String) throws(InputError) {
        self = json == .null ? nil : try Wrapped(json: json, at: place)
    }

    package var json: JSONValue { self?.json ?? .null }
}

extension Array: DocumentValue where Element: DocumentValue {
    package static var form: Form { .array(of: Element.form) }

    package init(json: JSONValue, at place: String) throws(InputError) {
        self = []
        for (index, element) in (json.array ?? []).enumerated() {
            append(try Element(json: element, at: "\(place)/\(index)"))
        }
    }
}

/// Printed in the order of all cases.
extension Set: KeptValue, DocumentValue where Element: DocumentValue & CaseIterable {
    package static var form: Form { .array(of: Element.form) }

    package init(json: JSONValue, at place: String) throws(InputError) {
        self = Set(try [Element](json: json, at: place))
    }

    package var json: JSONValue { .array(Element.allCases.filter(contains).map(\.json)) }
}

/// A described value that is a member of another document; the OpenAPI document has its form under a name.
protocol DescribedValue: Described, DocumentValue {
    static var formName: String { get }
}

extension DescribedValue {
    package static var form: Form { .named(formName, .object(fields.making)) }

    package init(json: JSONValue, at place: String) throws(InputError) {
        self.init()
        try Self.fields.read(try ObjectReader(json, at: place, Self.fields.making), into: &self)
    }

    package var json: JSONValue { .object(Self.fields.members(of: self)) }
}
