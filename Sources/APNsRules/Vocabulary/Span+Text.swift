extension Span where Element == UInt8 {
    /// Eight bytes from `place` on, the first one most significant.
    @inline(__always)
    func word(at place: Int) -> UInt64 {
        precondition(place >= 0 && place <= count - 8)
        var word: UInt64 = 0
        for index in 0..<8 { word = word << 8 | UInt64(self[place &+ index]) }
        return word
    }

    package func equals(_ text: String) -> Bool {
        let utf8 = text.utf8.span
        guard count == utf8.count else { return false }
        for index in 0..<count where self[index] != utf8[index] { return false }
        return true
    }

    package func equals(_ bytes: [UInt8]) -> Bool {
        guard count == bytes.count else { return false }
        for index in 0..<count where self[index] != bytes[index] { return false }
        return true
    }

    package func starts(with text: String) -> Bool {
        count >= text.utf8.count && extracting(0..<text.utf8.count).equals(text)
    }

    package func ends(with text: String) -> Bool {
        count >= text.utf8.count && extracting((count - text.utf8.count)...).equals(text)
    }

    /// These bytes as text; U+FFFD replaces invalid UTF-8.
    package var text: String {
        var copy: [UInt8] = []
        copy.reserveCapacity(count)
        for index in 0..<count { copy.append(self[index]) }
        return String(decoding: copy, as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    mutating func consume(_ byte: UInt8) -> Bool {
        guard first == byte else { return false }
        removeFirst()
        return true
    }
}
