internal import APNsRules
internal import MynahCore

extension DeviceFleet {
    /// The activities that get a broadcast while their shard is locked, so that a push to another device waits for
    /// less than a millisecond.
    static let broadcastPieceCount = 256

    /// How many activities follow channels.
    var followerCount: Int { shards.forEachShard { $0.followers.count }.reduce(0, +) }

    /// How many activities follow a channel.
    func followerCount(of channel: ChannelID) -> Int {
        let name = channel.text
        return shards.forEachShard { $0.followers[name].count }.reduce(0, +)
    }

    /// How many activities follow each of some channels.
    func followerCounts(of channels: [ChannelID]) -> [Int] {
        var indexes: [String: Int] = [:]
        for (index, channel) in channels.enumerated() { indexes[channel.text] = index }
        var counts = Array(repeating: 0, count: channels.count)
        for part in shards.forEachShard({ table in
            var part = Array(repeating: 0, count: counts.count)
            table.followers.add(to: &part, of: indexes)
            return part
        }) {
            for index in counts.indices { counts[index] += part[index] }
        }
        return counts
    }

    /// Gives a broadcast to all activities that follow its channel, shard by shard in pieces; returns how many devices
    /// got it.
    ///
    /// A copy goes only to activities that have had it.
    func deliver(_ broadcast: Broadcast, isCopy: Bool = false, at time: DeviceTime) -> Int {
        deliver(broadcast, isCopy: isCopy, at: time) { shard in
            shards.withShard(shard) { Array($0.followers[broadcast.channel]) }
        }
    }

    /// Gives a broadcast to the ones of some activities that follow its channel, as it would be given to all followers.
    func deliver(
        _ broadcast: Broadcast, isCopy: Bool = false, at time: DeviceTime, to places: (_ shard: Int) -> [ActivityPlace]
    ) -> Int {
        var result = DeviceTable.BroadcastResult()
        for shard in 0..<shards.shardCount {
            let places = places(shard)
            for start in stride(from: 0, to: places.count, by: DeviceFleet.broadcastPieceCount) {
                let piece = shards.withShard(shard) { table in
                    table.deliver(
                        broadcast, isCopy: isCopy, to: places[start...].prefix(DeviceFleet.broadcastPieceCount),
                        at: time.now, clock: time.now(ofScope:))
                }
                result.merge(piece)
            }
        }
        report(result)
        return result.count
    }

    /// Gives a broadcast to one activity.
    func deliver(
        _ broadcast: Broadcast, to place: ActivityPlace, of device: String, at time: DeviceTime
    ) -> DeviceTable.BroadcastResult {
        let result = shards.withShard(ofID: device) { table in
            table.deliver(broadcast, to: CollectionOfOne(place), at: time.now, clock: time.now(ofScope:))
        }
        report(result)
        return result
    }

    private func report(_ result: DeviceTable.BroadcastResult) {
        // A shard's followers have no order.
        var effects = result.effects
        effects.sort()
        report(effects)
        guard result.count > 0 else { return }
        watchers.wakeAll()
        // The states of activities change by time.
        settle(at: time)
    }
}
