import APNsRules

@testable import MynahCore

/// Random calls of everything that a table of devices does, chosen by the seed and by what the table has answered.
struct RandomDevices {
    static let shardCount = 2
    static let channel = ChannelID(high: 0x1234, low: 0x5678)
    private static let topics = [
        "com.example.app", "com.example.two", "com.example.app.voip", "com.example.app.complication",
        "com.example.app.location-query", liveActivities,
    ]
    private static let liveActivities = "com.example.app.push-type.liveactivity"
    private static let ids = ["phone", "pad", "watch", "phone-00001", "phone-00002"]

    let seed: UInt64
    private(set) var table: DeviceTable
    private(set) var now = DeviceStage.start
    private var random: SeededGenerator
    private var sequence: UInt64 = 0
    // What the journal would have.
    private var pushes: [UInt64: Push] = [:]

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        var settings = DeviceSettings()
        settings.inboxCountMax = [2, 5, 1000][random.choice(3)]
        settings.backgroundBudget = [nil, 2][random.choice(2)]
        settings.activityBudget = [nil, 3][random.choice(2)]
        settings.deferralMax = [nil, .seconds(1800)][random.choice(2)]
        settings.unregisterDelay = .zero ... .seconds([0, 7200][random.choice(2)])
        if random.choice(4) == 0 { settings.requestLimit = RateLimit(count: 3, period: .seconds(3600)) }
        if random.choice(4) == 0 { settings.policy = .strict }
        table = DeviceTable(settings: settings, of: Self.shardCount, random: SeededGenerator(seed: seed))
    }

    /// Writes the table and reads it back.
    mutating func restart() throws { table = try table.rewritten(of: Self.shardCount, seed: seed) }

    // The scopes have clocks of their own.
    private var clock: (String) -> Instant {
        { [now] scope in now.advanced(by: .seconds(scope == "ahead" ? 3600 : -600)) }
    }

    // MARK: - Calls

    /// Makes one call; returns what came of it.
    mutating func act() -> String {
        do {
            return try call()
        } catch {
            return "\(error)"
        }
    }

    private mutating func call() throws -> String {
        let id = Self.ids[random.choice(Self.ids.count)]
        switch random.choice(40) {
        case 0..<12: return try send()
        case 12..<15:
            let device = try device(id)
            if random.choice(3) == 0 {
                let (former, made, effects) = try table.replace(device, id: id, at: now, clock: clock)
                return "\(former.map(text) ?? "no device"), \(made.json.encodedText), \(effects)"
            }
            return "\(try table.create(device, id: id, at: now, clock: clock))"
        case 15..<18: return "\(try table.change(id, try devicePatch(), at: now, clock: clock))"
        case 18, 19:
            let app = try registration(mayRotate: true)
            let (registered, isNew, effects) = try table.register(app, on: id, at: now, clock: clock)
            return "\(registered.json.encodedText), \(isNew), \(effects)"
        case 20, 21:
            return "\(try table.change(id, topic: topic(), try AppPatch(json: app()), at: now, clock: clock))"
        case 22: return "\(try table.uninstall(id, topic: topic(), at: now, clock: clock))"
        case 23:
            return table.remove(id, at: now, clock: clock).map(text) ?? "no device"
        case 24:
            guard random.choice(4) == 0 else { return "" }
            let scope = ["ahead", "behind", nil][random.choice(3)]
            return text(table.removeAll(scope: scope, at: now, clock: clock))
        case 25: return "\(try table.startActivity(try activity(), on: id, at: now, clock: clock))"
        case 26:
            let patch = try ActivityPatch(json: random.choice(2) == 0 ? ["state": "ended"] : ["contentState": state()])
            let number = Int32(1 + random.choice(3))
            return "\(try table.changeActivity(number, of: id, patch, at: now, clock: clock))"
        case 27:
            return "\(try table.dismissActivity(Int32(1 + random.choice(3)), of: id, at: now, clock: clock))"
        case 28:
            return "\(table.startActivities(try activity(), on: Self.ids, at: now, clock: clock))"
        case 29, 30: return try broadcast()
        case 31: return try useScreen(of: id)
        case 32:
            let token = token(UInt8(random.choice(4)), isHome: true)
            if random.choice(2) == 0 { return "\(try table.claim(token, for: 1, at: now))" }
            table.unclaim(token)
            return ""
        case 33:
            let came = try table.connect(7, to: id, at: now, clock: clock)
            return "\(came as Any), \(table.disconnect(7, from: id, at: now, clock: clock) as Any)"
        case 34:
            guard let push = pushes[UInt64(1 + random.choice(Int(sequence) + 1))] else { return "no push" }
            return "\(table.redeliver(push, sequence: sequence, at: now, clock: clock) as Any)"
        case 35: return "\(table.advance(to: now, clock: clock) { _ in true })"
        default:
            now = now.advanced(by: .seconds([1, 40, 700, 4000, 30_000, 400_000][random.choice(6)]))
            return ""
        }
    }

    // The description of a device would name sets in the order of their hashes.
    private func text(_ removal: DeviceTable.Removal) -> String {
        "\(removal.count), \(removal.last?.json.encodedText ?? ""), \(removal.effects), \(removal.foreignTokens)"
    }

    private mutating func topic() -> String { Self.topics[random.choice(Self.topics.count)] }

    private func token(_ byte: UInt8, isHome: Bool) -> DeviceToken {
        let all = (UInt8.min ... .max).lazy.map { DeviceToken(bytes: Array(repeating: byte, count: 32) + [$0]) }
        return all.first { ($0.shard(of: Self.shardCount) == 0) == isHome } ?? .placeholder
    }

    private mutating func state() -> JSONValue {
        [["score": .number(JSONNumber(text: "1.0"))], ["score": 1], ["score": 2, "team": "é"]][random.choice(3)]
    }

    private mutating func app() throws -> JSONValue {
        let all: [JSONValue] = [
            [:], ["appState": "foreground", "presentInForeground": ["sound", "banner", "list"]],
            ["appState": "forceQuit"], ["backgroundRefresh": false], ["permissions": ["authorization": "denied"]],
            ["permissions": ["authorization": "ephemeral", "critical": true]],
            ["permissions": ["liveActivities": false]],
            [
                "strings": ["en": #""k" = "Hello %@";"#, "de-AT": ["k": "Grüße %@"]], "developmentLanguage": "de",
                "sounds": ["a.caf", ["name": "b.wav", "duration": "31s"]], "appName": "App",
            ],
            [
                "serviceExtension": [
                    "rewrite": ["aps": ["alert": "rewritten"]], "takes": "20s", "attachments": ["/media"],
                    "sender": "Ann",
                ], "focusFilter": ["Work": ["boss"]],
            ],
            [
                "categories": [
                    [
                        "id": "talk", "customDismiss": true, "summaryFormat": "%u more of %@",
                        "hiddenPreviewsBodyPlaceholder": "%u new",
                        "actions": [
                            ["id": "reply", "textInput": true, "textInputButtonTitle": "Send"],
                            ["id": "open", "foreground": true, "destructive": true],
                        ],
                    ]
                ]
            ], ["reportsCalls": false, "frequentUpdates": true, "backgroundModes": []],
            ["backgroundFetch": ["result": "failed", "takes": "40s"]],
        ]
        return all[random.choice(all.count)]
    }

    private mutating func registration(mayRotate: Bool) throws -> RegistrationSpecification {
        var json = try app().object ?? []
        json.append(JSONMember("topic", .string(topic())))
        if random.choice(5) == 0 { json.append(JSONMember("launched", false)) }
        if random.choice(5) == 0 { json.append(JSONMember("environment", "production")) }
        if mayRotate, random.choice(3) == 0 {
            json.append(JSONMember("rotate", .string(Rotation.allCases[random.choice(3)].rawValue)))
        } else if random.choice(5) == 0 {
            let token = token(UInt8(random.choice(4)), isHome: random.choice(2) == 0)
            json.append(JSONMember("token", .string(token.hex)))
        }
        return try RegistrationSpecification(json: .object(json))
    }

    private mutating func settings() -> [JSONMember] {
        [
            [], [], [JSONMember("locale", "de-DE")], [JSONMember("locked", true)],
            [JSONMember("muted", true), JSONMember("languages", ["fr", "de"])],
            [
                JSONMember(
                    "focus",
                    ["name": "Work", "apps": ["com.example.two", "com.example.app"], "people": ["Ann", "Bo"]])
            ],
            [JSONMember("watch", ["worn": true, "locked": false]), JSONMember("locked", true)],
            [JSONMember("summary", ["times": ["18:00", "08:00"], "apps": ["com.example.two", "com.example.app"]])],
        ][random.choice(8)]
    }

    private mutating func device(_ id: String) throws -> DeviceSpecification {
        var device = try DeviceSpecification(
            json: .object(
                [
                    JSONMember("id", .string(id)), JSONMember("online", .bool(random.choice(3) > 0)),
                    JSONMember("power", .string(Power.allCases[random.choice(3)].rawValue)),
                    JSONMember("platform", .string(["iOS", "iOS", "iPadOS", "macOS"][random.choice(4)])),
                    JSONMember("scope", .text(["ahead", "behind", nil][random.choice(3)])),
                    JSONMember("user", .text(["ann", nil][random.choice(2)])),
                ] + settings()))
        for _ in 0..<random.choice(4) {
            let app = try registration(mayRotate: false)
            if !device.registrations.contains(where: { $0.topic == app.topic }) { device.registrations.append(app) }
        }
        if random.choice(4) == 0 {
            let start = now.rfc3339
            device.activities.append(
                try LiveActivity(json: [
                    "id": "3", "topic": .string(Self.liveActivities), "environment": "sandbox",
                    "startedAt": .string(start), "contentState": state(), "channel": .string(Self.channel.text),
                    "history": [["event": "start", "at": .string(start), "sequence": 1, "contentState": state()]],
                ]))
        }
        return device
    }

    private mutating func devicePatch() throws -> DevicePatch {
        var members = settings()
        if random.choice(2) == 0 { members.append(JSONMember("online", .bool(random.choice(2) == 0))) }
        if random.choice(2) == 0 {
            members.append(JSONMember("power", .string(Power.allCases[random.choice(3)].rawValue)))
        }
        if random.choice(4) == 0 { members.append(JSONMember("name", .string("name \(random.choice(3))"))) }
        return try DevicePatch(json: .object(members))
    }

    private mutating func activity() throws -> ActivitySpecification {
        let follows = random.choice(2) == 0
        return try ActivitySpecification(json: [
            "topic": .string(Self.liveActivities), "attributesType": "Match", "attributes": ["home": "A"],
            "contentState": state(), "staleDate": .string(now.advanced(by: .seconds(900)).rfc3339),
            "relevanceScore": 0, "pushType": follows ? ["channel": .string(Self.channel.text)] : "token",
        ])
    }

    // MARK: - Pushes

    /// The tokens of apps and of Live Activities, with their topics, in the order of ids.
    private func targets() throws -> [(token: DeviceToken, topic: String, environment: APNsEnvironment)] {
        var copy = table
        return copy.list(limit: .max, at: now, clock: clock).value.devices.flatMap { device in
            device.registrations.compactMap { app in app.token.map { ($0, app.topic, app.environment) } }
                + device.activities.compactMap { activity in
                    activity.token.map { ($0, activity.topic, activity.environment) }
                }
        }
    }

    private mutating func send() throws -> String {
        let targets = try targets()
        var token = token(UInt8(random.choice(8)), isHome: true)
        var topic = topic()
        var environment = APNsEnvironment.sandbox
        if !targets.isEmpty, random.choice(8) > 0 {
            (token, topic, environment) = targets[random.choice(targets.count)]
        }
        var fields = [("apns-topic", topic)]
        if random.choice(2) == 0 { fields.append(("apns-priority", ["5", "1", "10"][random.choice(3)])) }
        if random.choice(3) == 0 { fields.append(("apns-collapse-id", ["x", "y"][random.choice(2)])) }
        if random.choice(2) == 0 {
            let end = now.milliseconds / 1000 + [0, 30, 7200][random.choice(3)]
            fields.append(("apns-expiration", random.choice(4) == 0 ? "0" : String(end)))
        }
        let payload = topic == Self.liveActivities ? activityPayload() : payload(&fields)
        let push = try DeviceStage.push(token, environment, fields, payload)
        let order: DeliveryOrder = [.deliver, .deliver, .deliver, .hold(.seconds(300)), .drop][random.choice(5)]
        var taken = sequence
        let answer = table.accept(push, at: now, clock: clock, order: order) {
            taken += 1
            return taken
        }
        if taken > sequence { pushes[taken] = push }
        sequence = taken
        return "\(answer)"
    }

    private mutating func payload(_ fields: inout [(String, String)]) -> JSONValue {
        let all: [JSONValue] = [
            ["aps": ["alert": "hi"]], ["aps": ["alert": ["title": "Title", "body": "Body"], "badge": 3]],
            ["aps": ["content-available": 1]], "no JSON",
            ["aps": ["alert": ["loc-key": "k", "loc-args": ["Ann"]], "sound": "b.wav", "thread-id": "t"]],
            [
                "aps": [
                    "alert": ["body": "Body", "summary-arg": "Ann", "summary-arg-count": 2, "launch-image": "i"],
                    "category": "talk", "thread-id": "t", "mutable-content": 1, "relevance-score": 0,
                    "content-available": 1,
                ], "media": "https://example.com/a.png",
            ],
            ["aps": ["alert": "now", "sound": ["critical": 1, "name": "a.caf", "volume": 1]]],
            ["aps": ["alert": "late", "interruption-level": "time-sensitive", "filter-criteria": "boss"]],
            ["aps": ["alert": "quiet", "interruption-level": "passive"], "mdm": "m"],
        ]
        let index = random.choice(all.count)
        if index == 2 { fields.append(("apns-push-type", "background")) }
        return all[index]
    }

    private mutating func activityPayload() -> JSONValue {
        let event = ["start", "update", "update", "end"][random.choice(4)]
        var aps: [JSONMember] = [
            JSONMember("event", .string(event)),
            JSONMember("timestamp", .whole(now.milliseconds / 1000 - Int64(random.choice(2)) * 100)),
            JSONMember("content-state", state()),
        ]
        if event == "start" {
            aps += [
                JSONMember("attributes-type", "Match"), JSONMember("attributes", ["home": "B"]),
                JSONMember("alert", ["title": "Start", "body": "Now"]),
                random.choice(2) == 0
                    ? JSONMember("input-push-token", 1)
                    : JSONMember("input-push-channel", .string(Self.channel.text)),
            ]
        } else if random.choice(2) == 0 {
            aps.append(JSONMember("alert", ["title": "Goal", "sound": "a.caf"]))
        }
        return ["aps": .object(aps)]
    }

    private mutating func broadcast() throws -> String {
        sequence += 1
        let payload: JSONValue = [
            "aps": [
                "event": .string(["update", "end"][random.choice(5) / 4]), "content-state": state(),
                "timestamp": .whole(now.milliseconds / 1000),
            ]
        ]
        let broadcast = try Broadcast(
            sequence, to: Self.channel, ofApp: "com.example.app", in: .sandbox, payload: payload, at: now)
        let places = table.followers[Self.channel.text].sorted { ($0.device, $0.number) < ($1.device, $1.number) }
        return "\(table.deliver(broadcast, to: places, at: now, clock: clock))"
    }

    // MARK: - Screens

    private func past(of id: String) throws -> [DeviceTable.PastPush]? {
        try table.inboxWithoutScreen(of: id)?.map { ($0, pushes[$0.sequence]) }
    }

    private mutating func useScreen(of id: String) throws -> String {
        let choice = random.choice(6)
        let standard = choice == 4 ? "default" : "dismiss"
        let listed = try screen(of: id)["notifications"]?.array ?? []
        let number = listed.isEmpty ? 1 : listed[random.choice(listed.count)]["sequence"]?.integer ?? 1
        let sequence = UInt64(number)
        let now = now
        let clock = clock
        let badges = try ScreenPatch(json: ["badges": ["com.example.app": .whole(random.choice(3))]])
        let done = try table.withScreen(of: id, from: try past(of: id), at: now, clock: clock) {
            table throws(InputError) in
            switch choice {
            case 0: "\(try table.removeFromScreen(sequence, of: id, at: now, clock: clock))"
            case 1: "\(try table.clearScreen(of: id, where: ScreenFilter(), at: now, clock: clock))"
            case 2: "\(try table.changeScreen(of: id, badges, at: now, clock: clock))"
            case 3: "\(try table.perform("reply", text: "yes", on: sequence, of: id, at: now, clock: clock))"
            default: "\(try table.perform(standard, text: nil, on: sequence, of: id, at: now, clock: clock))"
            }
        }
        return done ?? "outdated"
    }

    private func screen(of id: String) throws -> JSONValue {
        var copy = table
        switch try copy.seen(of: id, at: now, clock: clock).value {
        case .screen(let json): return json
        case .copy(let one, _): return try one.screen(inCopyOf: id, from: try past(of: id) ?? [], at: now, clock: clock)
        }
    }

    /// All that can be read of the table, which it doesn't change.
    func everything() throws -> [String] {
        var copy = table
        var texts = [
            "\(copy.count) devices, \(copy.storedCount) stored, \(copy.deferredCount) deferred",
            "\(copy.nextDues())", "\(copy.effects)", "\(copy.followers.count) followers",
            "\(copy.scopeCounts().sorted { $0.key < $1.key })", "\(copy.fleets().sorted { $0.key < $1.key })",
        ]
        let (list, effects) = copy.list(limit: .max, at: now, clock: clock)
        texts += ["\(effects)", "\(list.devices.map { [$0.isNamed, $0.activities] as [Any] })"]
        for device in list.devices {
            texts.append(device.json.encodedText)
            texts.append("\(try copy.inbox(of: device.id, at: now, clock: clock))")
            texts.append(try screen(of: device.id).encodedText)
        }
        return texts
    }
}

extension SeededGenerator {
    /// A number from 0 to below `count`.
    fileprivate mutating func choice(_ count: Int) -> Int { Int(number(in: 0...Int64(count - 1))) }
}
