package import APNsRules
package import MynahCore

/// Scopes (`ControlAPI#Scopes`), which are created by their use.
extension Server {
    /// The scopes that have devices or fault rules, and how many, by name.
    package func scopes() async -> [ScopeUse] {
        let devices = fleet.scopeCounts()
        let rules = simulation.faults.snapshot.set.rules
        let faults = Dictionary(rules.compactMap(\.scope).map { ($0, 1) }, uniquingKeysWith: +)
        return Set(devices.keys).union(faults.keys).sorted().map {
            ScopeUse(name: $0, devices: devices[$0] ?? 0, faults: faults[$0] ?? 0)
        }
    }

    /// Removes a scope's pushes, devices, fault rules and clock, also what the start gave it; returns how many of each.
    package func removeScope(_ name: String) async throws -> JSONValue {
        try await reset(ofScope: name, restoresBaseline: false)
    }
}

/// What belongs to a scope (`ControlAPI#Scopes`).
package struct ScopeUse: Sendable {
    package let name: String
    let devices: Int
    let faults: Int

    package var json: JSONValue { .object(ScopeUse.fields.members(of: self)) }

    package static let fields: Fields<ScopeUse> = [
        Field(shown: "name", .anyText, "The name.") { .string($0.name) },
        Field(shown: "devices", .whole, "How many devices.") { .whole($0.devices) },
        Field(shown: "faults", .whole, "How many fault rules.") { .whole($0.faults) },
    ]
}
