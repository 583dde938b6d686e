internal import APNsRules
internal import MynahCore
internal import Synchronization

/// One part of the known devices, behind its own lock.
private final class DeviceShard: Sendable {
    let table = Mutex(DeviceTable())
}

/// All known devices, spread over shards by their tokens, so that loops seldom wait for each other.
final class DeviceShards: Sendable {
    // Several times the cores of any machine this runs on; a lock and an empty dictionary each.
    private static let shardCount = 64

    private let shards: [DeviceShard]

    /// No devices.
    init() {
        shards = (0..<DeviceShards.shardCount).map { _ in DeviceShard() }
    }

    /// Lets the token's shard decide; nothing outside `MynahCore` is called under its lock but `takeSequence`.
    func accept(
        _ token: DeviceToken, topic: Span<UInt8>, environment: APNsEnvironment, policy: DeviceTable.Policy,
        takeSequence: () -> UInt64
    ) -> Result<DeviceTable.Accepted, Refusal> {
        shard(of: token).table.withLock {
            $0.accept(token, topic: topic, environment: environment, policy: policy, takeSequence: takeSequence)
        }
    }

    /// Makes a token known, or changes what is known of it.
    func register(_ token: DeviceToken, topic: String, environment: APNsEnvironment, state: DeviceTable.State) {
        shard(of: token).table.withLock {
            $0.register(token, topic: topic, environment: environment, state: state)
        }
    }

    /// How many devices are known.
    var count: Int {
        shards.reduce(0) { $0 + $1.table.withLock { $0.count } }
    }

    /// Forgets all devices; answers how many there were.
    func removeAll() -> Int {
        shards.reduce(0) { $0 + $1.table.withLock { $0.removeAll() } }
    }

    private func shard(of token: DeviceToken) -> DeviceShard {
        shards[Int(token.spread % UInt64(DeviceShards.shardCount))]
    }
}
