package import APNsRules
package import MynahCore

/// Something that happened and is no push, as whoever did it notes it (`Documents#Event-stream`).
package enum Occurrence: Sendable {
    /// A device as `GET /v1/devices/{id}` answers it; when it was removed, as it was last.
    case device(JSONValue, Event.Change)
    /// A fault rule as `GET /v1/faults/{id}` answers it; when it was removed, as it was last.
    ///
    /// Firings are noted by ``EventLog/noteFiring(of:_:)``.
    case fault(JSONValue, Event.Change)
    /// A connection as `GET /v1/connections/{id}` answers it; when its TLS handshake failed, as
    /// `GET /v1/failed-handshakes` does.
    case connection(JSONValue, Event.Change)
    /// A clock: its mode, what it says, and its scope.
    case clock(ClockState.Mode, Instant, scope: String?)
    /// What was removed at once: how much of what, and of which scope.
    case reset(removed: JSONValue, only: [String], scope: String?)

    /// The event's name.
    var kind: Event.Kind {
        switch self {
        case .device: .device
        case .fault: .fault
        case .connection: .connection
        case .clock: .clock
        case .reset: .reset
        }
    }

    /// The event's data.
    var document: JSONValue {
        switch self {
        case .device(let value, let change), .fault(let value, let change), .connection(let value, let change):
            guard case .object(let members) = value else {
                preconditionFailure("an event is about \(value.kind); it shows an object")
            }
            return .object(members + [JSONMember("change", .string(change.rawValue))])
        case .clock(let mode, let now, let scope):
            return ["mode": .string(mode.rawValue), "now": .string(now.rfc3339), "scope": Occurrence.text(scope)]
        case .reset(let removed, let only, let scope):
            return [
                "removed": removed, "only": .array(only.map { .string($0) }), "scope": Occurrence.text(scope),
            ]
        }
    }

    private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
}
