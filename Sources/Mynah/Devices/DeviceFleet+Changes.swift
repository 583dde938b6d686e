internal import APNsRules
internal import MynahCore

// Devices come and go.
extension DeviceFleet {
    /// Makes one device.
    ///
    /// - Throws: ``DeviceError`` when its id or a token is taken; then nothing has changed.
    func create(
        _ specification: DeviceSpecification, id: String, wantsView: Bool
    ) throws(DeviceError) -> DeviceView? {
        let time = time
        let given = specification.registrations.compactMap(\.token)
        if !given.isEmpty {
            // Before a device that a push made gives up its token for one that can't be made.
            try shards.withShard(ofID: id) { table throws(DeviceError) in try table.check(specification, id: id) }
        }
        var (claimed, effects) = try shards.claim(given, for: id, at: time.now)
        let view: DeviceView?
        do throws(DeviceError) {
            let (made, found) = try shards.withShard(ofID: id) { table throws(DeviceError) in
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

    /// Whether a device can be put in the place of the one with its id.
    ///
    /// - Throws: ``DeviceError`` when it could not be made even after that one has gone.
    func check(_ specification: DeviceSpecification, inPlaceOf id: String) throws(DeviceError) {
        try shards.withShard(ofID: id) { table throws(DeviceError) in
            try table.check(specification, id: id, isReplacing: true)
        }
        try shards.checkClaims(of: specification.registrations.compactMap(\.token), for: id)
    }

    /// Removes a device; whether it was there.
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

    /// Removes all devices of a scope, or all; answers how many there were.
    func removeAll(scope: String? = nil) -> Int {
        let time = time
        let removals = shards.forEachShard { table in
            table.removeAll(scope: scope, at: time.now, clock: time.now(ofScope:))
        }
        for removal in removals { finish(removal) }
        watchers.wakeAll()
        return removals.reduce(0) { $0 + $1.count }
    }

    /// Removes the devices that a filter holds for; answers how many there were.
    ///
    /// `tell` is given each one that was removed by a filter, as it was last.
    func remove(where filter: DeviceFilter, _ tell: (DeviceView) -> Void = { _ in }) -> Int {
        guard filter != DeviceFilter() else { return removeAll() }
        var count = 0
        var last: String?
        while true {
            let (devices, _) = list(where: filter, after: last, limit: DeviceFleet.pieceCount)
            guard let end = devices.last?.id else { return count }
            for device in devices where removeIfThere(device.id) {
                count += 1
                tell(device)
            }
            last = end
        }
    }

    // Devices that are looked up at once while many are removed.
    private static let pieceCount = 1000

    private func finish(_ removal: DeviceTable.Removal) {
        shards.unclaim(removal.foreignTokens)
        report(removal.effects)
    }

    /// Devices by id, those after `after`, at most `limit`.
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

    /// The scopes that have devices, and how many, by name.
    func scopeCounts() -> [(name: String, devices: Int)] {
        var counts: [String: Int] = [:]
        for table in shards.forEachShard({ $0.scopeCounts() }) {
            counts.merge(table) { $0 + $1 }
        }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
