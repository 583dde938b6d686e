/// A pattern as instructions: a nondeterministic automaton whose states are the places between them.
struct PatternProgram {
    enum Instruction: Equatable {
        /// Reads one scalar of the set with this number.
        case scalar(Int)
        case assertion(PatternAssertion)
        case branch(Int, Int)
        case jump(Int)
        case match
    }

    /// The most instructions, repetitions written out; far more than a pattern without counts can have.
    static let instructionsMax = 4096
    /// The most different characters and classes of a pattern; with one more they have a bit each in four words.
    static let setsMax = 200

    private(set) var instructions: [Instruction] = []
    private(set) var sets: [ScalarSet] = []
    /// For each instruction in an optional copy of a repetition, the same one in the first copy; `nil` for any other.
    ///
    /// What matches from a later copy matches from an earlier one as well, after which more copies may follow.
    private(set) var firstCopies: [Int?] = []

    private var numbers: [ScalarSet: Int] = [:]
    // The position of the quantifier whose copies are being written; the outermost of nested ones.
    private var position: Int?

    init(_ node: PatternNode) throws(InputError) {
        try write(node)
        try append(.match)
    }

    var asksForWords: Bool {
        instructions.contains(.assertion(.wordBoundary)) || instructions.contains(.assertion(.noWordBoundary))
    }

    private mutating func append(_ instruction: Instruction) throws(InputError) {
        guard instructions.count < PatternProgram.instructionsMax else { throw .complexPattern(at: position) }
        firstCopies.append(nil)
        instructions.append(instruction)
    }

    private mutating func write(_ node: PatternNode) throws(InputError) {
        switch node {
        case .scalar(let set): try append(.scalar(try number(of: set)))
        case .assertion(let assertion): try append(.assertion(assertion))
        case .sequence(let nodes): for node in nodes { try write(node) }
        case .alternatives(let nodes): try writeAlternatives(nodes)
        case .repetition(let node, let min, let max, let position):
            let isOutermost = self.position == nil
            if isOutermost { self.position = position }
            try writeRepetition(node, min: min, max: max)
            if isOutermost { self.position = nil }
        }
    }

    private mutating func number(of set: ScalarSet) throws(InputError) -> Int {
        if let known = numbers[set] { return known }
        guard sets.count < PatternProgram.setsMax else {
            throw .pattern(
                at: nil, "it has more than \(PatternProgram.setsMax) different characters and classes: expected fewer")
        }
        numbers[set] = sets.count
        sets.append(set)
        return sets.count - 1
    }

    private mutating func writeAlternatives(_ nodes: [PatternNode]) throws(InputError) {
        var jumps: [Int] = []
        for node in nodes.dropLast() {
            let branch = instructions.count
            try append(.branch(branch + 1, 0))
            try write(node)
            jumps.append(instructions.count)
            try append(.jump(0))
            instructions[branch] = .branch(branch + 1, instructions.count)
        }
        if let last = nodes.last { try write(last) }
        for jump in jumps { instructions[jump] = .jump(instructions.count) }
    }

    private mutating func writeRepetition(_ node: PatternNode, min: Int, max: Int?) throws(InputError) {
        var copy = instructions.count
        for _ in 0..<min {
            copy = instructions.count
            try write(node)
            // Repeating the empty text changes nothing.
            if instructions.count == copy { return }
        }
        if let max {
            try writeOptionalCopies(of: node, count: max - min)
        } else if min > 0 {
            let branch = instructions.count
            try append(.branch(copy, branch + 1))
        } else {
            try append(.branch(copy + 1, 0))
            try write(node)
            try append(.jump(copy))
            instructions[copy] = .branch(copy + 1, instructions.count)
        }
    }

    private mutating func writeOptionalCopies(of node: PatternNode, count: Int) throws(InputError) {
        let first = instructions.count
        var branches: [Int] = []
        for _ in 0..<count {
            let copy = instructions.count
            branches.append(copy)
            try append(.branch(copy + 1, 0))
            try write(node)
            // Repetitions in it have noted their own copies.
            for index in copy..<instructions.count where firstCopies[index] == nil {
                firstCopies[index] = first + (index - copy)
            }
        }
        for branch in branches { instructions[branch] = .branch(branch + 1, instructions.count) }
    }
}
