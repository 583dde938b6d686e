/// Makes a table out of a program: each state is the set of instructions at which the program can be.
struct PatternAutomatonBuilder {
    /// The most instructions that a build may visit: some milliseconds, for the worst patterns.
    static let workMax = 1 << 19
    /// The state after which no continuation makes a text match.
    static let dead = 0
    /// A part of the text has matched.
    static let accepting = 1

    let alphabet: ScalarAlphabet
    /// The next state by state and class, a row of the alphabet's count for each state.
    private(set) var table: [Int] = []
    private(set) var matchesAtEnd: [Bool] = []
    private(set) var start = 0

    private let program: PatternProgram
    // The number of the set of all word characters, if the pattern has a condition on words.
    private let wordSet: Int?
    private var states: [State] = []
    private var numbers: [State: Int] = [:]
    private var work = 0
    // Marks what has been seen, without clearing it each time.
    private var seen: [Int]
    private var round = 0

    /// The instructions that the program can have reached: they read a scalar, or wait for the next one to be known.
    private struct State: Hashable {
        var instructions: [Int] = []
        /// What stands before; always `other` if the program has no condition.
        var before = Neighbour.other
    }

    /// What stands before or after a place in the text.
    private enum Neighbour { case nothing, word, other }

    init(_ program: PatternProgram) throws(InputError) {
        let asksForWords = program.asksForWords
        self.program = program
        wordSet = asksForWords ? program.sets.count : nil
        self.alphabet = try ScalarAlphabet(program.sets + (asksForWords ? [.word] : []))
        self.seen = Array(repeating: 0, count: program.instructions.count)
    }

    mutating func build() throws(InputError) {
        states = [State(), State()]
        table = Array(repeating: PatternAutomatonBuilder.dead, count: alphabet.count)
        table += Array(repeating: PatternAutomatonBuilder.accepting, count: alphabet.count)
        matchesAtEnd = [false, true]
        start = try number(of: [0], .nothing)
        var next = 2
        while next < states.count {
            try appendRow(of: states[next])
            next += 1
        }
    }

    /// The number of the state that these instructions lead to, made if it is a new one.
    private mutating func number(of instructions: [Int], _ before: Neighbour) throws(InputError) -> Int {
        guard let reached = try reach(from: instructions, between: before, and: nil) else {
            return PatternAutomatonBuilder.accepting
        }
        guard !reached.isEmpty else { return PatternAutomatonBuilder.dead }
        let isWaiting = reached.contains(where: isCondition)
        let state = State(instructions: reached, before: isWaiting ? before : .other)
        if let known = numbers[state] { return known }
        guard (states.count + 1) * alphabet.count <= PatternAutomaton.entriesMax else {
            throw .complexPattern()
        }
        numbers[state] = states.count
        states.append(state)
        return states.count - 1
    }

    private mutating func appendRow(of state: State) throws(InputError) {
        matchesAtEnd.append(try readers(of: state, before: .nothing) == nil)
        let beforeWord = wordSet == nil ? nil : try readers(of: state, before: .word)
        let beforeOther = try readers(of: state, before: .other)
        // Most classes lead to the same few places.
        var known: [State: Int] = [:]
        for classID in 0..<alphabet.count {
            let isWord = wordSet.map { alphabet.isIn($0, classID) } ?? false
            guard let readers = isWord ? beforeWord : beforeOther else {
                table.append(PatternAutomatonBuilder.accepting)
                continue
            }
            try spend(work: readers.count)
            let read = readers.filter { instruction in
                guard case .scalar(let set) = program.instructions[instruction] else { return false }
                return alphabet.isIn(set, classID)
            }
            // The pattern may begin anew after every character.
            let target = State(instructions: [0] + read.map { $0 + 1 }, before: isWord ? .word : .other)
            if known[target] == nil { known[target] = try number(of: target.instructions, target.before) }
            table.append(known[target] ?? PatternAutomatonBuilder.dead)
        }
    }

    /// What the program can read if a character of this kind comes next; `nil` if it has matched before it.
    private mutating func readers(of state: State, before next: Neighbour) throws(InputError) -> [Int]? {
        guard state.instructions.contains(where: isCondition) else { return state.instructions }
        return try reach(from: state.instructions, between: state.before, and: next)
    }

    private func isCondition(_ instruction: Int) -> Bool {
        if case .assertion = program.instructions[instruction] { true } else { false }
    }

    /// The instructions that are reached from others without reading, in order; `nil` when the program matches.
    ///
    /// Conditions on the next scalar are reached and not passed while `after` is `nil`.
    private mutating func reach(
        from instructions: [Int], between before: Neighbour, and after: Neighbour?
    ) throws(InputError) -> [Int]? {
        round += 1
        var reached: [Int] = []
        var waiting = instructions
        while let instruction = waiting.popLast() {
            guard seen[instruction] != round else { continue }
            seen[instruction] = round
            try spend(work: 1)
            switch program.instructions[instruction] {
            case .match: return nil
            case .scalar: reached.append(instruction)
            case .jump(let target): waiting.append(target)
            case .branch(let first, let second): waiting += [first, second]
            case .assertion(.start): if before == .nothing { waiting.append(instruction + 1) }
            case .assertion(let assertion):
                if let after {
                    if holds(assertion, between: before, and: after) { waiting.append(instruction + 1) }
                } else {
                    reached.append(instruction)
                }
            }
        }
        return firstCopies(of: reached.sorted())
    }

    private func holds(_ assertion: PatternAssertion, between before: Neighbour, and after: Neighbour) -> Bool {
        switch assertion {
        case .start: before == .nothing
        case .end: after == .nothing
        case .wordBoundary: (before == .word) != (after == .word)
        case .noWordBoundary: (before == .word) == (after == .word)
        }
    }

    /// Leaves out instructions of a later copy of a repetition if an earlier copy, which matches more, is included.
    private mutating func firstCopies(of instructions: [Int]) -> [Int] {
        round += 1
        return instructions.filter { instruction in
            guard let first = program.firstCopies[instruction] else { return true }
            defer { seen[first] = round }
            return seen[first] != round
        }
    }

    private mutating func spend(work count: Int) throws(InputError) {
        work += count
        guard work <= PatternAutomatonBuilder.workMax else { throw .complexPattern() }
    }

    private static let prefixCountMax = 32

    /// The ASCII characters with which every text that matches begins, in lower case.
    var prefix: String {
        var prefix = ""
        var state = start
        while state > PatternAutomatonBuilder.accepting, !matchesAtEnd[state],
            prefix.utf8.count < PatternAutomatonBuilder.prefixCountMax
        {
            let row = table[(state * alphabet.count)..<((state + 1) * alphabet.count)]
            let living = row.indices.filter { row[$0] != PatternAutomatonBuilder.dead }
            guard living.count == 1, let entry = living.first,
                let members = alphabet.asciiMembers(of: entry - row.startIndex)
            else { break }
            let letters = Set(members.map { String(Unicode.Scalar($0)).lowercased() })
            guard letters.count == 1, let letter = letters.first else { break }
            prefix += letter
            state = row[entry]
        }
        return prefix
    }
}
