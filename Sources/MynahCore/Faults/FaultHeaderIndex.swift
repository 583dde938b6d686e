internal import APNsRules

/// The rules of one event that name a header field and its value; a field becomes text only if a rule may name it.
struct FaultHeaderIndex {
    private typealias ByValue = [String: [Int]]

    // The rules by the number of the field's name, for the names that rules of APNs know.
    private var byKnownName: [ByValue] = []
    private var byOtherName: [String: ByValue] = [:]
    private var otherNameLengths = NameLengths()
    private(set) var isEmpty = true

    /// Adds a rule by its place in the order of all.
    mutating func insert(_ position: Int, name: String, value: String) {
        isEmpty = false
        let bytes = Array(name.utf8)
        let known = FieldName(bytes.span)
        guard known != .other else {
            otherNameLengths.insert(bytes.count)
            byOtherName[name, default: [:]][value, default: []].append(position)
            return
        }
        if byKnownName.isEmpty { byKnownName = FieldName.allCases.map { _ in [:] } }
        byKnownName[Int(known.rawValue)][value, default: []].append(position)
    }

    /// Whether a rule may name one of these fields, by the lengths of their names.
    func mayName(_ fields: borrowing RequestFields) -> Bool {
        guard byKnownName.isEmpty else { return true }
        return !otherNameLengths.isDisjoint(with: fields.otherNameLengths)
    }

    /// The places of the rules that a request's fields name, in order and each once, even if a field is repeated.
    func positions(for facts: FaultFacts) -> [Int] {
        var positions: Set<Int> = []
        let headers = facts.headers
        var offset = 0
        while let field = headers.field(at: &offset) {
            guard let rules = rules(ofName: field, in: headers), !rules.isEmpty else { continue }
            positions.formUnion(rules[facts.text(of: field)] ?? [])
        }
        return positions.isEmpty ? [] : positions.sorted()
    }

    @inline(__always)
    private func rules(ofName field: HeaderBlock.Field, in headers: HeaderBlock) -> ByValue? {
        guard case .other = field.name else { return byKnownName.isEmpty ? nil : byKnownName[Int(field.name.rawValue)] }
        guard otherNameLengths.contains(field.otherName.count) else { return nil }
        return byOtherName[headers.text(field.otherName)]
    }
}
