/// What is wrong with a filter or an expectation that a user wrote, and what would be right.
package struct QueryError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Where: the parameter's name in a URL, a JSON pointer in a body.
    package let field: String
    /// What, as a sentence.
    package let problem: String
    /// What may stand there, when that is a list.
    package let allowed: [String]

    /// An error of one field.
    package init(_ field: String, _ problem: String, allowed: [String] = []) {
        self.field = field
        self.problem = problem
        self.allowed = allowed
    }

    /// One sentence with its place.
    package var description: String {
        allowed.isEmpty ? "\(field): \(problem)" : "\(field): \(problem); allowed: \(allowed.joined(separator: ", "))"
    }

    /// A name that is not known, with the nearest one that is.
    package static func unknown(_ what: String, _ name: String, at field: String, among known: [String]) -> QueryError {
        let hint = Spelling.nearest(to: name, among: known).map { "; was \($0) meant?" } ?? ""
        return QueryError(field, "there is no \(what) \(name)\(hint)", allowed: known)
    }
}
