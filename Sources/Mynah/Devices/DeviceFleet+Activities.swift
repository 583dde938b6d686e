internal import MynahCore

extension DeviceFleet {
    /// The devices that are changed while their shard is locked, so that a push to another device waits for about a
    /// millisecond at most.
    static let activityPieceCount = 128

    /// What starting or dismissing activities did, and the changed activities of each shard.
    typealias ActivityChanges = (all: DeviceTable.ActivityChanges, placesOfShards: [[ActivityPlace]])

    /// Starts an activity on each device that a filter matches, if that is possible.
    func startActivities(where filter: DeviceFilter, _ specification: ActivitySpecification) -> ActivityChanges {
        changeActivities(where: filter) { table, ids, time in
            table.startActivities(specification, on: ids, at: time.now, clock: time.now(ofScope:))
        }
    }

    /// Dismisses the activities that a filter matches of the devices that another one matches.
    func dismissActivities(where activities: ActivityFilter, of devices: DeviceFilter) -> ActivityChanges {
        changeActivities(where: devices) { table, ids, time in
            table.dismissActivities(where: activities, on: ids, at: time.now, clock: time.now(ofScope:))
        }
    }

    /// A device's activities, newest first, including dismissed ones.
    func activities(of id: String, at time: DeviceTime) throws(InputError) -> [LiveActivity] {
        try read(id, at: time) { table, time throws(InputError) in
            try table.activities(of: id, at: time.now, clock: time.now(ofScope:))
        }
    }

    /// A view of a device at a time; `nil` if there is no such device.
    func viewIfThere(of id: String, at time: DeviceTime) -> DeviceView? {
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
    private func changeActivities(where filter: DeviceFilter, _ change: @escaping Change) -> ActivityChanges {
        let time = time
        let parts = WorkThreads.map(Array(0..<shards.shardCount)) { [self] shard in
            changeActivities(ofShard: shard, where: filter, at: time, change)
        }
        var all = DeviceTable.ActivityChanges()
        for part in parts { all.merge(part) }
        var effects = all.effects
        effects.sort()
        report(effects)
        return (all, parts.map(\.places))
    }

    // In pieces, between which pushes get their turn.
    private func changeActivities(
        ofShard shard: Int, where filter: DeviceFilter, at time: DeviceTime, _ change: Change
    ) -> DeviceTable.ActivityChanges {
        let found = shards.withShard(shard) { $0.ids(where: filter, at: time.now, clock: time.now(ofScope:)) }
        report(found.effects)
        var all = DeviceTable.ActivityChanges()
        for start in stride(from: 0, to: found.value.count, by: DeviceFleet.activityPieceCount) {
            let piece = found.value[start...].prefix(DeviceFleet.activityPieceCount)
            all.merge(shards.withShard(shard) { change(&$0, piece, time) })
        }
        return all
    }
}
