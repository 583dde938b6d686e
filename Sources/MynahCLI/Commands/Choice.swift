import ArgumentParser

/// Reads cases of other modules' enums, in place of `ExpressibleByArgument`.
enum Choice {
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
