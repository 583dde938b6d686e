internal import APNsRules
internal import MynahCore
internal import Synchronization

/// One part of the known devices, behind its own lock.
final class DeviceShard: Sendable {
    let table: Mutex<DeviceTable>

    init(_ table: sending DeviceTable) {
        self.table = Mutex(table)
    }
}

/// All known devices, spread over shards, so that loops seldom wait for each other.
///
/// A device lies in the shard of its id, and so do the tokens issued for it; a token that was given may lie elsewhere
/// and then costs a second lock, taken after the first was released.
final class DeviceShards: Sendable {
    // Several times the cores of any machine this runs on; a lock and an empty table each.
    static let shardCount = 64

    let shards: [DeviceShard]

    /// No devices.
    init(settings: DeviceSettings, seed: UInt64) {
        let random = SeededGenerator(seed: seed).split(for: DeviceShards.purpose)
        shards = (0..<DeviceShards.shardCount).map { shard in
            DeviceShard(DeviceTable(settings: settings, shard: shard, of: DeviceShards.shardCount, random: random))
        }
    }

    // Tells the devices' randomness from that of connections, which are numbered from 1.
    private static let purpose: UInt64 = .max

    /// Lets the token's shard decide; nothing outside `MynahCore` is called under its lock but `takeSequence` and
    /// `clock`, which must take no lock.
    ///
    /// `clock` tells the time of a scope.
    func accept(
        _ push: borrowing Push, at now: Instant, clock: (String) -> Instant, takeSequence: () -> UInt64
    ) -> Result<Decision, Refusal> {
        let first = push.token.shard(of: DeviceShards.shardCount)
        var answer = shards[first].table.withLock {
            $0.accept(push, at: now, clock: clock, takeSequence: takeSequence)
        }
        if case .elsewhere(let shard) = answer {
            answer = shards[shard].table.withLock {
                $0.accept(push, at: now, clock: clock, isForwarded: true, takeSequence: takeSequence)
            }
        }
        switch answer {
        case .accepted(let decision): return .success(decision)
        case .refused(let refusal): return .failure(refusal)
        case .elsewhere: preconditionFailure("a push was forwarded twice")
        }
    }

    /// Makes a token known, or changes what is known of it.
    func register(
        _ token: DeviceToken, topic: String, environment: APNsEnvironment, state: DeviceTable.State, at now: Instant
    ) {
        _ = shards[token.shard(of: DeviceShards.shardCount)].table.withLock {
            $0.register(token, topic: topic, environment: environment, state: state, at: now)
        }
    }

    /// How many devices are known.
    var count: Int {
        shards.reduce(0) { $0 + $1.table.withLock { $0.count } }
    }
}
