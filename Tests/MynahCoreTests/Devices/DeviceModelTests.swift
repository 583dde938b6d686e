import APNsRules
import MynahCore
import Testing

@Suite("Devices compared with a naive implementation")
struct DeviceModelTests {
    private static let start = Instant(milliseconds: 1_795_253_400_000)
    private static let apps = ["phone", "pad"].flatMap { device in
        ["com.example.app", "com.example.two"].map { NaiveDevices.AppID(device: device, topic: $0) }
    }

    /// Two tables that get the same calls, one of which is also read all the time, and the naive devices.
    private struct World {
        var often: DeviceTable
        var seldom: DeviceTable
        var naive: NaiveDevices
        var now = DeviceModelTests.start
        var tokens: [NaiveDevices.AppID: [DeviceToken]] = [:]
        var outcomes: [[UInt64: (outcome: Outcome, at: Instant)]] = [[:], [:]]
        var deliveries: [[UInt64]] = [[], []]
        var lastSequence: UInt64 = 0

        init(_ settings: DeviceSettings, seed: UInt64) {
            often = DeviceTable(settings: settings, random: SeededGenerator(seed: seed))
            seldom = often
            naive = NaiveDevices(settings: settings)
        }

        mutating func both<Failure: Error>(
            _ call: (inout DeviceTable, Instant) throws(Failure) -> Effects
        ) throws(Failure) {
            note(try call(&often, now), 0)
            note(try call(&seldom, now), 1)
        }

        mutating func note(_ effects: Effects, _ table: Int) {
            for change in effects.changes { outcomes[table][change.sequence] = (change.outcome, change.at) }
            let delivered = effects.changes.filter { $0.outcome == .delivered && !$0.isOnlyShown }
            deliveries[table] += delivered.map(\.sequence)
            #expect(effects.receivers.count == delivered.count)
        }

        /// Reads everything from one of the tables.
        mutating func look() {
            note(often.advance(to: now) { _ in now }, 0)
            note(often.list(limit: 10, at: now) { _ in now }.effects, 0)
        }

        mutating func learnTokens() {
            var copy = often
            for device in copy.list(limit: 10, at: now, clock: { [now] _ in now }).value.devices {
                for app in device.registrations {
                    let id = NaiveDevices.AppID(device: device.id, topic: app.topic)
                    guard let token = app.token, tokens[id]?.contains(token) != true else { continue }
                    tokens[id, default: []].append(token)
                }
            }
        }
    }

    @Test("random pushes, networks, powers, clocks, rotations and removals agree", arguments: 0..<60)
    func agrees(round: UInt64) throws {
        let seed = 0xD0_0000 + round
        var random = SeededGenerator(seed: seed)
        var settings = DeviceSettings()
        settings.backgroundBudget = [nil, 1, 2, 3][Int.random(in: 0..<4, using: &random)]
        settings.deferralMax = Bool.random(using: &random) ? .seconds(1800) : nil
        if round % 5 == 0 { settings.requestLimit = RateLimit(count: 2, period: .seconds(3600)) }
        settings.unregisterDelay = Bool.random(using: &random) ? .zero ... .zero : .seconds(7200) ... .seconds(7200)
        var world = World(settings, seed: seed)
        for id in ["phone", "pad"] {
            var device = DeviceSpecification(id: id)
            device.registrations = Self.apps.filter { $0.device == id }.map { .init(topic: $0.topic) }
            try world.both { table, now throws(InputError) in
                try table.create(device, id: id, at: now, clock: { _ in now })
            }
            world.naive.devices[id] = NaiveDevices.Device()
        }
        for app in Self.apps {
            world.naive.apps[app] = NaiveDevices.App()
            world.naive.register(app, nil, at: world.now)
        }
        world.learnTokens()
        for step in 0..<300 {
            let place: Comment = "seed \(seed), step \(step)"
            try act(&world, &random, place)
            world.learnTokens()
            if Bool.random(using: &random) { world.look() }
            try #require(world.often.brokenInvariants() == [], place)
            try #require(world.seldom.brokenInvariants() == [], place)
            var asked = world
            asked.look()
            asked.naive.runAll(to: asked.now)
            try #require(asked.often.storedCount == asked.naive.storedCount, place)
            try #require(asked.often.deferredCount == asked.naive.deferredCount, place)
            for (app, tokens) in asked.tokens {
                try #require(tokens.count == asked.naive.apps[app]?.tokens.count, place)
            }
        }
        try compare(&world, "seed \(seed)")
    }

    private func compare(_ world: inout World, _ place: Comment) throws {
        // Beyond the longest storage, so that every push has a final outcome.
        world.now = world.now.advanced(by: .seconds(40 * 86_400))
        let now = world.now
        world.note(world.often.advance(to: now) { _ in now }, 0)
        world.note(world.seldom.advance(to: now) { _ in now }, 1)
        world.naive.runAll(to: now)
        #expect(world.outcomes[0].count == Int(world.lastSequence), place)
        for push in world.naive.pushes {
            try #require(push.outcome.isFinal, "push \(push.number), \(place)")
            for table in 0...1 {
                let found = try #require(world.outcomes[table][push.number], place)
                try #require(found.outcome == push.outcome, "push \(push.number), table \(table), \(place)")
                try #require(found.at == push.at, "push \(push.number), table \(table), \(place)")
            }
        }
        for id in ["phone", "pad"] {
            let expected = world.naive.inboxes[id] ?? []
            let often = try world.often.inbox(of: id, at: now) { _ in now }.value.items.map(\.sequence)
            let seldom = try world.seldom.inbox(of: id, at: now) { _ in now }.value.items.map(\.sequence)
            #expect(often == expected, place)
            #expect(seldom == expected, place)
        }
        #expect(world.often.nextDue() == nil, place)
        #expect(world.often.storedCount + world.often.deferredCount == 0, place)
        #expect(Set(world.deliveries[0]) == Set(world.deliveries[1]), place)
        #expect(Set(world.deliveries[0]).count == world.deliveries[0].count, place)
    }

    // MARK: - Random calls

    private func act(_ world: inout World, _ random: inout SeededGenerator, _ place: Comment) throws {
        let app = Self.apps[Int.random(in: 0..<Self.apps.count, using: &random)]
        let now = world.now
        switch Int.random(in: 0..<30, using: &random) {
        case 0..<14: try send(&world, app, &random, place)
        case 14..<18:
            let isOnline = Bool.random(using: &random)
            let patch = DevicePatch.online(isOnline)
            try world.both { table, now throws(InputError) in
                try table.change(app.device, patch, at: now, clock: { _ in now })
            }
            world.naive.change(app.device, online: isOnline, at: now)
        case 18..<21:
            let power = Power.allCases.randomElement(using: &random) ?? .normal
            let patch = try DevicePatch(json: ["power": power.json])
            try world.both { table, now throws(InputError) in
                try table.change(app.device, patch, at: now, clock: { _ in now })
            }
            world.naive.change(app.device, power: power, at: now)
        case 21, 22:
            guard world.naive.apps[app]?.phase != .absent else { return }
            let isForceQuit = Bool.random(using: &random)
            let refreshes = Int.random(in: 0..<4, using: &random) > 0
            let isDenied = Int.random(in: 0..<4, using: &random) == 0
            let hasBackgroundMode = Int.random(in: 0..<4, using: &random) > 0
            let patch = try AppPatch(json: [
                "appState": isForceQuit ? "forceQuit" : "suspended", "backgroundRefresh": .bool(refreshes),
                "permissions": ["authorization": isDenied ? "denied" : "authorized"],
                "backgroundModes": hasBackgroundMode ? nil : [],
            ])
            try world.both { table, now throws(InputError) in
                try table.change(app.device, topic: app.topic, patch, at: now, clock: { _ in now })
            }
            world.naive.change(app, at: now) { app in
                app.isForceQuit = isForceQuit
                app.refreshes = refreshes
                app.isDenied = isDenied
                app.hasBackgroundMode = hasBackgroundMode
            }
        case 23: try register(&world, app, Rotation.allCases.randomElement(using: &random))
        case 24: try register(&world, app, nil)
        case 25:
            guard world.naive.apps[app]?.phase != .absent else { return }
            try world.both { table, now throws(InputError) in
                try table.uninstall(app.device, topic: app.topic, at: now, clock: { _ in now })
            }
            world.naive.uninstall(app, at: now)
        default: try pass(&world, &random, place)
        }
    }

    private func register(_ world: inout World, _ app: NaiveDevices.AppID, _ rotation: Rotation?) throws {
        if rotation != nil, world.naive.apps[app]?.phase == .absent { return }
        var registration = RegistrationSpecification(topic: app.topic)
        registration.rotation = rotation
        try world.both { table, now throws(InputError) in
            try table.register(registration, on: app.device, at: now, clock: { _ in now }).effects
        }
        world.naive.register(app, rotation, at: world.now)
    }

    private func pass(_ world: inout World, _ random: inout SeededGenerator, _ place: Comment) throws {
        let end = world.now.advanced(by: .seconds(Int64.random(in: 1...5400, using: &random)))
        // One table is advanced to each time at which it says that something is due.
        while let next = world.often.nextDue(), next <= end {
            try #require(next >= world.now, place)
            let effects = world.often.advance(to: next) { _ in next }
            try #require(!effects.isEmpty || world.often.nextDue() != next, place)
            world.note(effects, 0)
        }
        world.now = end
    }

    private func send(
        _ world: inout World, _ app: NaiveDevices.AppID, _ random: inout SeededGenerator, _ place: Comment
    ) throws {
        let tokens = world.tokens[app] ?? []
        let token = max(0, tokens.count - 1 - Int.random(in: 0..<5, using: &random) / 4)
        guard token < tokens.count else { return }
        let now = world.now
        let priority = [10, 5, 1][Int.random(in: 0..<3, using: &random)]
        let lifetime = [nil, nil, 0, 600, 7200, -60, 100 * 86_400][Int.random(in: 0..<7, using: &random)]
        let collapseID = [nil, "x", "y"][Int.random(in: 0..<3, using: &random)]
        let isBackground = Int.random(in: 0..<3, using: &random) == 0
        var fields = [("apns-topic", app.topic), ("apns-priority", String(priority))]
        if let lifetime {
            fields.append(
                ("apns-expiration", lifetime == 0 ? "0" : String(now.milliseconds / 1000 + Int64(lifetime))))
        }
        if let collapseID { fields.append(("apns-collapse-id", collapseID)) }
        let payload: JSONValue = isBackground ? ["aps": ["content-available": 1]] : ["aps": ["alert": "hi"]]
        let push = try DeviceStage.push(tokens[token], .sandbox, fields, payload)

        let longest = now.advanced(by: .seconds(30 * 86_400))
        let isOnce = lifetime.map { $0 <= 0 } ?? false
        let end = lifetime.map { Instant(seconds: now.milliseconds / 1000 + Int64($0)) }
        let record = NaiveDevices.Push(
            number: world.lastSequence + 1, app: app, acceptedAt: now,
            expiresAt: isOnce ? longest : min(end ?? longest, longest), isOnce: isOnce, priority: priority,
            collapseID: collapseID, isBackground: isBackground, outcome: .pending, at: now)
        let refusal = world.naive.send(record, token: token, at: now)
        for table in 0...1 {
            let sequence = world.lastSequence + 1
            let answer =
                table == 0
                ? world.often.accept(push, at: now, clock: { _ in now }, takeSequence: { sequence })
                : world.seldom.accept(push, at: now, clock: { _ in now }, takeSequence: { sequence })
            switch answer {
            case .refused(let found): try #require(found.reason.rawValue == refusal, place)
            case .elsewhere: Issue.record("a table of one shard forwards nothing; \(place)")
            case .accepted(let decision):
                try #require(refusal == nil, place)
                world.outcomes[table][sequence] = (decision.outcome, decision.at)
                world.note(decision.effects, table)
            }
        }
        if refusal == nil { world.lastSequence += 1 }
    }
}
