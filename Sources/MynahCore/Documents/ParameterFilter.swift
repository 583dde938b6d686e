/// The filters of a list in a URL: a name that is given again is *any of*, different names are *all of*, and a name with
/// an exclamation mark in front is *not*.
package struct ParameterFilter<Key: RawRepresentable<String> & CaseIterable & Hashable & Sendable>: Sendable, Equatable
{
    private struct Condition: Sendable, Equatable {
        let key: Key
        let isNegated: Bool
        var values: [String]
    }

    /// The names of all filters.
    package static var names: [String] { Key.allCases.map(\.rawValue) }

    private var conditions: [Condition] = []
    package init() {}

    /// Reads the parameters of a URL, percent-decoded; an unknown one is an error, so that a misspelt filter never
    /// widens a removal.
    ///
    /// `besides` are the call's other parameters, which the error lists; `normalized` returns a value in the form in
    /// which it is compared, or throws for an impossible one.
    package init(
        _ parameters: [(name: String, value: String)], besides: [String],
        normalized: (Key, _ value: String, _ name: String) throws(InputError) -> String
    ) throws(InputError) {
        for (name, given) in parameters {
            let isNegated = name.hasPrefix("!")
            let word = isNegated ? String(name.dropFirst()) : name
            guard let key = Key(rawValue: word) else {
                throw .unknown("parameter", word, at: name, among: ParameterFilter.names + besides)
            }
            let value = try normalized(key, given, name)
            if let index = conditions.firstIndex(where: { $0.key == key && $0.isNegated == isNegated }) {
                conditions[index].values.append(value)
            } else {
                conditions.append(Condition(key: key, isNegated: isNegated, values: [value]))
            }
        }
    }

    /// The values that are compared with a key, each with the name of its parameter.
    package func values(of key: Key) -> [(name: String, value: String)] {
        conditions.filter { $0.key == key }.flatMap { condition in
            condition.values.map { ((condition.isNegated ? "!" : "") + key.rawValue, $0) }
        }
    }

    /// Whether something with these values passes.
    package func holds(_ values: (Key) -> [String]) -> Bool {
        conditions.allSatisfy { condition in
            values(condition.key).contains { condition.values.contains($0) } != condition.isNegated
        }
    }
}
