package import APNsRules
internal import MynahCore

/// Scopes (`ControlAPI#Scopes`), which exist by being used.
extension Server {
    /// The scopes that have devices or fault rules, and how many, by name.
    package func scopes() async -> [(name: String, devices: Int, faults: Int)] {
        let devices = Dictionary(uniqueKeysWithValues: fleet.scopeCounts().map { ($0.name, $0.devices) })
        var faults: [String: Int] = [:]
        for rule in core.faults.snapshot.set.rules {
            if let scope = rule.scope { faults[scope, default: 0] += 1 }
        }
        return Set(devices.keys).union(faults.keys).sorted().map { ($0, devices[$0] ?? 0, faults[$0] ?? 0) }
    }

    /// Removes everything of a scope: its pushes, devices, fault rules and clock, those of the start included.
    ///
    /// - Returns: How many things of each kind were removed, as the control API answers it.
    package func removeScope(_ name: String) async throws -> JSONValue {
        try await reset(ofScope: name, restoresBaseline: false)
    }

    /// Lets a scope go by the server's clock again; returns 1 if it had one of its own, else 0.
    package func removeClock(ofScope scope: String) async throws -> Int {
        var hadClock = false
        _ = fleet.changeClocks { clocks, _ in
            hadClock = clocks.hasClock(scope)
            clocks.forget(scope)
        }
        guard hadClock else { return 0 }
        try await loops.update { [fleet] in $0.setClocks(fleet.currentClocks) }
        fleet.settle()
        return 1
    }
}
