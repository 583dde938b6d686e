package import APNsRules

/// Finds the name that a misspelt one was meant to be.
package enum Spelling {
    /// The longest name, in bytes, that is compared: the time grows with the length, and longer ones aren't misspelt.
    private static let nameBytesMax = 256

    /// `: did you mean "name"?`, or nothing when no known name is near.
    package static func hint(_ name: String, _ known: [String]) -> String {
        // The first words of a name with hyphens, such as `log` of `log-level`.
        let begun = known.first { $0.utf8.count > name.utf8.count && $0.hasPrefix(name + "-") }
        // Any name is one edit away from a single letter.
        let sameLetters = known.first { letters(of: $0) == letters(of: name) }
        guard name.utf8.count <= nameBytesMax, name.count > 1,
            let meant = begun ?? sameLetters ?? nearest(to: name, among: known)
        else { return "" }
        return ": did you mean \"\(meant)\"?"
    }

    /// A name without case and hyphens, and without what the names of APNs' header fields begin with.
    private static func letters(of name: String) -> String {
        let letters = name.lowercased().filter { $0 != "-" && $0 != "_" }
        return letters.hasPrefix("apns") && letters.count > 6 ? String(letters.dropFirst(4)) : letters
    }

    /// The known name that is fewest edits away, upper and lower case alike; `nil` when more than a third of the
    /// letters, and more than one, would have to change, and for a name without letters: a number near to another one
    /// isn't that one misspelt; also `nil` for a name of more than 256 bytes.
    package static func nearest(to name: String, among known: [String]) -> String? {
        guard name.utf8.count <= nameBytesMax, name.contains(where: \.isLetter) else { return nil }
        let wanted = Array(name.lowercased())
        let candidates = known.map { (name: $0, distance: distance(wanted, Array($0.lowercased()))) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, wanted.count / 3) ? best.name : nil
    }

    /// Whether one name becomes the other by one letter that is changed, left out or added, or two that are swapped.
    package static func isOneEdit(from name: String, to other: String) -> Bool {
        guard max(name.utf8.count, other.utf8.count) <= nameBytesMax else { return false }
        return distance(Array(name), Array(other)) == 1
    }

    // Levenshtein's distance with neighbours swapped counted as one edit, a row at a time.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let substituted = last[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(substituted, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}

extension Reason {
    /// The known reason of which a text is a misspelling; `nil` for a known reason, and for a text unlike all of them.
    package static func misspelt(_ text: String) -> String? {
        guard Reason(anySpelling: text) == nil else { return nil }
        return Spelling.nearest(to: text, among: allCases.map(\.rawValue))
    }
}
