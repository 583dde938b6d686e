internal import MynahCore

extension DeviceFleet {
    /// The devices that are changed while their shard is locked, so that a push to another device waits for about a
    /// millisecond at most.
    static let activityPieceCount = 128

    /// What starting or dismissing activities did, and the changed activities of each shard.
    typealias ActivityChanges = (all: DeviceTable.ActivityChanges, placesOfShards: [[ActivityPlace]])

    /// Starts an activity on each device that a filter matches, if that is possible.
    func startActivities(where filter: DeviceFilter, _ specification: ActivitySpecification) async -> ActivityChanges {
        await changeActivities(where: filter) { table, ids, time in
            table.startActivities(specification, on: ids, at: time.now, clock: time.now(ofScope:))
        }
    }

    /// Dismisses the activities that a filter matches of the devices that another one matches.
    func dismissActivities(where activities: ActivityFilter, of devices: DeviceFilter) async -> ActivityChanges {
        await changeActivities(where: devices) { table, ids, time in
            table.dismissActivities(where: activities, on: ids, at: time.now, clock: time.now(ofScope:))
        }
    }

    /// A device as it is; `nil` if it is not there.
    func view(of id: String, at time: DeviceTime) -> DeviceView? {
        let reading = shards.withShard(ofID: id) { table in
            table.viewIfThere(of: id, at: time.now, clock: time.now(ofScope:))
        }
        guard let reading else { return nil }
        report(reading.effects)
        return reading.value
    }

    /// What is done to the devices of a shard that have some ids.
    private typealias Change =
        @Sendable (inout DeviceTable, ArraySlice<String>, DeviceTime) -> DeviceTable.ActivityChanges

    // On all cores, a shard at a time; the effects are reported at the end.
    private func changeActivities(where filter: DeviceFilter, _ change: @escaping Change) async -> ActivityChanges {
        let time = time
        let parts = await withTaskGroup(of: (shard: Int, changes: DeviceTable.ActivityChanges).self) { group in
            for shard in 0..<shards.shardCount {
                group.addTask { [self] in
                    (shard, await changeActivities(ofShard: shard, where: filter, at: time, change))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var all = DeviceTable.ActivityChanges()
        var placesOfShards = Array(repeating: [ActivityPlace](), count: shards.shardCount)
        for (shard, changes) in parts.sorted(by: { $0.shard < $1.shard }) {
            all.merge(changes)
            placesOfShards[shard] = changes.places
        }
        var effects = all.effects
        effects.sort()
        report(effects)
        return (all, placesOfShards)
    }

    // In pieces, between which other calls get their turn.
    private func changeActivities(
        ofShard shard: Int, where filter: DeviceFilter, at time: DeviceTime, _ change: Change
    ) async -> DeviceTable.ActivityChanges {
        let found = shards.withShard(shard) { $0.ids(where: filter, at: time.now, clock: time.now(ofScope:)) }
        report(found.effects)
        var all = DeviceTable.ActivityChanges()
        for start in stride(from: 0, to: found.value.count, by: DeviceFleet.activityPieceCount) {
            let piece = found.value[start...].prefix(DeviceFleet.activityPieceCount)
            all.merge(shards.withShard(shard) { change(&$0, piece, time) })
            await Task.yield()
        }
        return all
    }
}
