import APNsRules
import Testing

@testable import MynahCore

@Suite("An app's registration")
struct AppPresentationTests {
    static let whole = """
        {"appState": "background", "appName": "Example",
         "permissions": {"authorization": "provisional", "alert": false, "critical": true, "alertStyle": "alert",
            "lockScreen": false, "notificationCenter": false, "showPreviews": "whenUnlocked",
            "liveActivities": false, "frequentPushes": false},
         "presentInForeground": ["sound", "banner"],
         "sounds": ["chime.caf", {"name": "long.caf", "duration": "31s"}],
         "categories": [{"id": "MAIL", "customDismiss": true, "actions": [
            {"id": "reply", "title": "Reply", "textInput": true, "textInputButtonTitle": "Send",
                "textInputPlaceholder": "Write", "authenticationRequired": true},
            {"id": "bin", "title": "Bin", "destructive": true, "foreground": true}]}, {"id": "EMPTY"}],
         "strings": {"en": "\\"A\\" = \\"B\\";", "pt_br": {"A": "C"}}, "developmentLanguage": "pt_BR",
         "serviceExtension": {"rewrite": {"aps": {"badge": null}}, "takes": "31s", "attachments": ["/x"]},
         "focusFilter": {"work": ["a", "b"], "sleep": []}, "reportsCalls": false,
         "backgroundFetch": {"result": "failed", "takes": "5s"}, "backgroundModes": []}
        """

    @Test("without members it has the defaults, and prints every member")
    func defaults() throws {
        let app = try AppPresentation(json: [:])
        #expect(app == AppPresentation())
        #expect(
            app.json.encodedText
                == #"{"appState":"suspended","permissions":{"authorization":"authorized","alert":true,"badge":true,"#
                + #""sound":true,"critical":false,"timeSensitive":true,"location":true,"#
                + #""lockScreen":true,"notificationCenter":true,"liveActivities":true,"frequentPushes":true,"#
                + #""alertStyle":"banner","showPreviews":"always"},"#
                + #""presentInForeground":[],"#
                + #""appName":null,"sounds":[],"categories":[],"strings":{},"developmentLanguage":"en","#
                + #""serviceExtension":null,"focusFilter":null,"reportsCalls":true,"frequentUpdates":false,"#
                + #""backgroundFetch":{"result":"newData","takes":"0s"},"backgroundModes":["remote-notification"]}"#)
        #expect(AppPresentation.fields.members(of: app).map(\.name) == AppPresentation.fields.changing.names)
    }

    @Test("an app prints as it was written")
    func wholeIsRead() throws {
        let app = try AppPresentation(json: JSONValue(parsing: Self.whole))
        #expect(app.appState == .background)
        #expect(app.permissions.authorization == .provisional)
        #expect(!app.permissions.alert && app.permissions.badge && app.permissions.critical)
        #expect(app.presentInForeground == [.sound, .banner])
        #expect(app.sounds == [RegisteredSound(name: "chime.caf"), .init(name: "long.caf", duration: .seconds(31))])
        #expect(app.categories.map(\.id) == ["MAIL", "EMPTY"])
        #expect(app.categories.first?.reportsDismissal == true)
        #expect(app.categories.first?.actions.map(\.takesText) == [true, false])
        #expect(app.categories.first?.actions.map(\.opensApp) == [false, true])
        #expect(app.categories.first?.actions.map(\.needsUnlockedDevice) == [true, true])
        #expect(app.permissions.alertStyle == .alert && app.permissions.showPreviews == .whenUnlocked)
        #expect(!app.permissions.lockScreen && !app.permissions.notificationCenter)
        #expect(!app.permissions.liveActivities && !app.permissions.frequentPushes)
        #expect(app.localization.tables.keys.sorted() == ["en", "pt-BR"])
        #expect(app.localization.string(for: "A", languages: ["pt-BR"]) == "C")
        #expect(app.localization.developmentLanguage == "pt-BR")
        #expect(app.serviceExtension?.timesOut == true)
        #expect(app.focusFilter == ["work": ["a", "b"], "sleep": []])
        #expect(!app.reportsCalls)
        #expect(app.backgroundFetch == BackgroundFetch(result: .failed, takes: .seconds(5)))
        #expect(!app.hasRemoteNotificationMode)
    }

    @Test("a printed app can be read again", arguments: [whole, "{}"])
    func roundTrip(text: String) throws {
        let app = try AppPresentation(json: JSONValue(parsing: text))
        let again = try AppPresentation(json: JSONValue(parsing: app.json.encoded))
        #expect(again == app)
        #expect(again.json == app.json)
    }

    @Test("a change keeps what it does not name")
    func changeKeepsTheRest() throws {
        var app = try AppPresentation(json: JSONValue(parsing: Self.whole))
        try app.apply(["permissions": ["alert": true], "sounds": ["a.caf"], "developmentLanguage": "en"])
        #expect(app.permissions.alert && app.permissions.critical)
        #expect(app.permissions.authorization == .provisional)
        #expect(app.sounds == [RegisteredSound(name: "a.caf")])
        #expect(app.categories.count == 2)
        #expect(app.localization.tables.count == 2)
        #expect(app.localization.developmentLanguage == "en")
    }

    @Test("null restores the default")
    func nullBringsTheDefaultBack() throws {
        var app = try AppPresentation(json: JSONValue(parsing: Self.whole))
        try app.apply(.object(AppPresentation.fields.changing.names.map { JSONMember($0, .null) }))
        #expect(app == AppPresentation())
    }

    @Test("a change with a fault changes nothing")
    func faultChangesNothing() throws {
        var app = AppPresentation()
        #expect(throws: InputError.self) { try app.apply(["appName": "New", "sounds": [1]]) }
        #expect(app == AppPresentation())
    }

    struct Fault: Sendable, CustomStringConvertible {
        let json: String
        let field: String
        let problem: String
        var allowed: [String] = []
        var description: String { json }
    }

    @Test(
        "an error names the field and what was expected",
        arguments: [
            Fault(
                json: #"[]"#, field: "",
                problem: "an array is not valid: expected an object",
                allowed: AppPresentation.fields.changing.names),
            Fault(
                json: #"{"sound": []}"#, field: "/sound",
                problem: "unknown member \"sound\": did you mean \"sounds\"?",
                allowed: AppPresentation.fields.changing.names),
            Fault(
                json: #"{"appState": "killed"}"#, field: "/appState",
                problem: "\"killed\" is not valid: expected foreground, background, suspended or forceQuit",
                allowed: ["foreground", "background", "suspended", "forceQuit"]),
            Fault(
                json: #"{"appState": "forcequit"}"#, field: "/appState",
                problem: "\"forcequit\" is not valid: did you mean \"forceQuit\"?",
                allowed: ["foreground", "background", "suspended", "forceQuit"]),
            Fault(
                json: #"{"appState": 1}"#, field: "/appState",
                problem: "1 is not valid: expected foreground, background, suspended or forceQuit",
                allowed: ["foreground", "background", "suspended", "forceQuit"]),
            Fault(
                json: #"{"permissions": {"alert": "yes"}}"#, field: "/permissions/alert",
                problem: "\"yes\" is not valid: expected true or false",
                allowed: ["true", "false"]),
            Fault(
                json: #"{"permissions": {"authorisation": "denied"}}"#, field: "/permissions/authorisation",
                problem: "unknown member \"authorisation\": did you mean \"authorization\"?",
                allowed: [
                    "authorization", "alert", "badge", "sound", "critical", "timeSensitive", "location", "lockScreen",
                    "notificationCenter", "liveActivities", "frequentPushes", "alertStyle", "showPreviews",
                ]),
            Fault(
                json: #"{"permissions": {"alertStyle": "loud"}}"#, field: "/permissions/alertStyle",
                problem: "\"loud\" is not valid: expected none, banner or alert", allowed: ["none", "banner", "alert"]),
            Fault(
                json: #"{"categories": [{"id": "A", "actions": [{"id": "a", "textInputPlaceholder": "x"}]}]}"#,
                field: "/categories/0/actions/0/textInputPlaceholder",
                problem: "the action a takes no text: expected textInput true"),
            Fault(
                json: #"{"presentInForeground": ["banner", "popup"]}"#, field: "/presentInForeground/1",
                problem: "\"popup\" is not valid: expected banner, list, sound or badge",
                allowed: ["banner", "list", "sound", "badge"]),
            Fault(
                json: #"{"sounds": [{"name": "a", "duration": 5}]}"#, field: "/sounds/0/duration",
                problem: "5 is not valid: expected a duration with a unit, such as 250ms, 5s or 1h30m, from 0s"),
            Fault(
                json: #"{"sounds": [""]}"#, field: "/sounds/0",
                problem: "\"\" is not valid: expected a string that is not empty"),
            Fault(
                json: #"{"sounds": [7]}"#, field: "/sounds/0",
                problem: "7 is not valid: expected a string that is not empty, or an object"),
            Fault(
                json: #"{"categories": [{"actions": []}]}"#, field: "/categories/0/id",
                problem: "id is missing: expected a string that is not empty"),
            Fault(
                json: #"{"categories": [{"id": "A"}, {"id": "A"}]}"#, field: "/categories/1/id",
                problem: "the category A is given twice: expected it once"),
            Fault(
                json: #"{"categories": [{"id": "A", "actions": [{"id": "a", "texInput": true}]}]}"#,
                field: "/categories/0/actions/0/texInput",
                problem: "unknown member \"texInput\": did you mean \"textInput\"?",
                allowed: [
                    "id", "title", "destructive", "foreground", "authenticationRequired", "textInput",
                    "textInputButtonTitle", "textInputPlaceholder",
                ]),
            Fault(
                json: #"{"categories": [{"id": "A", "actions": [{"id": "dismiss"}]}]}"#,
                field: "/categories/0/actions/0/id",
                problem: "dismiss is the system's: expected a name of the app's own"),
            Fault(
                json: #"{"strings": {"en": "a = b"}}"#, field: "/strings/en",
                problem:
                    "the strings can't be read: line 1, column 6: expected a semicolon after the value of a; the file ends"
            ),
            Fault(
                json: #"{"strings": {"en": {"a": 1}}}"#, field: "/strings/en/a",
                problem: "1 is not valid: expected a string"),
            Fault(
                json: #"{"strings": {"en_GB": "", "en-gb": ""}}"#, field: "/strings/en-gb",
                problem: "the language en-GB is given twice: expected it once"),
            Fault(
                json: #"{"strings": {"": "a = b;"}}"#, field: "/strings/",
                problem: "\"\" is not valid: expected a language tag, such as en, en-GB or zh-Hant"),
            Fault(
                json: #"{"developmentLanguage": "e"}"#, field: "/developmentLanguage",
                problem: "\"e\" is not valid: expected a language tag, such as en, en-GB or zh-Hant"),
            Fault(
                json: #"{"strings": {"en": 1}}"#, field: "/strings/en",
                problem: "1 is not valid: expected a string, or an object"),
            Fault(
                json: #"{"serviceExtension": {"rewrite": "x"}}"#, field: "/serviceExtension/rewrite",
                problem: "\"x\" is not valid: expected an object"),
            Fault(
                json: #"{"serviceExtension": {"attachments": ["/a~2"]}}"#, field: "/serviceExtension/attachments/0",
                problem: "\"/a~2\" is not a JSON pointer: expected ~ written as ~0, and / in a name as ~1"),
            Fault(
                json: #"{"focusFilter": {"work": "a"}}"#, field: "/focusFilter/work",
                problem: "\"a\" is not valid: expected an array of at most 1000 elements"),
            Fault(
                json: #"{"backgroundFetch": {"result": "nodata"}}"#, field: "/backgroundFetch/result",
                problem: "\"nodata\" is not valid: did you mean \"noData\"?",
                allowed: ["newData", "noData", "failed"]),
            Fault(
                json: #"{"backgroundModes": ["voip"]}"#, field: "/backgroundModes/0",
                problem: "\"voip\" is not valid: expected remote-notification", allowed: ["remote-notification"]),
        ])
    func faultNamesTheField(fault: Fault) throws {
        let json = try JSONValue(parsing: fault.json)
        let error = #expect(throws: InputError.self) { try AppPresentation(json: json) }
        #expect(error?.field == fault.field)
        #expect(error?.problem == fault.problem)
        #expect(error?.allowed == fault.allowed)
    }

    @Test("lists are bounded")
    func listsAreBounded() throws {
        func sounds(_ count: Int) -> JSONValue { ["sounds": .array((0..<count).map { .string("s\($0)") })] }
        let most = try AppPresentation(json: sounds(RegisteredSound.soundsMax))
        #expect(most.sounds.count == RegisteredSound.soundsMax)
        let error = #expect(throws: InputError.self) {
            try AppPresentation(json: sounds(RegisteredSound.soundsMax + 1))
        }
        #expect(
            error
                == InputError(
                    at: "/sounds", "1001 elements are not valid: expected an array of at most 1000 elements"))
    }

    @Test("warnings about strings name the language")
    func oddStrings() throws {
        let app = try AppPresentation(json: ["strings": ["en": "a = b; a = c;"]])
        #expect(app.warnings == ["strings of en, line 1: the key a is given twice, the last one counts"])
    }

    @Test("a Focus is read from a name, or from a name with the apps and people that it lets through")
    func focus() throws {
        func focus(_ json: JSONValue) throws -> Focus? {
            var profile = DeviceProfile()
            try profile.apply(["focus": json])
            return profile.screen.focus
        }
        let plain = try focus("work")
        #expect(plain == Focus(name: "work"))
        #expect(plain?.json == "work")
        let open = try focus(["name": "work", "apps": ["b", "a"]])
        #expect(open?.json == ["name": "work", "apps": ["a", "b"]])
        let known: JSONValue = ["name": "work", "people": ["Kim", "Lee"]]
        #expect(try focus(["name": "work", "apps": [], "people": ["Lee", "Kim", "Lee"]])?.json == known)
        #expect(try focus(known)?.json == known)
        for wrong in [
            1, "", ["name": "work", "app": []], ["apps": []], ["name": "work", "people": [""]],
            ["name": "work", "people": "Kim"],
        ] as [JSONValue] {
            let error = #expect(throws: InputError.self) { try focus(wrong) }
            #expect(error?.field.hasPrefix("/focus") == true)
        }
    }
}
