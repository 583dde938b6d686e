internal import APNsRules
internal import MynahCore

/// Scopes (`ControlAPI#Scopes`), which exist by being used.
extension Server {
    /// The scopes that have devices or fault rules, and how many, by name.
    package func scopes() async -> [(name: String, devices: Int, faults: Int)] {
        let devices = fleet.scopeCounts()
        let rules = core.faults.snapshot.set.rules
        let faults = Dictionary(rules.compactMap(\.scope).map { ($0, 1) }, uniquingKeysWith: +)
        return Set(devices.keys).union(faults.keys).sorted().map { ($0, devices[$0] ?? 0, faults[$0] ?? 0) }
    }

    /// Removes everything of a scope: its pushes, devices, fault rules and clock, those of the start included.
    ///
    /// - Returns: How many things of each kind were removed, as the control API answers it.
    package func removeScope(_ name: String) async throws -> JSONValue {
        try await reset(ofScope: name, restoresBaseline: false)
    }
}
