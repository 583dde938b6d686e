internal import APNsRules

extension Filter {
    /// Whether the push meets every condition; the payload is parsed once, and only when nothing else decides.
    package func matches(_ view: PushView) -> Bool {
        var push = DecodedPush(view)
        return conditions.allSatisfy { $0.matcher.matches(anyOf: push.values(of: $0.field)) }
    }

    /// The conditions that the push does not meet, with what it has instead.
    func unmet(_ view: PushView) -> [(condition: Condition, actual: JSONValue?)] {
        var push = DecodedPush(view)
        return conditions.filter { !$0.matcher.matches(anyOf: push.values(of: $0.field)) }
            .map { ($0, push.actual(of: $0.field)) }
    }
}

extension DecodedPush {
    /// The values of a field as matchers expect them; none if the push does not have it.
    fileprivate mutating func values(of field: FilterField) -> [JSONValue] {
        switch field {
        case .key(let key):
            let value = value(of: key)
            return value == .null ? [] : [value]
        case .place(.payload, let pointer): return payload.flatMap { pointer.value(in: $0) }.map { [$0] } ?? []
        case .payloadIncludes: return payload.map { [$0] } ?? []
        case .place(.screen, let pointer): return known(screen, at: pointer)
        case .place(.webPush, let pointer): return known(webPush, at: pointer)
        case .header(let name): return view.headers.filter { $0.name == name }.map { .string($0.value) }
        }
    }

    private func known(_ document: JSONValue?, at pointer: JSONPointer) -> [JSONValue] {
        document.flatMap { pointer.value(in: $0) }.map { $0 == .null ? [] : [$0] } ?? []
    }

    /// The content of a field to show: the payload itself if its words were searched, all values of a repeated header.
    fileprivate mutating func actual(of field: FilterField) -> JSONValue? {
        if field == .key(.text) { return payload ?? .string(searchText) }
        if field == .key(.has) { return .texts(warnings) }
        let values = values(of: field)
        return values.count > 1 ? .array(values) : values.first
    }
}
