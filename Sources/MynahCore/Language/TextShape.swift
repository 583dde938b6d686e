internal import APNsRules

/// The texts that a key of the filter language can have, as far as their length and the characters at each place tell, so
/// that a part or a pattern which no such text can meet is refused.
struct TextShape {
    /// The ASCII characters at each place; the last set is for all further places.
    private let places: [Set<UInt8>]
    private let lengths: ClosedRange<Int>
    /// What each length is a multiple of.
    private let step: Int

    private init(_ places: [Set<UInt8>], lengths: ClosedRange<Int>, step: Int = 1) {
        self.places = places
        self.lengths = lengths
        self.step = step
    }

    /// `nil` for a key whose values may have any character.
    init?(of key: FilterKey) {
        switch (key, key.facts.alphabet) {
        case (.token, _): self.init([TextShape.digits], lengths: 2...(2 * DeviceToken.byteCountMax), step: 2)
        case (.apnsId, _), (.uniqueId, _):
            let places = FilterKey.exampleID.utf8.map { $0 == TextShape.hyphen ? [$0] : TextShape.digits }
            self.init(places, lengths: places.count...places.count)
        case (_, .identifiers):
            let length = Limits.identifierLength
            self.init([TextShape.alphanumerics], lengths: length...length)
        case (_, .names(let form)):
            guard let name = form.name else { return nil }
            self.init([TextShape.alphanumerics.union(name.punctuation.utf8)], lengths: 1...name.bytesMax)
        default: return nil
        }
    }

    private static let hyphen = UInt8(ascii: "-")
    private static let digits = Set("0123456789abcdef".utf8)
    private static let alphanumerics = Set(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

    private func characters(at place: Int) -> Set<UInt8> { places[min(place, places.count - 1)] }

    /// Whether such a text may begin with a part.
    func mayBegin(with part: String) -> Bool { mayHave(Array(part.utf8), at: 0) }

    /// Whether such a text may contain a part.
    func mayContain(_ part: String) -> Bool {
        let bytes = Array(part.utf8)
        return places.indices.contains { mayHave(bytes, at: $0) }
    }

    private func mayHave(_ part: [UInt8], at start: Int) -> Bool {
        start + part.count <= lengths.upperBound
            && part.enumerated().allSatisfy { offset, byte in characters(at: start + offset).contains(byte) }
    }

    /// Whether some such text matches a pattern.
    func mayMatch(_ pattern: Pattern) -> Bool {
        var walk = pattern.walk
        let classes = places.map { walk.classes(of: $0) }
        for place in 0...lengths.upperBound {
            if walk.hasMatched { return true }
            if place >= lengths.lowerBound, place.isMultiple(of: step), walk.matchesAtEnd { return true }
            guard place < lengths.upperBound else { return false }
            let before = walk
            guard walk.read(anyOf: classes[min(place, classes.count - 1)]) else { return false }
            // Where nothing changes any more, the rest of the places decides nothing.
            if place >= max(classes.count, lengths.lowerBound), walk == before {
                return walk.matchesAtEnd && place + step <= lengths.upperBound
            }
        }
        return false
    }
}
