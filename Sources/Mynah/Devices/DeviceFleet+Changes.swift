internal import APNsRules
internal import MynahCore

// Adding, removing and listing devices.
extension DeviceFleet {
    /// Makes one device; if its id or a token is taken, nothing changes.
    func create(
        _ specification: DeviceSpecification, id: String, wantsView: Bool
    ) throws(InputError) -> DeviceView? {
        let time = time
        let given = specification.registrations.compactMap(\.token)
        if !given.isEmpty {
            // Before a device that a push made loses its token to one that can't be made.
            try shards.withShard(ofID: id) { table throws(InputError) in try table.check(specification, id: id) }
        }
        var (claimed, effects) = try shards.claim(given, for: id, at: time.now)
        let view: DeviceView?
        do throws(InputError) {
            let (made, found) = try shards.withShard(ofID: id) { table throws(InputError) in
                let made = try table.create(specification, id: id, at: time.now, clock: time.now(ofScope:))
                guard wantsView else { return (made, DeviceView?.none) }
                return (made, try table.view(of: id, at: time.now, clock: time.now(ofScope:)).value)
            }
            effects.merge(made)
            view = found
        } catch {
            shards.unclaim(claimed)
            throw error
        }
        report(effects)
        return view
    }

    /// Throws if a device could not replace the one with its id.
    func check(_ specification: DeviceSpecification, inPlaceOf id: String) throws(InputError) {
        try shards.withShard(ofID: id) { table throws(InputError) in
            try table.check(specification, id: id, isReplacing: true)
        }
        try shards.checkClaims(of: specification.registrations.compactMap(\.token), for: id)
    }

    /// Removes a device; returns whether it existed.
    @discardableResult
    func removeIfThere(_ id: String) -> Bool {
        let time = time
        let removal: DeviceTable.Removal? = shards.withShard(ofID: id) { table in
            table.removeIfThere(id, at: time.now, clock: time.now(ofScope:))
        }
        guard let removal else { return false }
        finish(removal)
        watchers.wake(id)
        return true
    }

    /// Removes all devices of a scope, or all; returns how many there were.
    func removeAll(scope: String? = nil) -> Int {
        let time = time
        let removals = shards.forEachShard { table in
            table.removeAll(scope: scope, at: time.now, clock: time.now(ofScope:))
        }
        for removal in removals { finish(removal) }
        watchers.wakeAll()
        return removals.reduce(0) { $0 + $1.count }
    }

    /// Removes the devices that a filter matches, and calls `report` with each; returns how many there were.
    func remove(where filter: DeviceFilter, report: (DeviceView) -> Void) -> Int {
        guard filter != DeviceFilter() else { return removeAll() }
        var count = 0
        var last: String?
        while true {
            let (devices, _) = list(where: filter, after: last, limit: DeviceFleet.pieceCount)
            guard let end = devices.last?.id else { return count }
            for device in devices where removeIfThere(device.id) {
                count += 1
                report(device)
            }
            last = end
        }
    }

    // The number of devices that are looked up at once while many are removed.
    private static let pieceCount = 1000

    private func finish(_ removal: DeviceTable.Removal) {
        shards.unclaim(removal.foreignTokens)
        report(removal.effects)
    }

    /// Lists up to `limit` devices by id, those after `after`, and counts all that match.
    func list(where filter: DeviceFilter, after: String?, limit: Int) -> (devices: [DeviceView], matched: Int) {
        let time = time
        var found: [DeviceView] = []
        var matched = 0
        var effects = Effects()
        for reading in shards.forEachShard({ table in
            table.list(after: after, limit: limit, where: filter, at: time.now, clock: time.now(ofScope:))
        }) {
            found += reading.value.devices
            matched += reading.value.matched
            effects.merge(reading.effects)
        }
        effects.sort()
        report(effects)
        found.sort { $0.id < $1.id }
        return (Array(found.prefix(limit)), matched)
    }

    // MARK: Scopes

    /// The number of devices of each scope that has some.
    func scopeCounts() -> [(name: String, devices: Int)] {
        var counts: [String: Int] = [:]
        for table in shards.forEachShard({ $0.scopeCounts() }) {
            counts.merge(table) { $0 + $1 }
        }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
