internal import MynahCore

/// Reads the name of a scope (`ControlAPI#Scopes`).
enum ScopeReading {
    /// A name that was given in a URL.
    ///
    /// - Throws: ``Problem`` when it is no name of a scope.
    static func name(_ text: String, field: String) throws(Problem) -> String {
        do throws(InputError) { try ScopeName.check(text, at: field) } catch { throw Problem(error) }
        return text
    }
}
