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
            .loadDevices,
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
            .loadChannels,
            [
                "specifications": .array(
                    channels.map {
                        ["id": .string($0), "bundleId": .string(apps[0]), "messageStoragePolicy": 1]
                    })
            ]),
        .command(
            .loadFaults,
            ["drafts": [["action": ["type": "duplicate"], "every": 4, "match": ["topic": .string(apps[2])]]]]),
    ]

    private var random: SeededGenerator
    private let kinds: [CommandKind]

    /// - Parameters:
    ///   - hasScenarios: Whether scenarios, whose steps take place at looks, are among them.
    ///   - isOfCluster: Whether what the servers of a cluster tell each other is, too, and fixtures that are read again.
    init(seed: UInt64, hasScenarios: Bool = true, isOfCluster: Bool = false) {
        random = SeededGenerator(seed: seed)
        kinds =
            Self.kinds + (isOfCluster ? [.loadFixtures, .replaceFixtures, .noteCertificate] : [])
            + (hasScenarios ? [.startScenario, .startScenario, .removeScenario, .removeScenarios] : [])
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
            let kind = any(kinds)
            return .command(kind, document(of: kind))
        }
    }

    // What happens often is named more than once; keys need a signature's key, and are drawn by the caller.
    private static let kinds: [CommandKind] = [
        .createDevices, .putDevice, .changeDevice, .changeDevice, .changeDevice, .changeDevice, .changeDevices,
        .removeDevice, .removeDevices, .connectDevice, .disconnectDevice, .registerApp, .registerApp, .registerApp,
        .changeApp, .changeApp, .changeApp, .uninstallApp, .act, .act, .act, .removeFromScreen, .clearScreen,
        .changeScreen, .startActivity, .startActivity, .changeActivity, .dismissActivity, .subscribe, .subscribe,
        .unsubscribe, .startActivities, .dismissActivities, .createChannel, .removeChannel, .forgetChannels, .addFaults,
        .putFault, .patchFault, .removeFault, .removeFaults, .removeFaultsOfScope, .changeClock, .changeClock,
        .replaceClock, .settleClock, .revokeKey, .resetKeys, .reset, .removePushes, .noteConnection, .noteConnection,
        .countConnection, .countConnection, .countIdleClose,
    ]

    private mutating func document(of kind: CommandKind) -> JSONValue {
        switch kind {
        case .look, .forgetChannels, .removeScenarios, .resetKeys: [:]
        case .createDevices, .loadDevices:
            [
                "specifications": [
                    ["registrations": [["topic": topic()]]], ["id": "tablet", "count": .whole(1 + below(30))],
                ]
            ]
        case .putDevice:
            [
                "id": device(),
                "specification": ["scope": scope(), "registrations": [["topic": topic()], ["topic": topic()]]],
            ]
        case .changeDevice: ["id": device(), "patch": patch()]
        case .changeDevices: ["filter": filter(), "patch": patch()]
        case .removeDevice: ["id": device()]
        case .removeDevices: ["filter": ["device": [device()]]]
        case .connectDevice, .disconnectDevice: ["id": device(), "client": number(3)]
        case .registerApp:
            [
                "device": device(),
                "app": [
                    "topic": topic(), "rotate": any([.null, .null, "reinstall", "restore", "osReinstall"]),
                    "token": any([.null, .null, .null, .string(String(repeating: "a5", count: 31) + "0\(below(4))")]),
                ],
            ]
        case .changeApp:
            [
                "device": device(), "topic": topic(),
                "patch": any([
                    ["permissions": ["authorization": "denied"]], ["permissions": ["authorization": "authorized"]],
                    ["appState": "foreground"], ["appState": "forceQuit"], ["backgroundRefresh": false],
                ]),
            ]
        case .uninstallApp: ["device": device(), "topic": topic()]
        case .act: ["device": device(), "nth": number(12), "action": any(["default", "dismiss"])]
        case .removeFromScreen: ["device": device(), "nth": number(12)]
        case .clearScreen: ["device": device(), "filter": [:]]
        case .changeScreen: ["device": device(), "patch": ["badges": [any(RandomCommands.apps): number(5)]]]
        case .startActivity: ["device": device(), "specification": activity()]
        case .changeActivity:
            [
                "device": device(), "number": number(4),
                "patch": any([["contentState": ["score": number(9)]], ["state": "ended"]]),
            ]
        case .dismissActivity: ["device": device(), "number": number(4)]
        case .subscribe: ["device": device(), "specification": ["channel": channel()]]
        case .unsubscribe: ["device": device(), "channel": channel()]
        case .startActivities: ["filter": filter(), "specification": activity()]
        case .dismissActivities: ["activities": [:], "devices": filter()]
        case .createChannel, .loadChannels: ["specification": ["bundleId": topic()]]
        case .removeChannel: ["id": channel()]
        case .addFaults, .loadFaults: ["drafts": [draft(), draft()]]
        case .putFault: ["id": rule(), "draft": draft()]
        case .patchFault: ["id": rule(), "json": ["enabled": any([true, false])]]
        case .removeFault: ["id": rule()]
        case .removeFaults: ["filter": ["scope": ["t1"]]]
        case .removeFaultsOfScope: ["scope": "t1"]
        case .startScenario, .loadScenario: ["scenario": Self.scenario("s-\(below(2))")]
        case .removeScenario: ["name": .string("s-\(below(2))")]
        case .changeClock:
            [
                "scope": scope(),
                "change": CommandDocument.json(
                    any([.advance(by: .seconds(3)), .advance(by: .seconds(3600)), .set(.frozen), .set(.offset)])),
            ]
        case .replaceClock: ["scope": scope(), "clock": CommandDocument.json(ClockState())]
        case .settleClock: ["scope": scope()]
        case .addKey, .replaceKey, .revokeKey, .startKeys: ["keyID": "KEY1234567"]
        case .reset:
            [
                "parts": .array((0...below(4)).map { _ in .string(any(ResetPart.allCases).rawValue) }),
                "scope": scope(), "restoresBaseline": any([true, true, false]), "connectionCount": 0,
            ]
        case .removePushes: ["nth": number(12)]
        case .noteConnection:
            [
                "change": any(["opened", "closed", "failed", "failed"]),
                "connection": ["id": number(40), "cause": any(["hungUp", "notTLS"])],
            ]
        case .countConnection:
            ["event": any(["accept", "handshake"]), "connection": number(40), "environment": any([.null, "sandbox"])]
        case .countIdleClose: ["rule": any(["f-1", "f-2"]), "age": number(3)]
        case .loadFixtures: ["channels": [], "devices": [["id": "loaded"]], "faults": [draft()], "scenarios": []]
        case .replaceFixtures:
            ["devices": any([.null, [["id": "loaded"]]]), "faults": any([.null, [draft()]]), "channels": .null]
        case .noteCertificate:
            [
                "certificate": .string(Base64.encode(CommandSamples.certificate)), "issuedAt": 1,
                "revokedAt": any([.null, 2]),
            ]
        case .noteCredential: ["connection": number(40), "credential": ["kind": "token"]]
        case .endConnections: ["connections": [number(40)], "isAborted": any([false, true])]
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

/// The documents of parts of commands.
enum CommandDocument {
    static func json(_ value: some CommandValue) -> JSONValue { value.json }
    static func json(_ change: ClockState.Change) -> JSONValue { change.json }
}
