/// Finds the name that somebody who mistyped may have meant.
enum NearestName {
    /// The candidate with the fewest edits, or `nil` when every one is too far away to be meant.
    ///
    /// One edit inserts, removes, replaces or swaps neighbours. A candidate that the name is the beginning of
    /// counts as one edit away. Ties go to the earlier candidate. Costs the product of the lengths for each.
    static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
        // Two thirds of a short name replaced is another name, so the bound grows with the length.
        let furthest = max(1, min(4, name.count / 3))
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let isBeginning = name.count >= 3 && candidate.hasPrefix(name)
            let distance = isBeginning ? 1 : distance(Array(name.utf8), Array(candidate.utf8))
            if distance <= furthest, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// `; did you mean X?`, or nothing when no name is near.
    static func suggestion(for name: String, among candidates: some Sequence<String>, prefix: String = "") -> String {
        guard let nearest = of(name, among: candidates) else { return "" }
        return "; did you mean \(prefix)\(nearest)?"
    }

    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1...max(1, left.count) where row <= left.count {
            var current = [row]
            for column in 0..<right.count {
                let isSame = left[row - 1] == right[column]
                var cost = min(current[column] + 1, last[column + 1] + 1, last[column] + (isSame ? 0 : 1))
                if row > 1, column > 0, left[row - 1] == right[column - 1], left[row - 2] == right[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
