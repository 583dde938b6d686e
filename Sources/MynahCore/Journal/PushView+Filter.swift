internal import APNsRules

extension Filter {
    /// Whether the push meets every condition; the payload is parsed once, and only when nothing else decides.
    package func matches(_ view: PushView) -> Bool {
        var fields = PushFields(view)
        return conditions.allSatisfy { $0.matcher.matches(anyOf: fields.values(of: $0.field)) }
    }

    /// The conditions that the push does not meet, with what it has instead.
    func unmet(_ view: PushView) -> [(condition: Condition, actual: JSONValue?)] {
        var fields = PushFields(view)
        return conditions.filter { !$0.matcher.matches(anyOf: fields.values(of: $0.field)) }
            .map { ($0, fields.actual(of: $0.field)) }
    }
}

/// The fields of a push as filters read them; conditions share what one of them has computed.
private struct PushFields {
    let view: PushView
    private lazy var payload = view.payload
    private lazy var screen = view.screen(payload: payload)
    private lazy var searchText = payload?.searchText ?? String(decoding: view.entry.body, as: UTF8.self).lowercased()

    init(_ view: PushView) { self.view = view }

    /// The values of a field as matchers expect them; none if the push does not have it.
    mutating func values(of field: FilterField) -> [JSONValue] {
        switch field {
        case .key(let key): value(of: key).map { $0 == .null ? [] : [$0] } ?? []
        case .payload(let pointer): payload.flatMap { pointer.value(in: $0) }.map { [$0] } ?? []
        case .payloadIncludes: payload.map { [$0] } ?? []
        case .screen(let pointer): screen.flatMap { pointer.value(in: $0) }.map { $0 == .null ? [] : [$0] } ?? []
        case .header(let name): view.headers.filter { $0.name == name }.map { .string($0.value) }
        }
    }

    /// The content of a field to show: the payload itself if its words were searched, all values of a repeated header.
    mutating func actual(of field: FilterField) -> JSONValue? {
        if field == .key(.text) { return payload ?? .string(searchText) }
        if field == .key(.has) { return .texts(view.warnings) }
        let values = values(of: field)
        return values.count > 1 ? .array(values) : values.first
    }

    private mutating func value(of key: FilterKey) -> JSONValue? {
        let entry = view.entry
        return switch key {
        case .token: .text(entry.token?.hex)
        case .device: .text(view.device)
        case .scope: .text(view.scope)
        case .topic: .text(view.topic)
        case .channel: .text(view.channel)
        case .team: .text(view.identity?.team)
        case .keyId: .text(view.identity?.keyID)
        case .apnsId: .string(entry.notificationID.text.lowercased())
        case .uniqueId: .text(entry.uniqueID?.text)
        case .collapseId: .text(view.collapseID)
        case .pushType: .text(view.pushType(payload: view.givenPushType == nil ? payload : nil))
        case .priority: .whole(view.priority?.rawValue)
        case .environment: .string(entry.environment.rawValue)
        case .connection: .whole(entry.connection)
        case .status: .whole(entry.status)
        case .reason: .text(entry.reasonText)
        case .outcome: .string(entry.outcome.rawValue)
        case .shown: .bool(entry.outcome == .delivered && view.isShown(payload: payload))
        case .sounded: .bool(view.sound(payload: payload) != nil)
        case .fault: .text(view.fault)
        case .has: view.warnings.isEmpty ? .null : .string(FilterKey.warnings)
        case .since, .until: .whole(entry.receivedAt.milliseconds)
        case .text: .string(searchText)
        }
    }
}
