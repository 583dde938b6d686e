internal import APNsRules

extension JSONValue {
    /// Whether two documents say the same; the order of members does not count, of two with one name the last does.
    func isEquivalent(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.object(let left), .object(let right)):
            Set(left.map(\.name)) == Set(right.map(\.name))
                && right.allSatisfy { member in
                    guard let mine = self[member.name], let theirs = other[member.name] else { return false }
                    return mine.isEquivalent(to: theirs)
                }
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isEquivalent(to: $1) }
        default: self == other
        }
    }

    /// Whether everything in `expected` is here: its members, and its elements in their order with others between.
    func includes(_ expected: JSONValue) -> Bool {
        switch (self, expected) {
        case (.object, .object(let members)):
            return members.allSatisfy { self[$0.name]?.includes($0.value) == true }
        case (.array(let elements), .array(let wanted)):
            var rest = elements[...]
            for value in wanted {
                guard let index = rest.firstIndex(where: { $0.includes(value) }) else { return false }
                rest = rest[(index + 1)...]
            }
            return true
        default: return isEquivalent(to: expected)
        }
    }

    /// Whether this is the string, or the number or truth value that is written so.
    func isWritten(_ text: String) -> Bool {
        switch self {
        case .string(let value): return value == text
        case .bool(let value): return text == (value ? "true" : "false")
        case .number(let value):
            guard case .number(let expected)? = try? JSONValue(parsing: text) else { return false }
            return value == expected
        default: return false
        }
    }

    /// Whether a string has `text` in it, or an array a string that equals it.
    func contains(_ text: String) -> Bool {
        switch self {
        case .string(let value): Array(value.utf8).hasInIt(Array(text.utf8))
        case .array(let elements): elements.contains { $0.string == text }
        default: false
        }
    }

    /// Below zero, zero or above it, as this is below, equal to or above `other`; `nil` when they cannot be compared.
    func compared(with other: JSONValue) -> Int? {
        switch (self, other) {
        case (.number(let left), .number(let right)):
            if let left = Int64(left.text), let right = Int64(right.text) {
                return left < right ? -1 : left > right ? 1 : 0
            }
            return left.double < right.double ? -1 : left.double > right.double ? 1 : 0
        case (.string(let left), .string(let right)): return left < right ? -1 : left > right ? 1 : 0
        default: return nil
        }
    }

    /// All names, strings and numbers in it, a line each, in lower case, as a search for words sees them.
    var searchText: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let value): value.text
        case .string(let value): value.lowercased()
        case .array(let elements): elements.map(\.searchText).joined(separator: "\n")
        case .object(let members):
            members.map { $0.name.lowercased() + "\n" + $0.value.searchText }.joined(separator: "\n")
        case .raw(let bytes): String(decoding: bytes, as: UTF8.self).lowercased()
        }
    }
}

extension [UInt8] {
    /// Whether `part` is somewhere in these bytes.
    func hasInIt(_ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard count >= part.count else { return false }
        for start in 0...(count - part.count) where self[start] == first {
            if self[start..<start + part.count].elementsEqual(part) { return true }
        }
        return false
    }
}
