/// A text that several patterns read side by side.
///
/// One automaton waits for memory at every character, since each look into its table depends on the one before. Four
/// that take the same character in turn wait at the same time, and so need little longer than one.
struct PatternText {
    /// A scalar of the text; beyond ASCII with its kind, which is costly to find out.
    struct Character {
        let value: UInt32
        let kind: ScalarKind
    }

    /// The text.
    let characters: [Character]
    /// How many automata read side by side.
    private static let laneCount = 4

    /// Prepares a text for any number of patterns.
    init(_ text: String) {
        characters = text.unicodeScalars.map { scalar in
            Character(value: scalar.value, kind: scalar.isASCII ? .other : ScalarKind(scalar))
        }
    }

    /// Whether each of some patterns matches.
    func outcomes(of patterns: [Pattern]) -> [Bool] {
        var outcomes: [Bool] = []
        outcomes.reserveCapacity(patterns.count)
        while outcomes.count < patterns.count {
            let first = outcomes.count
            // Of the last ones there may be fewer than four: then one is read several times.
            func lane(_ offset: Int) -> PatternAutomaton.Lane { patterns[min(first + offset, patterns.count - 1)].lane }
            let four = PatternAutomaton.read(self, (lane(0), lane(1), lane(2), lane(3)))
            outcomes += four.prefix(patterns.count - first)
        }
        return outcomes
    }
}
