package import MynahCore

extension Server {
    /// Makes the devices of a specification, which has an id, and answers none of them: a million of them would fill
    /// the memory.
    ///
    /// A fleet is made on all cores; no device depends on another, so which comes first shows nowhere.
    /// - Throws: `DeviceError` of one that cannot be made; others stay.
    package func makeDevices(_ specification: DeviceSpecification) async throws(DeviceError) {
        let ids = specification.ids
        let failure = await withTaskGroup(of: DeviceError?.self) { [fleet] group in
            for start in stride(from: 0, to: ids.count, by: Server.fleetPieceCount) {
                let piece = ids[start..<min(start + Server.fleetPieceCount, ids.count)]
                group.addTask {
                    do throws(DeviceError) {
                        for id in piece { _ = try fleet.create(specification, id: id, wantsView: false) }
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var failure: DeviceError?
            for await found in group { failure = failure ?? found }
            return failure
        }
        if let failure { throw failure }
    }

    // Devices that one task makes: enough to be worth one, few enough that all cores have work.
    private static let fleetPieceCount = 4096

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
