import APNsRules
import MynahCore

@testable import Mynah

/// What happens in a simulation, as random as a generator, in a world of five devices, three apps and two channels.
struct RandomCommands {
    enum Step {
        /// The kind and the document of a command; its `nth`, counted from the newest push, becomes its `sequence`.
        case command(CommandKind, JSONValue)
        /// A push to an app of a device.
        case push(device: String, topic: String, body: String, expiresWithin: Duration?)
        case look
        /// The delay of a withheld request is over, or its stream has ended; counted from the newest.
        case release(nth: Int)
        case abandon(nth: Int)
        /// Another process goes on.
        case started
        /// Time passes.
        case pass(Duration)
    }

    static let devices = (1...5).map { "phone-\($0)" }
    static let apps = ["a", "b", "c"].map { "com.example.\($0)" }
    static let channels = ["AAAAAAAAAAAAAAAAAAAAAQ==", "AAAAAAAAAAAAAAAAAAAAAg=="]
    private static let activities = apps[0] + ".push-type.liveactivity"

    /// What a world begins with.
    static let baseline: [Step] = [
        .command(
            LoadDevices.kind,
            [
                "specifications": .array(
                    devices.enumerated().map { index, id in
                        [
                            "id": .string(id), "scope": index < 2 ? "t1" : .null,
                            "registrations": .array(apps.map { ["topic": .string($0)] }),
                        ]
                    })
            ]),
        .command(
            LoadChannels.kind,
            [
                "specifications": .array(
                    channels.map {
                        ["id": .string($0), "bundleId": .string(apps[0]), "messageStoragePolicy": 1]
                    })
            ]),
        .command(
            LoadFaults.kind,
            ["drafts": [["action": ["type": "duplicate"], "every": 4, "match": ["topic": .string(apps[2])]]]]),
    ]

    private var random: SeededGenerator
    private let types: [any Command.Type]

    /// - Parameters:
    ///   - hasScenarios: Whether scenarios, whose steps take place at looks, are among them.
    ///   - isOfCluster: Whether what the servers of a cluster tell each other is, too, and fixtures that are read again.
    init(seed: UInt64, hasScenarios: Bool = true, isOfCluster: Bool = false) {
        random = SeededGenerator(seed: seed)
        let ofCluster: [any Command.Type] = [LoadFixtures.self, ReplaceFixtures.self, NoteCertificate.self]
        let ofScenarios: [any Command.Type] = [
            StartScenario.self, StartScenario.self, RemoveScenario.self, RemoveScenarios.self,
        ]
        types = Self.types + (isOfCluster ? ofCluster : []) + (hasScenarios ? ofScenarios : [])
    }

    private mutating func below(_ count: Int) -> Int { Int(random.number(in: 0...Int64(count - 1))) }
    private mutating func any<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
    private mutating func device() -> JSONValue { .string(any(RandomCommands.devices)) }
    private mutating func topic() -> JSONValue { .string(any(RandomCommands.apps)) }
    private mutating func channel() -> JSONValue { .string(any(RandomCommands.channels)) }
    private mutating func number(_ count: Int) -> JSONValue { .whole(below(count)) }
    private mutating func filter() -> JSONValue { any([["scope": ["t1"]], ["online": ["false"]], ["power": ["low"]]]) }
    private mutating func scope() -> JSONValue { any([.null, "t1"]) }
    private mutating func rule() -> JSONValue { .string("rule-\(below(4))") }

    mutating func step() -> Step {
        switch below(100) {
        case ..<35:
            return .push(
                device: any(RandomCommands.devices), topic: any(RandomCommands.apps),
                body: any([
                    #"{"aps":{"alert":"hi","badge":3,"sound":"default"}}"#, #"{"aps":{"content-available":1}}"#,
                    #"{"aps":{"alert":{"title":"t","body":"b"},"category":"c","mutable-content":1}}"#,
                ]),
                expiresWithin: any([nil, nil, .seconds(90), .seconds(4000)]))
        case ..<38: return .release(nth: below(4))
        case 38: return .abandon(nth: below(4))
        case 39: return below(4) == 0 ? .started : .look
        case ..<52:
            return .pass(any([.milliseconds(20), .milliseconds(150), .seconds(7), .seconds(70), .seconds(1900)]))
        default:
            let type = any(types)
            return .command(type.kind, document(of: type) ?? .null)
        }
    }

    // What happens often is named more than once; keys need a signature's key, and are drawn by the caller.
    private static let types: [any Command.Type] = [
        CreateDevices.self, PutDevice.self, ChangeDevice.self, ChangeDevice.self, ChangeDevice.self, ChangeDevice.self,
        ChangeDevices.self, RemoveDevice.self, RemoveDevices.self, ConnectDevice.self, DisconnectDevice.self,
        RegisterApp.self, RegisterApp.self, RegisterApp.self, ChangeApp.self, ChangeApp.self, ChangeApp.self,
        UninstallApp.self, Act.self, Act.self, Act.self, RemoveFromScreen.self, ClearScreen.self, ChangeScreen.self,
        StartActivity.self, StartActivity.self, ChangeActivity.self, DismissActivity.self, Subscribe.self,
        Subscribe.self, Unsubscribe.self, StartActivities.self, DismissActivities.self, CreateChannel.self,
        RemoveChannel.self, ForgetChannels.self, AddFaults.self, PutFault.self, PatchFault.self, RemoveFault.self,
        RemoveFaults.self, RemoveFaultsOfScope.self, ChangeClock.self, ChangeClock.self, ReplaceClock.self,
        SettleClock.self, RevokeKey.self, ResetKeys.self, Reset.self, RemovePushes.self, NoteConnection.self,
        NoteConnection.self, CountConnection.self, CountConnection.self, CountIdleClose.self,
    ]

    /// `nil` for a command that has none here.
    mutating func document(of type: any Command.Type) -> JSONValue? {
        switch type {
        case is Look.Type, is ForgetChannels.Type, is RemoveScenarios.Type, is ResetKeys.Type: [:]
        case is CreateDevices.Type, is LoadDevices.Type:
            [
                "specifications": [
                    ["registrations": [["topic": topic()]]], ["id": "tablet", "count": .whole(1 + below(30))],
                ]
            ]
        case is PutDevice.Type:
            [
                "id": device(),
                "specification": ["scope": scope(), "registrations": [["topic": topic()], ["topic": topic()]]],
            ]
        case is ChangeDevice.Type: ["id": device(), "patch": patch()]
        case is ChangeDevices.Type: ["filter": filter(), "patch": patch()]
        case is RemoveDevice.Type: ["id": device()]
        case is RemoveDevices.Type: ["filter": ["device": [device()]]]
        case is ConnectDevice.Type, is DisconnectDevice.Type: ["id": device(), "client": number(3)]
        case is RegisterApp.Type:
            [
                "device": device(),
                "app": [
                    "topic": topic(), "rotate": any([.null, .null, "reinstall", "restore", "osReinstall"]),
                    "token": any([.null, .null, .null, .string(String(repeating: "a5", count: 31) + "0\(below(4))")]),
                ],
            ]
        case is ChangeApp.Type:
            [
                "device": device(), "topic": topic(),
                "patch": any([
                    ["permissions": ["authorization": "denied"]], ["permissions": ["authorization": "authorized"]],
                    ["appState": "foreground"], ["appState": "forceQuit"], ["backgroundRefresh": false],
                ]),
            ]
        case is UninstallApp.Type: ["device": device(), "topic": topic()]
        case is Act.Type: ["device": device(), "nth": number(12), "action": any(["default", "dismiss"])]
        case is RemoveFromScreen.Type: ["device": device(), "nth": number(12)]
        case is ClearScreen.Type: ["device": device(), "filter": [:]]
        case is ChangeScreen.Type: ["device": device(), "patch": ["badges": [any(RandomCommands.apps): number(5)]]]
        case is StartActivity.Type: ["device": device(), "specification": activity()]
        case is ChangeActivity.Type:
            [
                "device": device(), "number": number(4),
                "patch": any([["contentState": ["score": number(9)]], ["state": "ended"]]),
            ]
        case is DismissActivity.Type: ["device": device(), "number": number(4)]
        case is Subscribe.Type: ["device": device(), "specification": ["channel": channel()]]
        case is Unsubscribe.Type: ["device": device(), "channel": channel()]
        case is StartActivities.Type: ["filter": filter(), "specification": activity()]
        case is DismissActivities.Type: ["activities": [:], "devices": filter()]
        case is CreateChannel.Type, is LoadChannels.Type: ["specification": ["bundleId": topic()]]
        case is RemoveChannel.Type: ["id": channel()]
        case is AddFaults.Type, is LoadFaults.Type: ["drafts": [draft(), draft()]]
        case is PutFault.Type: ["id": rule(), "draft": draft()]
        case is PatchFault.Type: ["id": rule(), "json": ["enabled": any([true, false])]]
        case is RemoveFault.Type: ["id": rule()]
        case is RemoveFaults.Type: ["filter": ["scope": ["t1"]]]
        case is RemoveFaultsOfScope.Type: ["scope": "t1"]
        case is StartScenario.Type, is LoadScenario.Type: ["scenario": Self.scenario("s-\(below(2))")]
        case is RemoveScenario.Type: ["name": .string("s-\(below(2))")]
        case is ChangeClock.Type:
            [
                "scope": scope(),
                "change": any([
                    ClockState.Change.advance(by: .seconds(3)), .advance(by: .seconds(3600)), .set(.frozen),
                    .set(.offset),
                ]).json,
            ]
        case is ReplaceClock.Type: ["scope": scope(), "clock": ClockState().json]
        case is SettleClock.Type: ["scope": scope()]
        case is AddKey.Type, is ReplaceKey.Type, is RevokeKey.Type, is StartKeys.Type: ["keyID": "KEY1234567"]
        case is Reset.Type:
            [
                "parts": .array((0...below(4)).map { _ in .string(any(ResetPart.allCases).rawValue) }),
                "scope": scope(), "restoresBaseline": any([true, true, false]), "connectionCount": 0,
            ]
        case is RemovePushes.Type: ["nth": number(12)]
        case is NoteConnection.Type:
            [
                "change": any(["opened", "closed", "failed", "failed"]),
                "connection": ["id": number(40), "cause": any(["hungUp", "notTLS"])],
            ]
        case is CountConnection.Type:
            ["event": any(["accept", "handshake"]), "connection": number(40), "environment": any([.null, "sandbox"])]
        case is CountIdleClose.Type: ["rule": any(["f-1", "f-2"]), "age": number(3)]
        case is LoadFixtures.Type:
            ["channels": [], "devices": [["id": "loaded"]], "faults": [draft()], "scenarios": []]
        case is ReplaceFixtures.Type:
            ["devices": any([.null, [["id": "loaded"]]]), "faults": any([.null, [draft()]]), "channels": .null]
        case is NoteCertificate.Type:
            [
                "certificate": .string(Base64.encode(CommandSamples.certificate)), "issuedAt": 1,
                "revokedAt": any([.null, 2]),
            ]
        case is NoteCredential.Type: ["connection": number(40), "credential": ["kind": "token"]]
        case is EndConnections.Type: ["connections": [number(40)], "isAborted": any([false, true])]
        default: nil
        }
    }

    private mutating func patch() -> JSONValue {
        any([
            ["online": false], ["online": true], ["online": true], ["power": "low"], ["power": "asleep"],
            ["power": "normal"], ["locale": "de"], ["name": "A phone"],
        ])
    }

    private mutating func activity() -> JSONValue {
        [
            "topic": .string(Self.activities), "attributesType": "Game", "contentState": ["score": number(9)],
            "pushType": any(["token", ["channel": channel()], .null]), "staleDate": "2026-01-01T01:00:00.000Z",
        ]
    }

    private mutating func draft() -> JSONValue {
        [
            "scope": scope(), "every": 3,
            "action": any([
                ["type": "duplicate"], ["type": "lose"], ["type": "pass", "delay": "5s"],
                ["type": "stall", "deliver": true],
                ["type": "respond", "status": 503, "delay": ["uniform": ["1s", "9s"]]],
            ]),
        ]
    }

    private static func scenario(_ name: String) -> JSONValue {
        let rule: JSONValue = .string(name + "-rule")
        return [
            "name": .string(name),
            "steps": [
                ["after": "1m", "add": [["id": rule, "action": ["type": "lose"], "every": 5]]],
                ["after": "30m", "remove": [rule]],
            ],
        ]
    }
}
