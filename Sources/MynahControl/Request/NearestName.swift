internal import MynahCore

/// Names what somebody who mistyped may have meant.
enum NearestName {
    /// `; was X meant?`, or nothing when no name is near.
    static func suggestion(for name: String, among candidates: [String]) -> String {
        Spelling.nearest(to: name, among: candidates).map { "; was \($0) meant?" } ?? ""
    }
}
