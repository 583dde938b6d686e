package import MynahCore

extension Server {
    /// Makes the devices of a specification with an id, on all cores, and returns none: there may be a million.
    ///
    /// - Throws: `InputError` of one that can't be made; others stay.
    package func makeDevices(_ specification: DeviceSpecification) async throws(InputError) {
        let ids = specification.ids
        let failure = await withTaskGroup(of: InputError?.self) { [fleet] group in
            for start in stride(from: 0, to: ids.count, by: Server.fleetPieceCount) {
                let piece = ids[start..<min(start + Server.fleetPieceCount, ids.count)]
                group.addTask {
                    do throws(InputError) {
                        for id in piece { _ = try fleet.create(specification, id: id, wantsView: false) }
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var failure: InputError?
            for await found in group { failure = failure ?? found }
            return failure
        }
        if let failure { throw failure }
    }

    // The number of devices that one task makes.
    private static let fleetPieceCount = 4096
}
