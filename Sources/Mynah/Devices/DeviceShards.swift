internal import APNsRules
internal import MynahCore
internal import Synchronization

private final class DeviceShard: Sendable {
    let table: Mutex<DeviceTable>
    init(_ table: sending DeviceTable) { self.table = Mutex(table) }
}

/// All known devices, in shards so that loops seldom wait for each other: a device and the tokens issued for it are in
/// the shard of its id; a token of the caller's choice may be in another, and then costs a second lock, taken after the
/// first was released.
final class DeviceShards: Sendable {
    /// What the token's shard decided about a push that the rules admit.
    enum Decided: Sendable {
        case accepted(Decision)
        case refused(Refusal, NumberedPush)
    }

    // Several times the number of cores of any machine.
    static let shardCount = 64
    // The number of the devices' stream of random numbers; the streams of connections are numbered from 1.
    private static let purpose: UInt64 = .max
    private let shards: [DeviceShard]
    private let settings: DeviceSettings
    private let random: SeededGenerator

    init(settings: DeviceSettings, seed: UInt64) {
        let random = SeededGenerator(seed: seed).split(for: DeviceShards.purpose)
        self.settings = settings
        self.random = random
        shards = (0..<DeviceShards.shardCount).map { shard in
            DeviceShard(DeviceTable(settings: settings, shard: shard, of: DeviceShards.shardCount, random: random))
        }
    }

    /// Copies of all tables, which share their storage with them.
    var tables: [DeviceTable] { forEachShard { $0 } }

    /// Reads the table of a shard from its pieces.
    func read(_ shard: Int, _ pieces: [ByteReader]) throws(CodingProblem) -> DeviceTable {
        try DeviceTable(
            settings: settings, shard: shard, of: DeviceShards.shardCount, random: random, pieces: pieces)
    }

    func restore(_ tables: [DeviceTable]) {
        for (shard, table) in zip(shards, tables) { shard.table.withLock { $0 = table } }
    }

    private static func place(of token: DeviceToken) -> Int { token.shard(of: shardCount) }
    private static func home(ofID id: String) -> Int { DeviceTable.shard(ofID: id, of: shardCount) }

    /// Lets the token's shard decide; `takeSequence`, which is called once, and `clock`, the time of a scope, are called
    /// under its lock and must not take another.
    func accept(
        _ push: borrowing Push, at now: Instant, clock: (String) -> Instant, order: DeliveryOrder = .deliver,
        takeSequence: () -> UInt64
    ) -> Decided {
        var numbered = NumberedPush(sequence: 0, label: nil)
        var answer = shards[DeviceShards.place(of: push.token)].table.withLock { table in
            let answer = table.accept(push, at: now, clock: clock, order: order, takeSequence: takeSequence)
            if case .refused = answer { numbered = table.number(push.token, takeSequence: takeSequence) }
            return answer
        }
        if case .elsewhere(let shard) = answer {
            answer = shards[shard].table.withLock { table in
                let answer = table.accept(
                    push, at: now, clock: clock, isForwarded: true, order: order, takeSequence: takeSequence)
                if case .refused = answer { numbered = table.number(push.token, takeSequence: takeSequence) }
                return answer
            }
        }
        switch answer {
        case .accepted(let decision): return .accepted(decision)
        case .refused(let refusal): return .refused(refusal, numbered)
        case .elsewhere: preconditionFailure("a push was forwarded twice")
        }
    }

    /// Numbers a push that is not to be decided, with the label that its token has at that number.
    func number(_ token: DeviceToken?, takeSequence: () -> UInt64) -> NumberedPush {
        guard let token else { return NumberedPush(sequence: takeSequence(), label: nil) }
        var numbered = NumberedPush(sequence: 0, label: nil)
        let alias = shards[DeviceShards.place(of: token)].table.withLock { table in
            let alias = table.alias(of: token)
            if alias == nil { numbered = table.number(token, takeSequence: takeSequence) }
            return alias
        }
        guard let alias else { return numbered }
        return shards[alias].table.withLock { $0.number(token, takeSequence: takeSequence) }
    }

    /// Delivers a push once more; `nil` if no device has the token or its app is gone.
    func redeliver(_ push: borrowing Push, sequence: UInt64, at now: Instant, clock: (String) -> Instant) -> Decision? {
        let (decision, alias) = shards[DeviceShards.place(of: push.token)].table.withLock { table in
            (table.redeliver(push, sequence: sequence, at: now, clock: clock), table.alias(of: push.token))
        }
        guard decision == nil, let alias else { return decision }
        return shards[alias].table.withLock { $0.redeliver(push, sequence: sequence, at: now, clock: clock) }
    }

    /// The device and scope of a token; `nil` if the device has no given id, or the token is unknown.
    func label(of token: DeviceToken) -> DeviceLabel? {
        let (label, alias) = withShard(of: token) { ($0.label(of: token), $0.alias(of: token)) }
        guard label == nil, let alias else { return label }
        return shards[alias].table.withLock { $0.label(of: token) }
    }

    /// The subscription whose endpoint ends in a token.
    func subscribed(
        _ token: DeviceToken, at now: Instant, clock: (String) -> Instant
    ) -> DeviceTable.Subscribed? {
        let (found, alias) = withShard(of: token) { table in
            (table.subscribed(token, at: now, clock: clock), table.alias(of: token))
        }
        guard found == nil, let alias else { return found }
        return shards[alias].table.withLock { $0.subscribed(token, at: now, clock: clock) }
    }

    /// The origin of the web app whose endpoint ends in a token.
    func webTopic(of token: DeviceToken) -> String? {
        let (topic, alias) = withShard(of: token) { ($0.webTopic(of: token), $0.alias(of: token)) }
        guard topic == nil, let alias else { return topic }
        return shards[alias].table.withLock { $0.webTopic(of: token) }
    }

    /// Claims tokens for a device in another shard, all or none; returns the tokens that were not claimed before.
    func claim(
        _ tokens: [DeviceToken], for id: String, at now: Instant
    ) throws(InputError) -> (claimed: [DeviceToken], effects: Effects) {
        let home = DeviceShards.home(ofID: id)
        var effects = Effects()
        var claimed: [DeviceToken] = []
        do throws(InputError) {
            for token in tokens where DeviceShards.place(of: token) != home {
                let claim = try shards[DeviceShards.place(of: token)].table.withLock { table throws(InputError) in
                    try table.claim(token, for: home, at: now)
                }
                effects.merge(claim.effects)
                if claim.isNew { claimed.append(token) }
            }
        } catch {
            unclaim(claimed)
            throw error
        }
        return (claimed, effects)
    }

    /// Throws if a token that would be claimed is another device's.
    func checkClaims(of tokens: [DeviceToken], for id: String) throws(InputError) {
        let home = DeviceShards.home(ofID: id)
        for token in tokens where DeviceShards.place(of: token) != home {
            try shards[DeviceShards.place(of: token)].table.withLock { table throws(InputError) in
                try table.checkClaim(token, for: home)
            }
        }
    }

    func unclaim(_ tokens: [DeviceToken]) { for token in tokens { withShard(of: token) { $0.unclaim(token) } } }

    var shardCount: Int { shards.count }
    func home(ofID id: String) -> Int { DeviceShards.home(ofID: id) }

    func withShard<Answer: Sendable>(_ shard: Int, _ body: (inout DeviceTable) -> sending Answer) -> Answer {
        shards[shard].table.withLock { body(&$0) }
    }

    func withShard<Answer: Sendable, Failure: Error>(
        ofID id: String, _ body: (inout DeviceTable) throws(Failure) -> sending Answer
    ) throws(Failure) -> Answer {
        try shards[DeviceShards.home(ofID: id)].table.withLock { table throws(Failure) in try body(&table) }
    }

    private func withShard<Answer: Sendable>(of token: DeviceToken, _ body: (inout DeviceTable) -> sending Answer)
        -> Answer
    {
        shards[DeviceShards.place(of: token)].table.withLock { body(&$0) }
    }

    func forEachShard<Answer: Sendable>(_ body: (inout DeviceTable) -> sending Answer) -> [Answer] {
        shards.map { $0.table.withLock { body(&$0) } }
    }

    func contains(_ isWanted: (inout DeviceTable) -> Bool) -> Bool {
        shards.contains { $0.table.withLock { isWanted(&$0) } }
    }

    var count: Int { sum(\.count) }
    var webAppCount: Int { sum(\.webAppCount) }
    var storedCount: Int { sum(\.storedCount) }
    var deferredCount: Int { sum(\.deferredCount) }

    private func sum(_ count: @Sendable (borrowing DeviceTable) -> Int) -> Int {
        shards.reduce(0) { $0 + $1.table.withLock { count($0) } }
    }
}
