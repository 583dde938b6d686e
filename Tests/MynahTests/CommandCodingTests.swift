import APNsRules
import MynahCore
import MynahTrust
import Testing

@testable import Mynah

@Suite("Commands in a log")
struct CommandCodingTests {
    @Test("a command of each kind is read as it was written", arguments: CommandKind.allCases)
    func commandIsReadAsItWasWritten(_ kind: CommandKind) throws {
        #expect(kind.command.kind == kind)
        var commands = CommandSamples(seed: UInt64(kind.rawValue))
        for _ in 0..<50 {
            let command = try commands.command(of: kind)
            #expect(type(of: command).kind == kind)
            try expectSame(command)
        }
    }

    @Test("the private half of a key is not written")
    func privateHalfIsNotWritten() throws {
        let key = try SigningKey.generate()
        let bytes = try CommandCoding.encode(AddKey(key: key))
        let again = try CommandCoding.decode(kind: CommandKind.addKey.rawValue, bytes.span) as? AddKey
        #expect(again?.key == key.publicHalf)
        #expect(again?.key != key)
    }

    @Test("a document is as deep in a command as a call takes it")
    func documentIsAsDeepAsACallTakesIt() throws {
        let inner =
            String(repeating: "[", count: JSONValue.depthMax - 2)
            + String(repeating: "]", count: JSONValue.depthMax - 2)
        let body = #"{"topic":"a.push-type.liveactivity","attributesType":"A","attributes":{"a":\#(inner)}}"#
        let activity = try ActivitySpecification(json: JSONValue(parsing: body))
        try expectSame(StartActivity(device: "phone", specification: activity))
    }

    @Test("what could not be read again is not written")
    func whatCouldNotBeReadIsNotWritten() throws {
        func error(_ value: JSONValue) -> InputError? {
            #expect(throws: InputError.self) { try CommandCoding.encode(PatchFault(id: "a", json: ["name": value])) }
        }
        #expect(error(.raw(Array("{".utf8)))?.problem.contains("encoded JSON") == true)
        let deep = (0...CommandCoding.depthMax).reduce(JSONValue.null) { value, _ in [value] }
        #expect(error(deep)?.problem.contains("deeper than \(CommandCoding.depthMax)") == true)
    }

    @Test(
        "a command that can't be read says why",
        arguments: [
            (200, "{}", "", "written by a newer Mynah"), (0, "{}", "", "written by a newer Mynah"),
            (CommandKind.removeDevice.rawValue, "{", "", "not JSON"),
            (CommandKind.removeDevice.rawValue, "{}", "/id", "expected a string"),
            (CommandKind.removeDevice.rawValue, #"{"id": 1}"#, "/id", "expected a string"),
            (CommandKind.act.rawValue, #"{"device": "a", "sequence": -1}"#, "/sequence", "a whole number from 0"),
            (
                CommandKind.uninstallApp.rawValue, #"{"device":"","topic":"","environment":"x"}"#, "/environment",
                "sandbox"
            ),
            (
                CommandKind.putDevice.rawValue, #"{"id":"a","specification":{"power":"odd"}}"#, "/specification/power",
                "low"
            ),
            (
                CommandKind.createDevices.rawValue, #"{"specifications":[{"nmae":"a"}]}"#, "/specifications/0/nmae",
                "name"
            ),
            (
                CommandKind.startActivity.rawValue, #"{"device":"a","specification":{}}"#, "/specification/topic",
                "missing"
            ),
            (CommandKind.removePushes.rawValue, #"{"sequences": {}}"#, "/sequences", "an array"),
            (CommandKind.startKeys.rawValue, #"{"keys": [{}]}"#, "/keys/0/keyId", "expected a string"),
            (CommandKind.changeClock.rawValue, #"{"change": {"advance": [1]}}"#, "/change/advance", "attoseconds"),
            (CommandKind.replaceClock.rawValue, #"{"clock": {"mode": "slow"}}"#, "/clock/mode", "frozen"),
            (CommandKind.removeChannel.rawValue, #"{"id": "x"}"#, "/id", "channel"),
            (CommandKind.removeDevices.rawValue, #"{"filter": {"power": ["odd"]}}"#, "/filter/power", "low"),
            (
                CommandKind.addKey.rawValue,
                #"{"key":{"keyId":"ABC123DEFG","team":"TEAM123456","publicKey":"AAAA","environment":"both"}}"#, "/key",
                "key"
            ),
        ] as [(UInt8, String, String, String)])
    func commandThatCannotBeReadSaysWhy(_ kind: UInt8, _ document: String, _ field: String, _ problem: String) throws {
        let error = #expect(throws: InputError.self) {
            try CommandCoding.decode(kind: kind, document.utf8Span.span)
        }
        #expect(error?.field == field)
        #expect(error?.problem.contains(problem) == true, "\(String(describing: error))")
    }

    @Test(
        "a log of the first version can be read",
        arguments: [
            (1, .look, #"{}"#),
            (2, .createDevices, #"{"specifications":[{"id":"a"}]}"#),
            (3, .loadDevices, #"{"specifications":[]}"#),
            (4, .putDevice, #"{"id":"a","specification":{}}"#),
            (5, .changeDevice, #"{"id":"a","patch":{"online":false}}"#),
            (6, .changeDevices, #"{"filter":{"!scope":["t1"]},"patch":{}}"#),
            (7, .removeDevice, #"{"id":"a"}"#),
            (8, .removeDevices, #"{"filter":{}}"#),
            (9, .connectDevice, #"{"id":"a","client":1}"#),
            (10, .disconnectDevice, #"{"id":"a","client":1}"#),
            (11, .registerApp, #"{"device":"a","app":{"topic":"a"}}"#),
            (12, .changeApp, #"{"device":"a","topic":"a","environment":"sandbox","patch":{}}"#),
            (13, .uninstallApp, #"{"device":"a","topic":"a","environment":null}"#),
            (14, .act, #"{"device":"a","sequence":1,"action":"default","text":null}"#),
            (15, .removeFromScreen, #"{"device":"a","sequence":1}"#),
            (16, .clearScreen, #"{"device":"a","filter":{"topic":["a"]}}"#),
            (17, .changeScreen, #"{"device":"a","patch":{"badges":{"a":1}}}"#),
            (18, .startActivity, #"{"device":"a","specification":ACTIVITY}"#),
            (19, .changeActivity, #"{"device":"a","number":1,"patch":{"state":"ended"}}"#),
            (20, .dismissActivity, #"{"device":"a","number":1}"#),
            (21, .subscribe, #"{"device":"a","specification":{"channel":"CHANNEL"}}"#),
            (22, .unsubscribe, #"{"device":"a","channel":"CHANNEL"}"#),
            (23, .startActivities, #"{"filter":{},"specification":ACTIVITY}"#),
            (24, .dismissActivities, #"{"activities":{},"devices":{}}"#),
            (25, .createChannel, #"{"specification":{"bundleId":"a"}}"#),
            (26, .loadChannels, #"{"specifications":[{"bundleId":"a"}]}"#),
            (27, .removeChannel, #"{"id":"CHANNEL"}"#),
            (28, .forgetChannels, #"{}"#),
            (29, .addFaults, #"{"drafts":[RULE],"seed":1,"pointers":["/0"]}"#),
            (30, .loadFaults, #"{"drafts":[RULE]}"#),
            (31, .putFault, #"{"id":"a","draft":RULE}"#),
            (32, .patchFault, #"{"id":"a","json":{"times":1}}"#),
            (33, .removeFault, #"{"id":"a"}"#),
            (34, .removeFaults, #"{"filter":{}}"#),
            (35, .removeFaultsOfScope, #"{"scope":"t1"}"#),
            (36, .startScenario, #"{"scenario":SCENARIO}"#),
            (37, .loadScenario, #"{"scenario":SCENARIO}"#),
            (38, .removeScenario, #"{"name":"s"}"#), (38, .removeScenario, #"{"name":"s","scope":"t1"}"#),
            (39, .removeScenarios, #"{}"#), (39, .removeScenarios, #"{"scope":"t1"}"#),
            (40, .changeClock, #"{"scope":null,"change":{"advance":[1,500000000000000000]}}"#),
            (40, .changeClock, #"{"scope":null,"change":{"mode":"frozen","now":1}}"#),
            (40, .changeClock, #"{"scope":null,"change":{"reach":1}}"#),
            (41, .replaceClock, #"{"scope":"t1","clock":{"mode":"offset","ahead":1}}"#),
            (42, .settleClock, #"{"scope":null}"#),
            (43, .addKey, #"{"key":KEY}"#),
            (44, .replaceKey, #"{"key":KEY}"#),
            (45, .revokeKey, #"{"keyID":"ABC123DEFG"}"#),
            (46, .resetKeys, #"{}"#),
            (47, .reset, #"{"parts":["devices"],"scope":null,"restoresBaseline":true,"connectionCount":0}"#),
            (48, .removePushes, #"{"sequences":[1]}"#),
            (49, .startKeys, #"{"keys":[KEY]}"#),
            (50, .loadFixtures, #"{"channels":[],"devices":[{"id":"a"}],"faults":[RULE],"scenarios":[SCENARIO]}"#),
            (51, .noteCertificate, #"{"certificate":"CERTIFICATE","issuedAt":1,"revokedAt":2}"#),
            (52, .replaceFixtures, #"{"channels":[],"devices":[{"id":"a"}],"faults":null}"#),
        ] as [(UInt8, CommandKind, String)])
    func logOfTheFirstVersionCanBeRead(_ number: UInt8, _ kind: CommandKind, _ text: String) throws {
        let parts = [
            "ACTIVITY": #"{"topic":"a.push-type.liveactivity","attributesType":"A"}"#,
            "CHANNEL": "AAAAAAAAAAAAAAAAAAAAAQ==", "RULE": #"{"action":{"type":"stall"}}"#,
            "SCENARIO": #"{"name":"s","steps":[{"after":"5s","add":[{"action":{"type":"stall"}}]}]}"#,
            "CERTIFICATE": Base64.encode(CommandSamples.certificate),
            "KEY": """
            {"keyId":"ABC123DEFG","team":"TEAM123456","environment":"both",\
            "publicKey":"BHbpFZ/Qrxg8rpnpfLkP9PouXgbN0b0iaU0nb8lh6lPKTf3hXmisMxH+SCUhO3YgVDLV2MiBSRS2fli0ARwx69I="}
            """,
        ]
        let document = parts.reduce(text) { $0.replacing($1.key, with: $1.value) }
        let command = try CommandCoding.decode(kind: number, document.utf8Span.span)
        #expect(type(of: command).kind == kind)
    }

    private func expectSame<C: Command>(_ command: C) throws {
        let bytes = try CommandCoding.encode(command)
        let again = try CommandCoding.decode(kind: C.kind.rawValue, bytes.span)
        #expect(again as? C == command, "\(String(decoding: bytes, as: UTF8.self))")
    }
}
