import APNsRules
import MynahCore
import MynahTrust

@testable import Mynah

/// Random commands of each kind, with and without what they may lack.
struct CommandSamples {
    private var random: SeededGenerator

    /// A provider certificate in DER, for com.example.app.
    static let certificate =
        Base64.decode(
            """
            MIICWjCCAgCgAwIBAgIQeaTi+nMqZZUKq/dNwXQFyzAKBggqhkjOPQQDAjA0MQ4wDAYDVQQKDAVNeW5haDEiMCAGA1UEAwwZ\
            TXluYWggbG9jYWwgQ0EgU1pJUTFFWk4xNjAeFw0yNjExMjUwMzMyMjdaFw0yNzEyMjkwMzMyMjdaMGAxHzAdBgoJkiaJk/Is\
            ZAEBDA9jb20uZXhhbXBsZS5hcHAxLTArBgNVBAMMJEFwcGxlIFB1c2ggU2VydmljZXM6IGNvbS5leGFtcGxlLmFwcDEOMAwG\
            A1UECgwFTXluYWgwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQj24HZFeHVR9UqSn8xPsYI1MOoQ10sOWx9niC5msSh4B9V\
            C04VYr16UCMwj8VdVjzhHveghGVOJYeKNw/3DJ4co4HHMIHEMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDAgeAMBYGA1Ud\
            JQEB/wQMMAoGCCsGAQUFBwMCMB0GA1UdDgQWBBTsOMxUxNElVUCFJ3taoANeSJ+MhjAfBgNVHSMEGDAWgBSNsAq5K6AgVoqF\
            uPPZrD8kVJDIXTAQBgoqhkiG92NkBgMBBAIFADAQBgoqhkiG92NkBgMCBAIFADAoBgoqhkiG92NkBgMGBBowGAwPY29tLmV4\
            YW1wbGUuYXBwMAUMA2FwcDAKBggqhkjOPQQDAgNIADBFAiBueK4pxh824mKmElPBCf1aPx/ztBnH76D4B7PbFISiHAIhALz+\
            QnsrCWWfEMWozxcnamlicgzD/jAvMm4PZaCF7ntA
            """.utf8)?.bytes ?? []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func command(of kind: CommandKind) throws -> any Command {
        switch kind.command {
        case is Look.Type: Look()
        case is CreateDevices.Type: CreateDevices(specifications: try list { try $0.device() })
        case is LoadDevices.Type: LoadDevices(specifications: try list { try $0.device() })
        case is PutDevice.Type: PutDevice(id: text(), specification: try device())
        case is ChangeDevice.Type: ChangeDevice(id: text(), patch: try devicePatch())
        case is ChangeDevices.Type: ChangeDevices(filter: try deviceFilter(), patch: try devicePatch())
        case is RemoveDevice.Type: RemoveDevice(id: text())
        case is RemoveDevices.Type: RemoveDevices(filter: try deviceFilter())
        case is ConnectDevice.Type: ConnectDevice(id: text(), client: number())
        case is DisconnectDevice.Type: DisconnectDevice(id: text(), client: number())
        case is RegisterApp.Type: RegisterApp(device: text(), app: try app())
        case is ChangeApp.Type:
            ChangeApp(device: text(), topic: text(), environment: environment(), patch: try AppPatch(json: appChange()))
        case is UninstallApp.Type: UninstallApp(device: text(), topic: text(), environment: environment())
        case is Act.Type: Act(device: text(), sequence: number(), action: text(), text: optional { $0.text() })
        case is RemoveFromScreen.Type: RemoveFromScreen(device: text(), sequence: number())
        case is ClearScreen.Type:
            ClearScreen(
                device: text(), filter: try ScreenFilter(parameters: pick([[], [("!topic", "com.example.app")]])))
        case is ChangeScreen.Type:
            ChangeScreen(device: text(), patch: try ScreenPatch(json: ["badges": ["com.example.app": count()]]))
        case is StartActivity.Type: StartActivity(device: text(), specification: try activity())
        case is ChangeActivity.Type: ChangeActivity(device: text(), number: 3, patch: try activityPatch())
        case is DismissActivity.Type: DismissActivity(device: text(), number: pick([1, .max]))
        case is Subscribe.Type: Subscribe(device: text(), specification: try subscription())
        case is Unsubscribe.Type: Unsubscribe(device: text(), channel: channelID())
        case is StartActivities.Type: StartActivities(filter: try deviceFilter(), specification: try activity())
        case is DismissActivities.Type:
            DismissActivities(
                activities: try ActivityFilter(parameters: pick([[], [("attributesType", text())]])),
                devices: try deviceFilter())
        case is CreateChannel.Type: CreateChannel(specification: try channel())
        case is LoadChannels.Type: LoadChannels(specifications: try list { try $0.channel() })
        case is RemoveChannel.Type: RemoveChannel(id: channelID())
        case is ForgetChannels.Type: ForgetChannels()
        case is AddFaults.Type:
            AddFaults(
                drafts: try list { try $0.fault() }, seed: optional { $0.number() },
                pointers: optional { ["/" + $0.text()] })
        case is LoadFaults.Type: LoadFaults(drafts: try list { try $0.fault() })
        case is PutFault.Type: PutFault(id: text(), draft: try fault())
        case is PatchFault.Type:
            PatchFault(id: text(), json: ["times": optional { $0.count() } ?? .null, "match": [:]])
        case is RemoveFault.Type: RemoveFault(id: text())
        case is RemoveFaults.Type:
            RemoveFaults(filter: try FaultFilter(parameters: pick([[], [("!scope", ""), ("enabled", "true")]])))
        case is RemoveFaultsOfScope.Type: RemoveFaultsOfScope(scope: optional { $0.text() })
        case is StartScenario.Type: StartScenario(scenario: try scenario())
        case is LoadScenario.Type: LoadScenario(scenario: try scenario())
        case is RemoveScenario.Type: RemoveScenario(name: text(), scope: optional { $0.text() })
        case is RemoveScenarios.Type: RemoveScenarios(scope: optional { $0.text() })
        case is ChangeClock.Type: ChangeClock(scope: optional { $0.text() }, change: clockChange())
        case is ReplaceClock.Type: ReplaceClock(scope: optional { $0.text() }, clock: try clock())
        case is SettleClock.Type: SettleClock(scope: optional { $0.text() })
        case is AddKey.Type: AddKey(key: try key())
        case is ReplaceKey.Type: ReplaceKey(key: try key())
        case is RevokeKey.Type: RevokeKey(keyID: text())
        case is ResetKeys.Type: ResetKeys()
        case is Reset.Type:
            Reset(
                parts: Set(ResetPart.allCases.filter { _ in flag() }), scope: optional { $0.text() },
                restoresBaseline: flag(), connectionCount: pick([0, 7]))
        case is StartKeys.Type: StartKeys(keys: try list { try $0.key() })
        case is LoadFixtures.Type:
            LoadFixtures(
                channels: try list { try $0.channel() }, devices: try list { try $0.device() },
                faults: try list { try $0.fault() }, scenarios: try list { try $0.scenario() })
        case is ReplaceFixtures.Type:
            ReplaceFixtures(
                channels: try optional { try $0.list { try $0.channel() } },
                devices: try optional { try $0.list { try $0.device() } },
                faults: try optional { try $0.list { try $0.fault() } })
        case is NoteCertificate.Type:
            NoteCertificate(
                item: try CertificateLedger.Item(
                    der: CommandSamples.certificate, issuedAt: Instant(milliseconds: 1),
                    revokedAt: optional { Instant(milliseconds: Int64($0.below(5))) }))
        case is RemovePushes.Type: RemovePushes(sequences: list { $0.number() })
        case is NoteConnection.Type:
            NoteConnection(change: pick([.opened, .closed, .failed]), connection: ["id": .whole(number())])
        case is CountConnection.Type:
            CountConnection(event: pick([.accept, .handshake]), connection: number(), environment: environment())
        case is CountIdleClose.Type: CountIdleClose(rule: text(), age: optional { $0.below(9) })
        case is NoteCredential.Type:
            NoteCredential(connection: number(), credential: ["kind": "token", "team": .string(text())])
        case is EndConnections.Type: EndConnections(connections: [number(), number()], isAborted: below(2) == 0)
        default: throw InputError(at: "", "a command of \(kind.command) has no sample: expected one here")
        }
    }

    // MARK: - Choices

    private mutating func below(_ count: Int) -> Int { Int(random.number(in: 0...Int64(count - 1))) }
    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
    private mutating func flag() -> Bool { below(2) == 0 }
    private mutating func text() -> String { pick(["", "phone", "e\u{301}\"\\\n\u{0}", "日本", "/a~b"]) }
    private mutating func number() -> UInt64 { pick([1, 4711, .max]) }
    private mutating func count() -> JSONValue { .whole(below(1000) + 1) }

    private mutating func optional<Value>(_ make: (inout Self) throws -> Value) rethrows -> Value? {
        flag() ? nil : try make(&self)
    }

    private mutating func list<Value>(_ make: (inout Self) throws -> Value) rethrows -> [Value] {
        var values: [Value] = []
        for _ in 0..<below(4) { values.append(try make(&self)) }
        return values
    }

    /// A document with some of these members.
    private mutating func some(_ members: JSONValue, besides needed: JSONValue = [:]) -> JSONValue {
        .object((needed.object ?? []) + (members.object ?? []).filter { _ in flag() })
    }

    // MARK: - Values

    private mutating func environment() -> APNsEnvironment? { pick([nil, .sandbox, .production]) }
    private mutating func channelID() -> ChannelID { ChannelID(high: pick([0, 9, .max]), low: pick([1, .max])) }

    private mutating func appChange() -> JSONValue {
        some([
            "backgroundRefresh": .bool(flag()), "appState": .null, "permissions": ["badge": .bool(flag())],
            "sounds": [["name": "a.caf", "duration": "1500ms"]],
        ])
    }

    private mutating func app() throws -> RegistrationSpecification {
        try RegistrationSpecification(
            json: some(
                ["token": "00fC", "environment": "production", "entitled": false, "rotate": "reinstall"],
                besides: .object([JSONMember("topic", "com.example.app")] + (appChange().object ?? []))),
            tokenByteCounts: DeviceToken.anyByteCounts)
    }

    private mutating func device() throws -> DeviceSpecification {
        let activity: JSONValue = [
            "id": "2", "topic": "com.example.app.push-type.liveactivity", "environment": "sandbox",
            "startedAt": "2026-11-21T09:30:00Z", "token": "ab",
        ]
        var device = try DeviceSpecification(
            json: some([
                "id": "kims-phone", "scope": "t1", "user": "kim", "name": .string("K" + text()), "online": false,
                "power": "low", "locale": "en-GB", "focus": ["name": "Work", "people": ["Kim"]], "languages": ["de"],
                "watch": ["worn": false], "summary": ["times": ["08:00"], "apps": ["com.example.app"]],
                "activities": [activity],
            ]), tokenByteCounts: DeviceToken.anyByteCounts)
        device.registrations = try list { try $0.app() }.filter { $0.rotation == nil }
        return device
    }

    private mutating func devicePatch() throws -> DevicePatch {
        try DevicePatch(json: some(["user": .null, "online": .bool(flag()), "focus": .null, "locked": true]))
    }

    private mutating func deviceFilter() throws -> DeviceFilter {
        try DeviceFilter(
            parameters: pick([[], [("!scope", ""), ("topic", "a"), ("topic", "com.b"), ("token", "AB")]]))
    }

    private mutating func activity() throws -> ActivitySpecification {
        try ActivitySpecification(
            json: some(
                [
                    "environment": "production", "attributes": ["a": .string(text())], "pushType": .null,
                    "contentState": ["n": count()], "relevanceScore": .number(JSONNumber(text: "0.1")),
                    "staleDate": "2026-11-21T09:30:00.001Z",
                ], besides: ["topic": "com.example.app.push-type.liveactivity", "attributesType": "Game"]))
    }

    private mutating func activityPatch() throws -> ActivityPatch {
        try ActivityPatch(
            json: some(
                ["staleDate": .null, "relevanceScore": 2, "dismissalDate": "2026-11-21T09:30:00Z"],
                besides: ["state": "ended"]))
    }

    private mutating func subscription() throws -> SubscriptionSpecification {
        try SubscriptionSpecification(
            json: some(
                ["topic": "com.example.app.push-type.liveactivity", "environment": "sandbox", "contentState": [:]],
                besides: ["channel": .string(channelID().text)]))
    }

    private mutating func channel() throws -> ChannelSpecification {
        try ChannelSpecification(
            json: some(
                ["id": .string(channelID().text), "environment": "production", "messageStoragePolicy": 1],
                besides: ["bundleId": "com.example.app"]))
    }

    private mutating func fault() throws -> FaultDraft {
        try FaultDraft(
            json: some(
                ["id": "a", "name": .string(text()), "times": 3, "scope": "t1"],
                besides: [
                    "action": ["type": "respond", "status": 503, "delay": ["uniform": ["1ms", "2s"]]],
                    "match": ["topic": [["prefix": "com."], "x"], "payload": ["/aps/badge": ["gte": 1]]],
                ]))
    }

    private mutating func scenario() throws -> Scenario {
        try Scenario(
            json: some(
                ["seed": count(), "description": .string(text())],
                besides: [
                    "name": "outage",
                    "steps": [
                        ["after": "5s", "add": [try fault().json]],
                        ["after": ["pushes": 9], "add": [["action": ["type": "stall"]]]],
                    ],
                ]))
    }

    private mutating func clockChange() -> ClockState.Change {
        pick([
            .advance(by: .nanoseconds(1_500_000_001)), .advance(by: .seconds(-1)), .reach(Instant(milliseconds: .max)),
            .set(.frozen, now: Instant(milliseconds: -1)), .set(.real), .set(now: Instant(seconds: 5)),
        ])
    }

    private mutating func clock() throws -> ClockState {
        var clock = ClockState()
        let wall = Instant(seconds: 1_795_253_400)
        try clock.set(pick(ClockState.Mode.allCases), now: wall.advanced(by: .milliseconds(below(1000))), wall: wall)
        return clock
    }

    private mutating func key() throws -> SigningKey {
        let pem = """
            -----BEGIN PUBLIC KEY-----
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdukVn9CvGDyumel8uQ/0+i5eBs3R
            vSJpTSdvyWHqU8pN/eFeaKwzEf5IJSE7diBUMtXYyIFJFLZ+WLQBHDHr0g==
            -----END PUBLIC KEY-----
            """
        let topical = KeyScope(
            environment: .production, topics: ["com.example.b", "com.example.a"],
            relatedKeyID: optional { _ in "RELATED123" })
        return try SigningKey(
            keyID: "ABC123DEFG", team: "TEAM123456", publicKey: P256PublicKey(pem: pem), scope: pick([.team, topical]),
            revokedAt: optional { Instant(milliseconds: Int64($0.below(5))) })
    }
}
