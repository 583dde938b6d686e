package import APNsRules
package import MynahCore

/// A change of a clock, as an event shows it (`Documents#Event-stream`).
package struct ClockEvent: Sendable {
    let reading: ClockReading
    /// The scope of the clock; `nil` for the server's.
    let scope: String?

    var json: JSONValue { .object(ClockEvent.fields.members(of: self)) }

    package static let fields: Fields<ClockEvent> =
        ClockReading.fields.shown(\.reading) + [
            Field(shown: "scope", .nullableText, "The scope of the clock; null for the server's clock.") {
                .text($0.scope)
            }
        ]
}

/// How many things of each kind a call removed (`ControlAPI#Endpoints`).
package struct RemovedCounts: Sendable {
    private let counts: JSONValue

    /// - Parameter counts: An object of numbers by the names of kinds.
    package init(_ counts: JSONValue) { self.counts = counts }

    package var json: JSONValue { .object(RemovedCounts.fields.members(of: self)) }

    package static let fields: Fields<RemovedCounts> = [
        Field(shown: "removed", .map(of: .whole), "How many of each kind were removed.") { $0.counts }
    ]
}

/// A reset, or a removal of everything of a kind, as an event shows it (`Documents#Event-stream`).
package struct ResetEvent: Sendable {
    let removed: RemovedCounts
    let only: [String]
    /// The scope that was reset; `nil` for the whole server.
    let scope: String?

    var json: JSONValue { .object(ResetEvent.fields.members(of: self)) }

    package static let fields: Fields<ResetEvent> =
        RemovedCounts.fields.shown(\.removed) + [
            Field(shown: "only", .array(of: .anyText), "The parts that were reset.") { .texts($0.only) },
            Field(shown: "scope", .nullableText, "The scope that was reset; null for the whole server.") {
                .text($0.scope)
            },
        ]
}
