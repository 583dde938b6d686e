import APNsRules
import Testing

@testable import MynahCore

@Suite("Devices as JSON")
struct DeviceJSONTests {
    private static let now = DeviceTableTests.now

    @Test("a device is answered in the shape of the documentation")
    func deviceIsAnsweredInTheShapeOfTheDocumentation() throws {
        let device = try DeviceSpecification(json: [
            "id": "kims-phone", "name": "Kim's iPhone", "locale": "en-GB", "focus": "Work",
            "registrations": [
                [
                    "topic": "com.example.app", "token": .string(String(repeating: "AB", count: 32)),
                    "permissions": ["alert": true],
                ]
            ],
        ])
        var table = DeviceTable()
        _ = try table.create(device, id: "kims-phone", at: Self.now, clock: DeviceTableTests.plain)
        let view = try table.view(of: "kims-phone", at: Self.now, clock: DeviceTableTests.plain).value
        let app: [JSONMember] = [
            JSONMember("topic", "com.example.app"),
            JSONMember("kind", "app"),
            JSONMember("token", .string(String(repeating: "ab", count: 32))),
            JSONMember("applicationServerKey", nil), JSONMember("webPush", nil),
            JSONMember("environment", "sandbox"), JSONMember("state", "active"),
            JSONMember("since", .string(Self.now.rfc3339)), JSONMember("endedAt", nil),
            JSONMember("unregisteredAt", nil), JSONMember("backgroundRefresh", true),
            JSONMember("worker", "shows"),
        ]
        let expected: JSONValue = [
            "id": "kims-phone", "scope": nil, "user": nil, "name": "Kim's iPhone", "model": "iPhone 17",
            "platform": "iOS", "osVersion": "26.1", "environment": "sandbox", "locale": "en-GB", "online": true,
            "power": "normal", "focus": "Work", "languages": [], "locked": false, "muted": false, "watch": nil,
            "summary": nil,
            "registrations": [.object(app + AppPresentation.fields.members(of: AppPresentation()))], "activities": [],
            "stored": 0, "deferred": 0, "inbox": ["count": 0, "dropped": 0, "last": .null],
        ]
        #expect(view.json == expected)
    }

    @Test("a form has the values of a member, and the platforms that have use for it")
    func formMembers() throws {
        func member(_ name: String, of members: JSONValue) throws -> JSONValue {
            try #require(members.array?.first { $0["name"] == .string(name) }, "\(name)")
        }
        let platforms = Platform.allCases.map(\.rawValue)
        let device = DeviceProfile.formMembers
        #expect(
            try member("power", of: device) == [
                "name": "power", "kind": "choice", "values": ["normal", "low", "asleep"],
                "hint": "Its power: low is Low Power Mode, which defers some pushes; asleep has the screen off.",
                "platforms": .texts(platforms), "isClearable": false,
            ])
        #expect(
            try member("muted", of: device) == [
                "name": "muted", "kind": "flag", "values": [false, true],
                "hint": "Whether only critical sounds are heard.",
                "platforms": .texts(platforms.filter { $0 != "tvOS" }), "isClearable": true,
            ])
        #expect(try member("online", of: device)["values"] == [true, false])
        let kinds = try ["name", "user", "languages", "watch"].map { try member($0, of: device)["kind"] }
        #expect(kinds == ["text", "text", "texts", "other"])
        #expect(try member("appState", of: AppSettings.formMembers)["kind"] == "choice")
        #expect(try member("critical", of: NotificationPermissions.formMembers)["values"] == [false, true])
        #expect(device.array?.contains { $0["name"] == "platform" } == false, "it can't be changed")
    }

    @Test("a device's answer can be sent back as a device")
    func answerCanBeGivenBackAsADevice() throws {
        var table = DeviceTable()
        var device = DeviceTableTests.device("phone", scope: "t1")
        device.power = .low
        device.traits = DeviceTraits(platform: .watchOS, locale: "de")
        _ = try table.create(device, id: "phone", at: Self.now, clock: DeviceTableTests.plain)
        let first = try table.view(of: "phone", at: Self.now, clock: DeviceTableTests.plain).value
        var other = DeviceTable()
        let again = try DeviceSpecification(json: first.json)
        _ = try other.create(again, id: "phone", at: Self.now, clock: DeviceTableTests.plain)
        #expect(try other.view(of: "phone", at: Self.now, clock: DeviceTableTests.plain).value.json == first.json)
    }

    @Test(
        "an error in a device names its place",
        arguments: [
            (#"{"nmae": "x"}"#, "/nmae", "did you mean \"name\"?"),
            (#"{"name": ""}"#, "/name", "1 to 256"),
            (#"{"name": 5}"#, "/name", "a string"),
            (#"{"platform": "ios"}"#, "/platform", "did you mean \"iOS\"?"),
            (#"{"power": "lo"}"#, "/power", "did you mean \"low\"?"),
            (#"{"online": "yes"}"#, "/online", "true or false"),
            (#"{"locale": "en_GB"}"#, "/locale", "did you mean \"en-GB\"?"),
            (#"{"locale": "e"}"#, "/locale", "zh-Hant-TW"),
            (#"{"languages": "de"}"#, "/languages", "an array"),
            (#"{"languages": ["de", "en_GB"]}"#, "/languages/1", "did you mean \"en-GB\"?"),
            (#"{"languages": [5]}"#, "/languages/0", "a string"),
            (#"{"scope": "a b"}"#, "/scope", "1 to 64"),
            (#"{"id": "a/b"}"#, "/id", "A-Z a-z 0-9"),
            (#"{"id": ".."}"#, "/id", "not valid"),
            (#"{"count": 0, "id": "x"}"#, "/count", "from 1"),
            (#"{"count": 2}"#, "/id", "needs an id"),
            (#"{"environment": "prod"}"#, "/environment", "production"),
            (#"{"registrations": {}}"#, "/registrations", "an array"),
            (#"{"registrations": [{}]}"#, "/registrations/0/topic", "topic is missing"),
            (#"{"registrations": [{"topic": "a b"}]}"#, "/registrations/0/topic", "A-Z a-z 0-9 . : / -"),
            (#"{"registrations": [{"topic": "a", "tokn": "x"}]}"#, "/registrations/0/tokn", "did you mean \"token\"?"),
            (#"{"registrations": [{"topic": "a", "token": "00"}]}"#, "/registrations/0/token", "64 to 200"),
            (#"{"registrations": [{"topic": "a", "token": "zz"}]}"#, "/registrations/0/token", "hexadecimal digits"),
            (#"{"registrations": [{"topic": "a", "rotate": "reinstall"}]}"#, "/registrations/0/rotate", "older"),
            (#"{"registrations": [{"topic": "a", "appState": "killed"}]}"#, "/registrations/0/appState", "forceQuit"),
            (#"[]"#, "", "an object"),
        ])
    func wrongDeviceIsNamedByItsPlace(json: String, field: String, hint: String) throws {
        let json = try JSONValue(parsing: json)
        let error = #expect(throws: InputError.self) { try DeviceSpecification(json: json) }
        #expect(error?.field == field)
        #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
    }

    @Test(
        "a device that contradicts itself or another changes nothing",
        arguments: [
            (#"{"registrations": [{"topic": "a"}, {"topic": "a"}]}"#, "/registrations/1", InputError.Kind.conflict),
            (
                #"{"registrations": [{"topic": "a", "entitled": false}]}"#, "/registrations/0/entitled",
                InputError.Kind.forbidden
            ),
        ])
    func contradictingDeviceChangesNothing(json: String, field: String, kind: InputError.Kind) throws {
        var table = DeviceTable()
        let device = try DeviceSpecification(json: try JSONValue(parsing: json))
        let error = #expect(throws: InputError.self) {
            try table.create(device, id: "phone", at: Self.now, clock: DeviceTableTests.plain)
        }
        #expect(error?.field == field)
        #expect(error?.kind == kind)
        #expect(table.count == 0)
        _ = try table.create(DeviceTableTests.device("phone"), id: "phone", at: Self.now, clock: DeviceTableTests.plain)
        let taken = #expect(throws: InputError.self) {
            try table.create(
                DeviceTableTests.device("phone"), id: "phone", at: Self.now, clock: DeviceTableTests.plain)
        }
        #expect(taken?.kind == .conflict)
        #expect(table.brokenInvariants() == [])
    }

    @Test(
        "what tvOS has no use for is refused, and what it has is taken",
        arguments: [
            (#"{"focus": "Work"}"#, "/focus", "tvOS has no Focus: expected null"),
            (app(#""categories": [{"id": "A"}]"#), "/registrations/0/categories", "has no categories"),
            (app(#""sounds": ["a.caf"]"#), "/registrations/0/sounds", "has no sounds"),
            (app(#""serviceExtension": {}"#), "/registrations/0/serviceExtension", "badges alone"),
            (app(#""presentInForeground": ["badge", "list"]"#), "/registrations/0/presentInForeground", "badge"),
            (
                app(#""permissions": {"alertStyle": "alert"}"#), "/registrations/0/permissions/alertStyle",
                "no alertStyle"
            ),
            (app(#""permissions": {"critical": true}"#), "/registrations/0/permissions/critical", "no critical"),
            (app(#""permissions": {"sound": false}"#), "/registrations/0/permissions/sound", "no sound"),
            (app(#""permissions": {"badge": false, "sound": true}"#), nil, ""),
            (app(#""presentInForeground": ["badge"]"#), nil, ""), (#"{"languages": ["de"]}"#, nil, ""),
        ] as [(String, String?, String)])
    func tvOSRefusesWhatItHasNoUseFor(json: String, field: String?, hint: String) throws {
        func create(_ platform: String) throws {
            let members = try #require(try JSONValue(parsing: json).object)
            let device = try DeviceSpecification(json: .object(members + [JSONMember("platform", .string(platform))]))
            var table = DeviceTable()
            _ = try table.create(device, id: "a", at: Self.now, clock: DeviceTableTests.plain)
        }
        try create("iOS")
        guard let field else { return try create("tvOS") }
        let error = #expect(throws: InputError.self) { try create("tvOS") }
        #expect(error?.field == field)
        #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
    }

    private static func app(_ members: String) -> String { #"{"registrations": [{"topic": "a", \#(members)}]}"# }

    @Test("one app in both environments is two apps")
    func oneAppInBothEnvironmentsIsTwoApps() throws {
        var table = DeviceTable()
        let device = try DeviceSpecification(json: [
            "registrations": [["topic": "a"], ["topic": "a", "environment": "production"]]
        ])
        _ = try table.create(device, id: "phone", at: Self.now, clock: DeviceTableTests.plain)
        #expect(table.brokenInvariants() == [])
    }

    @Test("a patch changes what it names, and null turns a Focus off")
    func patchChangesWhatItNames() throws {
        var table = DeviceTable()
        var device = DeviceTableTests.device("phone")
        device.screen.focus = Focus(name: "Sleep")
        device.traits.user = "kim"
        _ = try table.create(device, id: "phone", at: Self.now, clock: DeviceTableTests.plain)
        let named = try DevicePatch(json: ["name": "Desk", "osVersion": "27.0"])
        _ = try table.change("phone", named, at: Self.now, clock: DeviceTableTests.plain)
        var view = try table.view(of: "phone", at: Self.now, clock: DeviceTableTests.plain).value
        #expect(view.traits.name == "Desk")
        #expect(view.traits.osVersion == "27.0")
        #expect(view.screen.focus == Focus(name: "Sleep"))
        #expect(view.traits.user == "kim")
        let off = try DevicePatch(json: ["focus": nil, "user": nil])
        _ = try table.change("phone", off, at: Self.now, clock: DeviceTableTests.plain)
        view = try table.view(of: "phone", at: Self.now, clock: DeviceTableTests.plain).value
        #expect(view.screen.focus == nil)
        #expect(view.traits.user == nil)
        #expect(view.traits.name == "Desk")
        #expect(throws: InputError.self) { try DevicePatch(json: ["model": "iPhone"]) }
    }

    @Test("a call for an unknown device names it")
    func callAboutAMissingDeviceSaysSo() {
        var table = DeviceTable()
        let error = #expect(throws: InputError.self) {
            try table.view(of: "nobody", at: Self.now, clock: DeviceTableTests.plain)
        }
        #expect(error?.kind == .notFound)
        #expect(error?.description == "there is no device nobody")
    }

    @Test("numbers in the ids of a fleet have at least five digits")
    func fleetsIDsHaveFiveDigits() {
        var fleet = DeviceSpecification(id: "van")
        fleet.count = 100_000
        #expect(fleet.ids.first == "van-00001")
        #expect(fleet.ids[98] == "van-00099")
        #expect(fleet.ids.last == "van-100000")
    }

    @Test(
        "language tags are accepted",
        arguments: ["en", "en-GB", "zh-Hant-TW", "de-1996", "sr-Latn-RS-x-a1", "yue", "ZH-hk", "iw", "haw-US"])
    func languageTags(tag: String) {
        #expect(LanguageTag.isValid(tag))
    }

    @Test(
        "what is no language tag is refused",
        arguments: [
            "", "e", "en_GB", "en-", "-en", "en--GB", "1n", "en-toolongsubtag", "é", "éé", "english", "Base", "xx",
            "qq-DE",
        ])
    func noLanguageTags(tag: String) {
        #expect(!LanguageTag.isValid(tag))
    }
}
