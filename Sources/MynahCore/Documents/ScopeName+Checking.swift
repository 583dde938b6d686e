extension ScopeName {
    /// Checks that a text is the name of a scope.
    ///
    /// - Throws: ``QueryError`` of `field`.
    package static func check(_ text: String, at field: String) throws(QueryError) {
        guard isWellFormed(text) else { throw QueryError(field, problem(text)) }
    }
}
