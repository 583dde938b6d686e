package import APNsRules
package import MynahCore

/// An event to note, other than of a push (`Documents#Event-stream`).
package struct NewEvent: Sendable {
    let kind: Event.Kind
    let document: JSONValue

    /// A change of a device, as `GET /v1/devices/{id}` answers it; a removed one as it was last.
    package static func device(_ json: JSONValue, _ change: Event.Change) -> NewEvent {
        NewEvent(.device, json, change: change)
    }

    /// A change of a fault rule, as `GET /v1/faults/{id}` answers it; a removed one as it was last.
    ///
    /// Firings are noted by ``EventLog/noteFiring(of:_:)``.
    package static func fault(_ json: JSONValue, _ change: Event.Change) -> NewEvent {
        NewEvent(.fault, json, change: change)
    }

    /// A change of a connection, as `GET /v1/connections/{id}` answers it; a failed TLS handshake as
    /// `GET /v1/failed-handshakes` does.
    package static func connection(_ json: JSONValue, _ change: Event.Change) -> NewEvent {
        NewEvent(.connection, json, change: change)
    }

    /// A change of a clock.
    package static func clock(_ mode: ClockState.Mode, now: Instant, scope: String?) -> NewEvent {
        NewEvent(
            kind: .clock,
            document: ["mode": .string(mode.rawValue), "now": .string(now.rfc3339), "scope": text(scope)])
    }

    /// A removal of many things: how many of which.
    package static func reset(removed: JSONValue, only: [String], scope: String?) -> NewEvent {
        NewEvent(
            kind: .reset,
            document: ["removed": removed, "only": .array(only.map { .string($0) }), "scope": text(scope)])
    }

    private init(_ kind: Event.Kind, _ json: JSONValue, change: Event.Change) {
        guard case .object(let members) = json else {
            preconditionFailure("an event shows an object, not \(json.kind)")
        }
        self.init(kind: kind, document: .object(members + [JSONMember("change", .string(change.rawValue))]))
    }

    private init(kind: Event.Kind, document: JSONValue) {
        self.kind = kind
        self.document = document
    }

    private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
}
