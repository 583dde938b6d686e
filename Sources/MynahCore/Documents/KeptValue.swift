package import APNsRules

/// A value that is kept as JSON, and read by the rules by which it was accepted.
package protocol KeptValue {
    /// - Throws: ``InputError`` of a place in the document.
    init(kept json: JSONValue, at place: String) throws(InputError)
    /// The value as JSON; reading it gives an equal value.
    var json: JSONValue { get }
}

extension JSONValue: KeptValue {
    package init(kept json: JSONValue, at place: String) { self = json }
    package var json: JSONValue { self }
}

extension KeptValue where Self: FixedWidthInteger {
    package init(kept json: JSONValue, at place: String) throws(InputError) {
        guard case .number(let number) = json, let whole = Self(number.text) else {
            throw .mismatch(json, at: place, expected: "a whole number from \(Self.min) to \(Self.max)")
        }
        self = whole
    }

    package var json: JSONValue { .whole(self) }
}

extension Int: KeptValue {}
extension Int32: KeptValue {}
extension Int64: KeptValue {}
extension UInt64: KeptValue {}

/// In milliseconds.
extension Instant: KeptValue {
    package init(kept json: JSONValue, at place: String) throws(InputError) {
        self.init(milliseconds: try Int64(kept: json, at: place))
    }

    package var json: JSONValue { .whole(milliseconds) }
}

extension ChannelID: KeptValue {
    package init(kept json: JSONValue, at place: String) throws(InputError) {
        guard let id = json.string.flatMap({ ChannelID($0) }) else {
            throw .mismatch(json, at: place, expected: "a channel's id")
        }
        self = id
    }

    package var json: JSONValue { .string(text) }
}

extension Array: KeptValue where Element: KeptValue {
    package init(kept json: JSONValue, at place: String) throws(InputError) {
        guard let elements = json.array else { throw .mismatch(json, at: place, expected: "an array") }
        self = []
        reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() { append(try Element(kept: element, at: "\(place)/\(index)")) }
    }

    package var json: JSONValue { .array(map(\.json)) }
}
