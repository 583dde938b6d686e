internal import APNsRules
internal import MynahCore

/// Reads the name of a scope (`ControlAPI#Scopes`).
enum ScopeReading {
    /// The field `scope` of a document, or `nil` when it has none.
    ///
    /// - Throws: ``Problem`` when it is no string, or no name of a scope.
    static func scope(_ document: RequestDocument) throws(Problem) -> String? {
        guard let value = document["scope"] else { return nil }
        guard let text = value.string else {
            throw Problem(.invalidField, "scope is \(value.kind); it is a string", field: "/scope")
        }
        return try name(text, field: "/scope")
    }

    /// A name that was given.
    ///
    /// - Throws: ``Problem`` when it is no name of a scope.
    static func name(_ text: String, field: String) throws(Problem) -> String {
        guard ScopeName.isWellFormed(text) else {
            throw Problem(
                field.hasPrefix("/") ? .invalidField : .invalidParameter, ScopeName.problem(text), field: field)
        }
        return text
    }
}
