/// A part of a pattern as it was written.
indirect enum PatternNode {
    /// One scalar of a set.
    case scalar(ScalarSet)
    /// A condition on the place between two scalars.
    case assertion(PatternAssertion)
    /// One after the other; none is the empty text.
    case sequence([PatternNode])
    /// One of these.
    case alternatives([PatternNode])
    /// Again and again; `max` is `nil` for no limit. `position` is that of the quantifier, for errors.
    case repetition(PatternNode, min: Int, max: Int?, position: Int)
}

/// What must hold between two scalars.
enum PatternAssertion {
    /// `^`: the text begins here.
    case start
    /// `$`: the text ends here.
    case end
    /// `\b`: a word begins or ends here.
    case wordBoundary
    /// `\B`: no word begins or ends here.
    case noWordBoundary
}
