package import MynahCore

extension Server {
    /// Makes the devices of a specification, which has an id, and answers none of them: a million of them would fill
    /// the memory.
    ///
    /// - Throws: `DeviceError` at the first that cannot be made; those before it stay.
    package func makeDevices(_ specification: DeviceSpecification) async throws(DeviceError) {
        for id in specification.ids { _ = try fleet.create(specification, id: id, wantsView: false) }
    }

    /// Lets a scope go by the server's clock again; answers whether it had one of its own, as 0 or 1.
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
