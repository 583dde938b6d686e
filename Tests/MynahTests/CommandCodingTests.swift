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

    @Test("each kind has commands of its own among the random ones", arguments: CommandKind.allCases)
    func kindHasRandomCommands(_ kind: CommandKind) {
        var commands = RandomCommands(seed: UInt64(kind.rawValue))
        #expect(commands.document(of: kind.command) != nil)
    }

    @Test("the private half of a key is not written")
    func privateHalfIsNotWritten() throws {
        let key = try SigningKey.generate()
        let bytes = try CommandCoding.encode(AddKey(key: key))
        let again = try CommandCoding.decode(AddKey.kind.command, bytes.span) as? AddKey
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
            (RemoveDevice.self, "{", "", "not JSON"),
            (RemoveDevice.self, "{}", "/id", "expected a string"),
            (RemoveDevice.self, #"{"id": 1}"#, "/id", "expected a string"),
            (Act.self, #"{"device": "a", "sequence": -1}"#, "/sequence", "a whole number from 0"),
            (
                UninstallApp.self, #"{"device":"","topic":"","environment":"x"}"#, "/environment",
                "sandbox"
            ),
            (
                PutDevice.self, #"{"id":"a","specification":{"power":"odd"}}"#, "/specification/power",
                "low"
            ),
            (
                CreateDevices.self, #"{"specifications":[{"nmae":"a"}]}"#, "/specifications/0/nmae",
                "name"
            ),
            (
                StartActivity.self, #"{"device":"a","specification":{}}"#, "/specification/topic",
                "missing"
            ),
            (RemovePushes.self, #"{"sequences": {}}"#, "/sequences", "an array"),
            (StartKeys.self, #"{"keys": [{}]}"#, "/keys/0/keyId", "expected a string"),
            (ChangeClock.self, #"{"change": {"advance": [1]}}"#, "/change/advance", "attoseconds"),
            (ReplaceClock.self, #"{"clock": {"mode": "slow"}}"#, "/clock/mode", "frozen"),
            (RemoveChannel.self, #"{"id": "x"}"#, "/id", "channel"),
            (RemoveDevices.self, #"{"filter": {"power": ["odd"]}}"#, "/filter/power", "low"),
            (
                AddKey.self,
                #"{"key":{"keyId":"ABC123DEFG","team":"TEAM123456","publicKey":"AAAA","environment":"both"}}"#, "/key",
                "key"
            ),
        ] as [(any Command.Type, String, String, String)])
    func commandThatCannotBeReadSaysWhy(
        _ type: any Command.Type, _ document: String, _ field: String, _ problem: String
    ) throws {
        let error = #expect(throws: InputError.self) {
            try CommandCoding.decode(type, document.utf8Span.span)
        }
        #expect(error?.field == field)
        #expect(error?.problem.contains(problem) == true, "\(String(describing: error))")
    }

    @Test(
        "a log of the first version can be read",
        arguments: [
            (1, Look.self, #"{}"#),
            (2, CreateDevices.self, #"{"specifications":[{"id":"a"}]}"#),
            (3, LoadDevices.self, #"{"specifications":[]}"#),
            (4, PutDevice.self, #"{"id":"a","specification":{}}"#),
            (5, ChangeDevice.self, #"{"id":"a","patch":{"online":false}}"#),
            (6, ChangeDevices.self, #"{"filter":{"!scope":["t1"]},"patch":{}}"#),
            (7, RemoveDevice.self, #"{"id":"a"}"#),
            (8, RemoveDevices.self, #"{"filter":{}}"#),
            (9, ConnectDevice.self, #"{"id":"a","client":1}"#),
            (10, DisconnectDevice.self, #"{"id":"a","client":1}"#),
            (11, RegisterApp.self, #"{"device":"a","app":{"topic":"a"}}"#),
            (12, ChangeApp.self, #"{"device":"a","topic":"a","environment":"sandbox","patch":{}}"#),
            (13, UninstallApp.self, #"{"device":"a","topic":"a","environment":null}"#),
            (14, Act.self, #"{"device":"a","sequence":1,"action":"default","text":null}"#),
            (15, RemoveFromScreen.self, #"{"device":"a","sequence":1}"#),
            (16, ClearScreen.self, #"{"device":"a","filter":{"topic":["a"]}}"#),
            (17, ChangeScreen.self, #"{"device":"a","patch":{"badges":{"a":1}}}"#),
            (18, StartActivity.self, #"{"device":"a","specification":ACTIVITY}"#),
            (19, ChangeActivity.self, #"{"device":"a","number":1,"patch":{"state":"ended"}}"#),
            (20, DismissActivity.self, #"{"device":"a","number":1}"#),
            (21, Subscribe.self, #"{"device":"a","specification":{"channel":"CHANNEL"}}"#),
            (22, Unsubscribe.self, #"{"device":"a","channel":"CHANNEL"}"#),
            (23, StartActivities.self, #"{"filter":{},"specification":ACTIVITY}"#),
            (24, DismissActivities.self, #"{"activities":{},"devices":{}}"#),
            (25, CreateChannel.self, #"{"specification":{"bundleId":"a"}}"#),
            (26, LoadChannels.self, #"{"specifications":[{"bundleId":"a"}]}"#),
            (27, RemoveChannel.self, #"{"id":"CHANNEL"}"#),
            (28, ForgetChannels.self, #"{}"#),
            (29, AddFaults.self, #"{"drafts":[RULE],"seed":1,"pointers":["/0"]}"#),
            (30, LoadFaults.self, #"{"drafts":[RULE]}"#),
            (31, PutFault.self, #"{"id":"a","draft":RULE}"#),
            (32, PatchFault.self, #"{"id":"a","json":{"times":1}}"#),
            (33, RemoveFault.self, #"{"id":"a"}"#),
            (34, RemoveFaults.self, #"{"filter":{}}"#),
            (35, RemoveFaultsOfScope.self, #"{"scope":"t1"}"#),
            (36, StartScenario.self, #"{"scenario":SCENARIO}"#),
            (37, LoadScenario.self, #"{"scenario":SCENARIO}"#),
            (38, RemoveScenario.self, #"{"name":"s"}"#), (38, RemoveScenario.self, #"{"name":"s","scope":"t1"}"#),
            (39, RemoveScenarios.self, #"{}"#), (39, RemoveScenarios.self, #"{"scope":"t1"}"#),
            (40, ChangeClock.self, #"{"scope":null,"change":{"advance":[1,500000000000000000]}}"#),
            (40, ChangeClock.self, #"{"scope":null,"change":{"mode":"frozen","now":1}}"#),
            (40, ChangeClock.self, #"{"scope":null,"change":{"reach":1}}"#),
            (41, ReplaceClock.self, #"{"scope":"t1","clock":{"mode":"offset","ahead":1}}"#),
            (42, SettleClock.self, #"{"scope":null}"#),
            (43, AddKey.self, #"{"key":KEY}"#),
            (44, ReplaceKey.self, #"{"key":KEY}"#),
            (45, RevokeKey.self, #"{"keyID":"ABC123DEFG"}"#),
            (46, ResetKeys.self, #"{}"#),
            (47, Reset.self, #"{"parts":["devices"],"scope":null,"restoresBaseline":true,"connectionCount":0}"#),
            (48, RemovePushes.self, #"{"sequences":[1]}"#),
            (49, StartKeys.self, #"{"keys":[KEY]}"#),
            (50, LoadFixtures.self, #"{"channels":[],"devices":[{"id":"a"}],"faults":[RULE],"scenarios":[SCENARIO]}"#),
            (51, NoteCertificate.self, #"{"certificate":"CERTIFICATE","issuedAt":1,"revokedAt":2}"#),
            (52, ReplaceFixtures.self, #"{"channels":[],"devices":[{"id":"a"}],"faults":null}"#),
        ] as [(UInt8, any Command.Type, String)])
    func logOfTheFirstVersionCanBeRead(_ number: UInt8, _ known: any Command.Type, _ text: String) throws {
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
        let kind = try #require(CommandKind.byNumber[number])
        let command = try CommandCoding.decode(kind.command, document.utf8Span.span)
        #expect(type(of: command) == known)
    }

    private func expectSame<C: Command>(_ command: C) throws {
        let bytes = try CommandCoding.encode(command)
        let again = try CommandCoding.decode(C.kind.command, bytes.span)
        #expect(again as? C == command, "\(String(decoding: bytes, as: UTF8.self))")
    }
}
