package import APNsRules

/// A name of a filter in a URL.
package protocol ParameterKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// A value in the form in which it is compared; throws for one that can't hold. `name` is the parameter's, for errors.
    func normalized(_ value: String, at name: String) throws(InputError) -> String
    /// Throws for a value that is meant as something else, such as a pattern; not asked about filters that are kept.
    func check(_ value: String, at name: String) throws(InputError)
    /// The form of the parameter's values; a nullable one has the empty text for what has none, and `nil` is any text.
    ///
    /// Everything in the list has at least one of these values.
    var form: Form? { get }
    /// What the parameter means, for the OpenAPI document.
    var sentence: String { get }
}

extension ParameterKey {
    package func normalized(_ value: String, at name: String) throws(InputError) -> String {
        try checkForm(of: value, at: name)
        return value
    }

    package func check(_ value: String, at name: String) throws(InputError) {}
    package var form: Form? { nil }

    func checkForm(of value: String, at name: String) throws(InputError) {
        if case .nullable = form, value.isEmpty { return }
        try form?.inFilter.check(.string(value), at: name)
    }
}

extension Form {
    /// The values of a filter of this form, the empty one for what doesn't have it; `nil` if they can't be listed.
    fileprivate var valuesInFilter: [String]? {
        switch self {
        case .bool: ["true", "false"]
        case .choice(let names): names
        case .nullable(let form): form.valuesInFilter.map { $0 + [""] }
        case .named(_, let form), .described(let form, _): form.valuesInFilter
        default: nil
        }
    }

    /// The form as the text of a filter.
    fileprivate var inFilter: Form {
        switch self {
        case .bool: .choice(valuesInFilter ?? [])
        case .nullable(let form): form.inFilter
        default: self
        }
    }
}

/// The filters of a list in a URL: a name that is given again is *any of*, different names are *all of*, and a name with
/// an exclamation mark in front is *not*.
package struct ParameterFilter<Key: ParameterKey>: Sendable, Equatable {
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
    /// `besides` are the call's other parameters, which the error lists.
    package init(parameters: [(name: String, value: String)], besides: [String] = []) throws(InputError) {
        try self.init(reading: parameters, besides: besides)
        for condition in conditions {
            let name = (condition.isNegated ? "!" : "") + condition.key.rawValue
            for value in condition.values { try condition.key.check(value, at: name) }
        }
        try checkPossible()
    }

    private init(reading parameters: [(name: String, value: String)], besides: [String]) throws(InputError) {
        for (name, given) in parameters {
            let isNegated = name.hasPrefix("!")
            let word = isNegated ? String(name.dropFirst()) : name
            guard let key = Key(rawValue: word) else {
                throw .unknown(
                    parameter: word, called: "parameter", at: name, among: ParameterFilter.names + besides)
            }
            let value = try key.normalized(given, at: name)
            if let index = conditions.firstIndex(where: { $0.key == key && $0.isNegated == isNegated }) {
                conditions[index].values.append(value)
            } else {
                conditions.append(Condition(key: key, isNegated: isNegated, values: [value]))
            }
        }
    }

    /// Refuses a filter that wants only what it also refuses, or refuses all that there is.
    private func checkPossible() throws(InputError) {
        for refused in conditions where refused.isNegated {
            if let all = refused.key.form?.valuesInFilter, Set(all).isSubset(of: refused.values) {
                throw InputError(
                    at: "!" + refused.key.rawValue,
                    "all values of \(refused.key.rawValue) are excluded, so nothing can match",
                    hint: ": expected one less",
                    allowed: all)
            }
            let wanted = conditions.first { $0.key == refused.key && !$0.isNegated }
            guard let wanted, Set(wanted.values).isSubset(of: refused.values) else { continue }
            throw InputError(
                at: "!" + refused.key.rawValue,
                "\(refused.key.rawValue) is to match and not to match the same, so nothing can match: expected one of both"
            )
        }
    }

    /// The values that are compared with a key, each with the name of its parameter.
    package func values(of key: Key) -> [(name: String, value: String)] {
        conditions.filter { $0.key == key }.flatMap { condition in
            condition.values.map { ((condition.isNegated ? "!" : "") + key.rawValue, $0) }
        }
    }

    /// Reads what ``json`` writes.
    package init(json: JSONValue, at place: String = "") throws(InputError) {
        let values = Form.array(of: .anyText, 1...Int.max)
        let schema = Schema(ParameterFilter.names.flatMap { [Member($0, values), Member("!" + $0, values)] })
        let reader = try ObjectReader(json, at: place, schema)
        let parameters = reader.members(among: schema).flatMap { member in
            (reader.texts(member.name) ?? []).map { (name: member.name, value: $0) }
        }
        do throws(InputError) {
            try self.init(reading: parameters, besides: [])
        } catch {
            throw error.within(place + "/")
        }
    }

    /// For each parameter, in their order, its values; the names may be negated.
    package var json: JSONValue {
        .object(conditions.map { JSONMember(($0.isNegated ? "!" : "") + $0.key.rawValue, .texts($0.values)) })
    }

    /// Whether something with these values passes.
    package func holds(_ values: (Key) -> [String]) -> Bool {
        conditions.allSatisfy { condition in
            values(condition.key).contains { condition.values.contains($0) } != condition.isNegated
        }
    }
}
