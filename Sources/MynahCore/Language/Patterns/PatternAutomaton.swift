/// A deterministic automaton: one table lookup for each character of a text.
///
/// Immutable, so that all threads share it. A row of the table is a state and has the next state for each class of
/// characters; a state's number is the offset of its row.
final class PatternAutomaton: Sendable {
    /// The most entries of the table, two bytes each; a pattern that needs more is refused, so that a rule costs every
    /// push the same few nanoseconds for each byte, whatever its pattern.
    static let entriesMax = 16_384
    private let ascii: [UInt8]
    private let alphabet: ScalarAlphabet
    private let table: [UInt16]
    private let start: Int
    // The number of the accepting state; all states above it are undecided, and the one below is dead.
    private let accepting: Int
    // Whether a text that ends in a row's state matches, by the number of the row.
    private let matchesAtEnd: [Bool]
    /// The characters with which every text that matches begins, in lower case; empty when that is not known.
    let prefix: String

    init(_ program: PatternProgram) throws(InputError) {
        var builder = try PatternAutomatonBuilder(program)
        try builder.build()
        alphabet = builder.alphabet
        ascii = builder.alphabet.ascii
        matchesAtEnd = builder.matchesAtEnd
        prefix = builder.prefix
        let width = alphabet.count
        table = builder.table.map { UInt16($0 * width) }
        start = builder.start * width
        accepting = PatternAutomatonBuilder.accepting * width
    }

    var byteCount: Int { table.count * 2 + matchesAtEnd.count + alphabet.byteCount }

    /// Reads a text until it is decided whether it matches; answers that, and how many of its bytes were read.
    func read(_ text: String) -> (isMatch: Bool, byteCount: Int) {
        let table = table
        let ascii = ascii
        let bytes = text.utf8.span
        var state = start
        var index = 0
        while state > accepting {
            guard index < bytes.count else { return (matchesAtEnd[state / alphabet.count], index) }
            let byte = bytes[index]
            let classID: UInt8
            if byte < 0x80 {
                classID = ascii[Int(byte)]
                index += 1
            } else {
                classID = alphabet.classID(of: PatternAutomaton.scalar(bytes, &index))
            }
            state = Int(table[state + Int(classID)])
        }
        return (state == accepting, index)
    }

    /// Reads a text with four automata side by side; whether it matches, for each.
    static func read(_ text: PatternText, _ lanes: (Lane, Lane, Lane, Lane)) -> [Bool] {
        let characters = text.characters.span
        // Local copies, so that they can stay in registers.
        var first = lanes.0.state
        var second = lanes.1.state
        var third = lanes.2.state
        var fourth = lanes.3.state
        var index = 0
        while index < characters.count {
            let end = min(index + blockCount, characters.count)
            while index < end {
                let character = characters[index]
                if character.value < 0x80 {
                    let value = Int(character.value)
                    first = lanes.0.next(first, value)
                    second = lanes.1.next(second, value)
                    third = lanes.2.next(third, value)
                    fourth = lanes.3.next(fourth, value)
                } else {
                    first = lanes.0.next(first, beyondASCII: character)
                    second = lanes.1.next(second, beyondASCII: character)
                    third = lanes.2.next(third, beyondASCII: character)
                    fourth = lanes.3.next(fourth, beyondASCII: character)
                }
                index += 1
            }
            if lanes.0.hasDecided(first), lanes.1.hasDecided(second), lanes.2.hasDecided(third),
                lanes.3.hasDecided(fourth)
            {
                break
            }
        }
        return [
            lanes.0.matches(endingIn: first), lanes.1.matches(endingIn: second), lanes.2.matches(endingIn: third),
            lanes.3.matches(endingIn: fourth),
        ]
    }

    /// The number of characters between two checks whether all four have decided.
    private static let blockCount = 32

    struct Lane {
        private let automaton: PatternAutomaton
        private let table: [UInt16]
        private let ascii: [UInt8]

        init(_ automaton: PatternAutomaton) {
            self.automaton = automaton
            table = automaton.table
            ascii = automaton.ascii
        }

        fileprivate var state: Int { automaton.start }

        @inline(__always)
        fileprivate func next(_ state: Int, _ character: Int) -> Int {
            Int(table.span[state &+ Int(ascii.span[character])])
        }

        @inline(never)
        fileprivate func next(_ state: Int, beyondASCII character: PatternText.Character) -> Int {
            Int(table[state + Int(automaton.alphabet.classID(of: character.value, character.kind))])
        }

        /// Whether the rest of the text makes no difference: the rows of both such states lead to themselves.
        fileprivate func hasDecided(_ state: Int) -> Bool { state <= automaton.accepting }

        fileprivate func matches(endingIn state: Int) -> Bool {
            hasDecided(state) ? state == automaton.accepting : automaton.matchesAtEnd[state / automaton.alphabet.count]
        }
    }

    /// Whether some text matches.
    var canMatch: Bool {
        var seen: Set<Int> = [start]
        var waiting = [start]
        while let state = waiting.popLast() {
            if state == accepting || state > accepting && matchesAtEnd[state / alphabet.count] { return true }
            for next in table[state..<(state + alphabet.count)] where seen.insert(Int(next)).inserted {
                waiting.append(Int(next))
            }
        }
        return false
    }

    /// Where an automaton can be after one of several texts of the same length.
    struct Walk: Equatable {
        private let automaton: PatternAutomaton
        // In order.
        private var states: [Int]

        init(_ automaton: PatternAutomaton) {
            self.automaton = automaton
            states = [automaton.start]
        }

        static func == (left: Walk, right: Walk) -> Bool { left.states == right.states }

        /// Whether one of the texts matches, whatever follows it.
        var hasMatched: Bool { states.contains(automaton.accepting) }
        /// Whether one of the texts matches if it ends here.
        var matchesAtEnd: Bool {
            states.contains { $0 > automaton.accepting && automaton.matchesAtEnd[$0 / automaton.alphabet.count] }
        }

        /// The classes of ASCII characters, for ``read(anyOf:)``.
        func classes(of characters: Set<UInt8>) -> [Int] {
            Set(characters.map { Int(automaton.ascii[Int($0)]) }).sorted()
        }

        /// Reads any character of some classes; returns whether a text can still match.
        mutating func read(anyOf classes: [Int]) -> Bool {
            let width = automaton.alphabet.count
            var isReached = Array(repeating: false, count: automaton.matchesAtEnd.count)
            for state in states {
                for classID in classes { isReached[Int(automaton.table[state + classID]) / width] = true }
            }
            states = isReached.indices.filter { isReached[$0] && $0 != PatternAutomatonBuilder.dead }.map { $0 * width }
            return !states.isEmpty
        }
    }

    /// Decodes a scalar beyond ASCII; a `String` has well-formed UTF-8 only.
    private static func scalar(_ bytes: Span<UInt8>, _ index: inout Int) -> UInt32 {
        let first = UInt32(bytes[index])
        let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var value = first & (0x7F >> UInt32(count))
        for offset in 1..<count { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
        index += count
        return value
    }
}

/// A text that several patterns read side by side.
///
/// One automaton waits for memory at every character, because each table lookup depends on the one before. Four that
/// take the same character in turn wait at the same time, and so take little longer than one.
struct PatternText {
    /// A scalar; beyond ASCII with its kind, which is costly to find.
    struct Character {
        let value: UInt32
        let kind: ScalarKind
    }

    let characters: [Character]

    init(_ text: String) {
        characters = text.unicodeScalars.map { Character(value: $0.value, kind: $0.isASCII ? .other : ScalarKind($0)) }
    }

    func outcomes(of patterns: [Pattern]) -> [Bool] {
        var outcomes: [Bool] = []
        outcomes.reserveCapacity(patterns.count)
        while outcomes.count < patterns.count {
            let first = outcomes.count
            // Fewer than four may be left at the end: then the last one is read several times.
            func lane(_ offset: Int) -> PatternAutomaton.Lane { patterns[min(first + offset, patterns.count - 1)].lane }
            let four = PatternAutomaton.read(self, (lane(0), lane(1), lane(2), lane(3)))
            outcomes += four.prefix(patterns.count - first)
        }
        return outcomes
    }
}
