internal import MynahCore

/// Suggests the correct spelling of a mistyped name.
enum NearestName {
    /// `: did you mean "x"?`, or nothing when no name is near.
    static func suggestion(for name: String, among candidates: [String]) -> String { Spelling.hint(name, candidates) }
}
