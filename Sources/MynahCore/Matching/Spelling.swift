/// Finds what somebody meant who misspelt a name.
package enum Spelling {
    /// The known name that is fewest edits away, upper and lower case alike; `nil` when more than a third of the
    /// letters, and more than one, would have to change.
    package static func nearest(to name: String, among known: [String]) -> String? {
        let wanted = Array(name.lowercased())
        let candidates = known.map { (name: $0, distance: distance(wanted, Array($0.lowercased()))) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, wanted.count / 3) ? best.name : nil
    }

    // Levenshtein's distance, one row at a time.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let substituted = diagonal + (character == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
