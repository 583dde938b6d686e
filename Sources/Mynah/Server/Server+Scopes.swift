internal import APNsRules
internal import MynahCore

/// Scopes (`ControlAPI#Scopes`), which are created by their use.
extension Server {
    /// The scopes that have devices or fault rules, and how many, by name.
    package func scopes() async -> [(name: String, devices: Int, faults: Int)] {
        let devices = fleet.scopeCounts()
        let rules = simulation.faults.snapshot.set.rules
        let faults = Dictionary(rules.compactMap(\.scope).map { ($0, 1) }, uniquingKeysWith: +)
        return Set(devices.keys).union(faults.keys).sorted().map { ($0, devices[$0] ?? 0, faults[$0] ?? 0) }
    }

    /// Removes a scope's pushes, devices, fault rules and clock, those of the start included; returns how many of each.
    package func removeScope(_ name: String) async throws -> JSONValue {
        try await reset(ofScope: name, restoresBaseline: false)
    }
}
