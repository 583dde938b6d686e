internal import MynahCore

/// Suggests the name that the user may have meant.
enum NearestName {
    /// The first candidate that begins with `name`, or the nearest one; `nil` if none is near.
    static func of(_ name: String, among candidates: [String]) -> String? {
        let completed = name.count >= 3 ? candidates.first { $0.hasPrefix(name) } : nil
        return completed ?? Spelling.nearest(to: name, among: candidates)
    }

    /// `; did you mean X?`, or an empty text if no name is near.
    static func suggestion(for name: String, among candidates: [String], prefix: String = "") -> String {
        of(name, among: candidates).map { "; did you mean \(prefix)\($0)?" } ?? ""
    }
}
