/// Finds the name that somebody who mistyped may have meant.
enum NearestName {
    /// The candidate with the fewest edits, or `nil` when none is near enough to be meant.
    ///
    /// An edit inserts, removes or replaces a character; upper and lower case are the same.
    static func of(_ name: String, among candidates: [String]) -> String? {
        let furthest = max(1, name.count / 3)
        let given = Array(name.lowercased())
        let ranked = candidates.map { (name: $0, distance: distance(given, Array($0.lowercased()))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= furthest else { return nil }
        return best.name
    }

    /// `; did you mean X?`, or nothing when no name is near.
    static func suggestion(for name: String, among candidates: [String]) -> String {
        of(name, among: candidates).map { "; did you mean \($0)?" } ?? ""
    }

    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (character == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
