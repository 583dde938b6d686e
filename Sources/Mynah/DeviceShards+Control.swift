internal import APNsRules
internal import MynahCore
internal import Synchronization

// What the control plane does with devices: one lock at a time, and what it did to waiting pushes as a value.
extension DeviceShards {
    /// Lets the shard of a device's id decide; `body` calls nothing outside `MynahCore`.
    func decide<Answer: Sendable>(
        _ id: String, _ body: (inout DeviceTable) throws(DeviceError) -> Answer
    ) throws(DeviceError) -> Answer {
        let result: Result<Answer, DeviceError> = shards[home(id)].table.withLock { table in
            do throws(DeviceError) {
                return .success(try body(&table))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Makes a device with its apps; tokens that were given and fall into other shards get an alias there first.
    ///
    /// - Throws: ``DeviceError``; then nothing has changed.
    func create(
        _ specification: DeviceSpecification, id: String, at now: Instant, clock: (String) -> Instant
    ) throws(DeviceError) -> Effects {
        let foreign = specification.foreignTokens(id: id, of: DeviceShards.shardCount).map(\.token)
        if !foreign.isEmpty {
            try decide(id) { table throws(DeviceError) in try table.check(specification, id: id) }
        }
        return try claiming(foreign, for: id, at: now) { table throws(DeviceError) in
            try table.create(specification, id: id, at: now, clock: clock)
        } effects: {
            $0
        }.effects
    }

    /// Installs an app on a device, launches it, or lets it register again; the effects are those of the answer.
    ///
    /// - Throws: ``DeviceError``.
    func register(
        _ specification: RegistrationSpecification, on id: String, at now: Instant, clock: (String) -> Instant
    ) throws(DeviceError) -> (registered: DeviceTable.Registered, effects: Effects) {
        let foreign = [specification.token].compactMap(\.self).filter { home($0) != home(id) }
        let (answer, effects) = try claiming(foreign, for: id, at: now) { table throws(DeviceError) in
            try table.register(specification, on: id, at: now, clock: clock)
        } effects: {
            $0.effects
        }
        return (answer, effects)
    }

    /// Removes a device, and the aliases of its tokens.
    ///
    /// - Throws: ``DeviceError`` when there is no such device.
    func remove(_ id: String, at now: Instant, clock: (String) -> Instant) throws(DeviceError) -> Effects {
        let removal = try decide(id) { table throws(DeviceError) in try table.remove(id, at: now, clock: clock) }
        unclaim(removal.foreignTokens)
        return removal.effects
    }

    /// Removes the devices of a scope, or all; answers how many there were and what became of their pushes.
    func removeAll(
        scope: String? = nil, at now: Instant, clock: (String) -> Instant
    ) -> (count: Int, effects: Effects) {
        var count = 0
        var effects = Effects()
        for shard in shards {
            let removal = shard.table.withLock { $0.removeAll(scope: scope, at: now, clock: clock) }
            unclaim(removal.foreignTokens)
            count += removal.count
            effects.merge(removal.effects)
        }
        effects.sort()
        return (count, effects)
    }

    /// Does everything that has fallen due, each thing on its device's clock.
    func advance(to now: Instant, clock: (String) -> Instant) -> Effects {
        var effects = Effects()
        for shard in shards { effects.merge(shard.table.withLock { $0.advance(to: now, clock: clock) }) }
        effects.sort()
        return effects
    }

    /// When something falls due next by itself on the clocks for which `isAsked` holds; `nil` scope is the server's.
    func nextDue(on isAsked: (String?) -> Bool = { _ in true }) -> Instant? {
        shards.compactMap { shard in shard.table.withLock { $0.nextDue(on: isAsked) } }.min()
    }

    /// The devices whose id comes after another and for which a filter holds, by id; how many it holds for in all;
    /// and what had fallen due.
    func list(
        after: String? = nil, limit: Int, where filter: DeviceFilter = DeviceFilter(), at now: Instant,
        clock: (String) -> Instant
    ) -> (devices: [DeviceView], matched: Int, effects: Effects) {
        var devices: [DeviceView] = []
        var matched = 0
        var effects = Effects()
        for shard in shards {
            let page = shard.table.withLock {
                $0.list(after: after, limit: limit, where: filter, at: now, clock: clock)
            }
            devices += page.value.devices
            matched += page.value.matched
            effects.merge(page.effects)
        }
        devices.sort { $0.id < $1.id }
        effects.sort()
        return (Array(devices.prefix(limit)), matched, effects)
    }

    /// How many pushes are stored for devices that are offline.
    var storedCount: Int { sum { $0.storedCount } }

    /// How many pushes power or a budget holds back.
    var deferredCount: Int { sum { $0.deferredCount } }

    // MARK: - Steps

    private func sum(_ part: (borrowing DeviceTable) -> Int) -> Int {
        shards.reduce(0) { $0 + $1.table.withLock { part($0) } }
    }

    private func home(_ id: String) -> Int { DeviceTable.shard(ofID: id, of: DeviceShards.shardCount) }

    private func home(_ token: DeviceToken) -> Int { token.shard(of: DeviceShards.shardCount) }

    /// Claims tokens in their shards, then lets the device's shard decide; takes the claims back when it says no.
    private func claiming<Answer: Sendable>(
        _ tokens: [DeviceToken], for id: String, at now: Instant,
        _ body: (inout DeviceTable) throws(DeviceError) -> Answer, effects: (Answer) -> Effects
    ) throws(DeviceError) -> (answer: Answer, effects: Effects) {
        var claimed: [DeviceToken] = []
        var merged = Effects()
        do throws(DeviceError) {
            for token in tokens {
                let claim = try claim(token, for: id, at: now)
                if claim.isNew { claimed.append(token) }
                merged.merge(claim.effects)
            }
            let answer = try decide(id, body)
            merged.merge(effects(answer))
            return (answer, merged)
        } catch {
            unclaim(claimed)
            throw error
        }
    }

    private func claim(
        _ token: DeviceToken, for id: String, at now: Instant
    ) throws(DeviceError) -> DeviceTable.Claim {
        let result: Result<DeviceTable.Claim, DeviceError> = shards[home(token)].table.withLock { table in
            do throws(DeviceError) {
                return .success(try table.claim(token, for: home(id), at: now))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func unclaim(_ tokens: [DeviceToken]) {
        for token in tokens { shards[home(token)].table.withLock { $0.unclaim(token) } }
    }
}
