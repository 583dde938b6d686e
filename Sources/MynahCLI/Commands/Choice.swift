import ArgumentParser

/// Reads one of a few words: what `ExpressibleByArgument` is for enums of this module, for those of others.
enum Choice {
    /// The case that a word names.
    ///
    /// - Throws: `ValidationError` that lists the words.
    static func read<Value: RawRepresentable & CaseIterable>(_ text: String) throws -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: text) else {
            let words = Value.allCases.map(\.rawValue)
            throw ValidationError(
                "expected \(words.joined(separator: ", "))" + NearestName.suggestion(for: text, among: words))
        }
        return value
    }
}
