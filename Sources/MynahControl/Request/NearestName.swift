internal import MynahCore

/// Suggests the correct spelling of a mistyped name.
enum NearestName {
    /// `; did you mean X?`, or nothing if no name is similar.
    static func suggestion(for name: String, among candidates: [String]) -> String {
        Spelling.nearest(to: name, among: candidates).map { "; did you mean \($0)?" } ?? ""
    }
}
