internal import APNsRules

extension JSONValue {
    /// Whether two documents are equal, whatever the order of members; of two members with one name the last counts.
    func isEquivalent(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.object(let left), .object(let right)):
            let mine = left.valuesByName
            let theirs = right.valuesByName
            return mine.count == theirs.count
                && theirs.allSatisfy { name, value in mine[name]?.isEquivalent(to: value) == true }
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.isEquivalent(to: $1) }
        default: return self == other
        }
    }

    /// Whether everything in `expected` is here: its members, and its elements in their order with others between.
    func includes(_ expected: JSONValue) -> Bool {
        switch (self, expected) {
        case (.object(let own), .object(let wanted)):
            // Searching for each of a few names is faster than a dictionary; for many it would be quadratic.
            let values = min(own.count, wanted.count) > 16 ? own.valuesByName : nil
            return wanted.allSatisfy { member in
                (values.map { $0[member.name] } ?? self[member.name])?.includes(member.value) == true
            }
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

    /// Whether a string contains `text`, or an array has it as an element, a number or a boolean as it is written.
    func contains(_ text: String) -> Bool {
        switch self {
        case .string(let value): value.utf8.span.contains(text.utf8.span)
        case .array(let elements): elements.contains { $0.isWritten(as: text) }
        default: false
        }
    }

    private func isWritten(as text: String) -> Bool {
        switch self {
        case .string(let value): value == text
        case .number, .bool: encodedText == text
        case .null, .array, .object, .raw: false
        }
    }

    /// Negative, zero or positive if this is below, equal to or above `other`; `nil` if they can't be compared.
    func compared(with other: JSONValue) -> Int? {
        func sign<Value: Comparable>(_ left: Value, _ right: Value) -> Int { left < right ? -1 : left > right ? 1 : 0 }
        switch (self, other) {
        case (.number(let left), .number(let right)):
            if let left = Int64(left.text), let right = Int64(right.text) { return sign(left, right) }
            return sign(left.double, right.double)
        case (.string(let left), .string(let right)): return sign(left, right)
        default: return nil
        }
    }

    /// The names, strings and numbers in a value, a line each, in lower case, as a search for words sees them.
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

extension [JSONMember] {
    /// The values of an object's members by name; of two members with one name the last counts.
    fileprivate var valuesByName: [String: JSONValue] {
        Dictionary(lazy.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }
}

extension Span<UInt8> {
    /// Whether these bytes contain `part`, found in time proportional to the bytes of both.
    func contains(_ part: Span<UInt8>) -> Bool {
        guard !part.isEmpty else { return true }
        guard count >= part.count else { return false }
        // Comparisons beyond the first byte of the part; repetitive bytes cause many.
        var furtherCount = 0
        var start = 0
        while start <= count - part.count {
            guard self[start] == part[0] else {
                start += 1
                continue
            }
            var length = 1
            while length < part.count, self[start + length] == part[length] { length += 1 }
            if length == part.count { return true }
            furtherCount += length
            if furtherCount > count { return containsInRepetitiveBytes(part, from: start) }
            start += 1
        }
        return false
    }

    /// The algorithm of Knuth, Morris and Pratt, which reads no byte twice but needs memory.
    private func containsInRepetitiveBytes(_ part: Span<UInt8>, from start: Int) -> Bool {
        // For each prefix of the part, the length of its longest proper prefix that is also its suffix.
        var borders = [0]
        borders.reserveCapacity(part.count)
        var length = 0
        for index in 1..<part.count {
            while length > 0, part[index] != part[length] { length = borders[length - 1] }
            if part[index] == part[length] { length += 1 }
            borders.append(length)
        }
        length = 0
        for index in start..<count {
            while length > 0, self[index] != part[length] { length = borders[length - 1] }
            if self[index] == part[length] { length += 1 }
            if length == part.count { return true }
        }
        return false
    }
}
