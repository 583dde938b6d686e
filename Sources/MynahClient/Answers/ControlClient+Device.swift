// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/device(_:)`` returns.
    public struct Device: ControlAnswer, AnswerObject {
        /// The device's ID.
        public let id: String
        /// The device's scope; `nil` if it belongs to none.
        public let scope: String?
        /// The label of its owner's devices, by which they are listed, changed and removed together; `nil` for none.
        public let user: String?
        /// The name that its user sees.
        public let name: String
        /// The product, such as iPhone 17.
        public let model: String
        /// The platform, which determines what the device can show.
        public let platform: Platform
        /// The system's version, such as 26.1.
        public let osVersion: String
        /// The environment of apps that name none; by default the server's.
        public let environment: Environment
        /// The language, a tag of BCP 47 such as en-GB.
        public let locale: String
        /// Whether it has a network.
        public let online: Bool
        /// Its power: low is Low Power Mode, which defers some pushes; asleep has the screen off.
        public let power: Power
        /// The active Focus; `nil` for none.
        public let focus: Focus?
        /// The language tags (BCP 47) of the user's preferred languages, in order, by which an app's strings are
        /// chosen; without one, the locale's.
        public let languages: [String]
        /// Whether it is locked.
        public let locked: Bool
        /// Whether only critical sounds are heard.
        public let muted: Bool
        /// The Apple Watch that is paired with an iPhone; `nil` for none.
        public let watch: PairedWatch?
        /// The scheduled summary of an iPhone or iPad; `nil` for none.
        public let summary: SummarySchedule?
        /// Its apps, oldest first.
        public let registrations: [Registration]
        /// Its Live Activities, oldest first, with those that are dismissed.
        public let activities: [LiveActivity]
        /// Pushes stored while it is offline.
        public let stored: Int
        /// Pushes that its state or a budget holds back.
        public let deferred: Int
        /// How much is in the device's inbox.
        public let inbox: DeviceInbox
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Device"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            id = try answer.member("id")
            scope = try answer.optional("scope")
            user = try answer.optional("user")
            name = try answer.member("name")
            model = try answer.member("model")
            platform = try answer.member("platform")
            osVersion = try answer.member("osVersion")
            environment = try answer.member("environment")
            locale = try answer.member("locale")
            online = try answer.member("online")
            power = try answer.member("power")
            focus = try answer.optional("focus")
            languages = try answer.member("languages")
            locked = try answer.member("locked")
            muted = try answer.member("muted")
            watch = try answer.optional("watch")
            summary = try answer.optional("summary")
            registrations = try answer.member("registrations")
            activities = try answer.member("activities")
            stored = try answer.member("stored")
            deferred = try answer.member("deferred")
            inbox = try answer.member("inbox")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Device/platform``.
    public struct Platform: ControlWord, AnswerWord {
        /// The word `iOS`.
        public static let iOS = Self(rawValue: "iOS")
        /// The word `iPadOS`.
        public static let iPadOS = Self(rawValue: "iPadOS")
        /// The word `macOS`.
        public static let macOS = Self(rawValue: "macOS")
        /// The word `watchOS`.
        public static let watchOS = Self(rawValue: "watchOS")
        /// The word `tvOS`.
        public static let tvOS = Self(rawValue: "tvOS")
        /// The word `visionOS`.
        public static let visionOS = Self(rawValue: "visionOS")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Device/power``.
    public struct Power: ControlWord, AnswerWord {
        /// The word `normal`.
        public static let normal = Self(rawValue: "normal")
        /// The word `low`.
        public static let low = Self(rawValue: "low")
        /// The word `asleep`.
        public static let asleep = Self(rawValue: "asleep")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Device/focus``.
    public enum Focus: Hashable, Sendable, AnswerValue {
        /// The form of a string.
        case text(String)
        /// The form of an object.
        case object(FocusObject)

        static var expected: String { "a string or an object" }

        init(_ answer: AnswerReader) throws(ClientError) {
            switch answer.json {
            case .string: self = .text(try answer.value())
            case .object: self = .object(try answer.value())
            default: throw answer.unexpected(insteadOf: Self.expected)
            }
        }
    }

    /// One form of ``ControlClient/Focus``.
    public struct FocusObject: ControlAnswer, AnswerObject {
        /// The name of the Focus.
        public let name: String
        /// The topics of the apps whose notifications come through.
        public let apps: [String]?
        /// The senders whose communication notifications come through, by the name on the card.
        public let people: [String]?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "FocusObject"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            name = try answer.member("name")
            apps = try answer.optional("apps")
            people = try answer.optional("people")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Device/watch``.
    public struct PairedWatch: ControlAnswer, AnswerObject {
        /// Whether it is on the wrist.
        public let worn: Bool?
        /// Whether it is locked.
        public let locked: Bool?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "PairedWatch"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            worn = try answer.optional("worn")
            locked = try answer.optional("locked")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Device/summary``.
    public struct SummarySchedule: ControlAnswer, AnswerObject {
        /// Times of the day in UTC, such as 08:00.
        public let times: [String]
        /// The topics of the apps whose notifications wait for it.
        public let apps: [String]
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "SummarySchedule"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            times = try answer.member("times")
            apps = try answer.member("apps")
            json = answer.json
        }
    }

    /// What ``ControlClient/registerApp(on:_:)`` returns.
    public struct Registration: ControlAnswer, AnswerObject {
        /// The app's topic: its bundle ID, with a suffix for some push types.
        public let topic: String
        /// Whether it is an app or a web app.
        public let kind: RegistrationSpecificationKindName
        /// The device token, in lower-case digits, or what the endpoint of a web app ends in; `nil` while it has none.
        public let token: String?
        /// The key that a web app has subscribed with; `nil` for any other app.
        public let applicationServerKey: String?
        /// The subscription of a web app, as a browser prints it; `nil` for any other app, while it has none, and on a
        /// server without --web-push-port.
        public let webPush: WebPushSubscription?
        /// The environment in which the token is valid.
        public let environment: Environment
        /// Whether the token is valid, and if not, why.
        public let state: RegistrationState
        /// When the token was issued, or the app installed while it has none.
        public let since: Instant
        /// When the app was removed or needed another token; `nil` for none.
        public let endedAt: Instant?
        /// When APNs notices that: the timestamp of its 410; `nil` for none.
        public let unregisteredAt: Instant?
        /// Whether the user lets it refresh in the background.
        public let backgroundRefresh: Bool
        /// What the service worker of a web app does with a push that declares no notification.
        public let worker: AppSettingsWorkerName
        /// Whether the app runs, and where.
        public let appState: AppState
        /// What the user lets its notifications do.
        public let permissions: RegistrationPermissions
        /// What of a notification appears while the app is in the foreground.
        public let presentInForeground: [ForegroundOption]
        /// The name under its icon and above its notifications; `nil` for one derived from its topic.
        public let appName: String?
        /// The sound files in its bundle.
        public let sounds: [Sound]
        /// The categories of notifications that it has registered.
        public let categories: [Category]
        /// For each language the text of a strings file, or an object of strings.
        public let strings: [String: String]
        /// The language of its strings when no other fits.
        public let developmentLanguage: String
        /// Its notification service extension, by what that does to a payload; `nil` for none.
        public let serviceExtension: ServiceExtension?
        /// For each Focus the filter-criteria that pass; `nil` for none.
        public let focusFilter: [String: [String]]?
        /// Whether the app reports a call for each VoIP push.
        public let reportsCalls: Bool
        /// Whether the app's NSSupportsLiveActivitiesFrequentUpdates lifts the activity budget.
        public let frequentUpdates: Bool
        /// How the app answers when it is woken.
        public let backgroundFetch: BackgroundFetch
        /// The app's UIBackgroundModes: content-available wakes it only with remote-notification.
        public let backgroundModes: [String]
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Registration"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            topic = try answer.member("topic")
            kind = try answer.member("kind")
            token = try answer.optional("token")
            applicationServerKey = try answer.optional("applicationServerKey")
            webPush = try answer.optional("webPush")
            environment = try answer.member("environment")
            state = try answer.member("state")
            since = try answer.member("since")
            endedAt = try answer.optional("endedAt")
            unregisteredAt = try answer.optional("unregisteredAt")
            backgroundRefresh = try answer.member("backgroundRefresh")
            worker = try answer.member("worker")
            appState = try answer.member("appState")
            permissions = try answer.member("permissions")
            presentInForeground = try answer.member("presentInForeground")
            appName = try answer.optional("appName")
            sounds = try answer.member("sounds")
            categories = try answer.member("categories")
            strings = try answer.member("strings")
            developmentLanguage = try answer.member("developmentLanguage")
            serviceExtension = try answer.optional("serviceExtension")
            focusFilter = try answer.optional("focusFilter")
            reportsCalls = try answer.member("reportsCalls")
            frequentUpdates = try answer.member("frequentUpdates")
            backgroundFetch = try answer.member("backgroundFetch")
            backgroundModes = try answer.member("backgroundModes")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Registration/kind``.
    public struct RegistrationSpecificationKindName: ControlWord, AnswerWord {
        /// The word `app`.
        public static let app = Self(rawValue: "app")
        /// The word `web`.
        public static let web = Self(rawValue: "web")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Registration/webPush``.
    public struct WebPushSubscription: ControlAnswer, AnswerObject {
        /// Where pushes are sent.
        public let endpoint: String
        /// Always `nil`.
        public let expirationTime: Instant?
        /// What a push is encrypted with.
        public let keys: WebPushSubscriptionKeys
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "WebPushSubscription"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            endpoint = try answer.member("endpoint")
            expirationTime = try answer.optional("expirationTime")
            keys = try answer.member("keys")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/WebPushSubscription/keys``.
    public struct WebPushSubscriptionKeys: ControlAnswer, AnswerObject {
        /// The browser's public key, a point of P-256 in base64url.
        public let p256dh: String
        /// The browser's authentication secret, 16 bytes in base64url.
        public let auth: String
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "WebPushSubscriptionKeys"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            p256dh = try answer.member("p256dh")
            auth = try answer.member("auth")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Registration/state``.
    public struct RegistrationState: ControlWord, AnswerWord {
        /// The word `active`.
        public static let active = Self(rawValue: "active")
        /// The word `unregistered`.
        public static let unregistered = Self(rawValue: "unregistered")
        /// The word `expired`.
        public static let expired = Self(rawValue: "expired")
        /// The word `notLaunched`.
        public static let notLaunched = Self(rawValue: "notLaunched")
        /// The word `waitingForNetwork`.
        public static let waitingForNetwork = Self(rawValue: "waitingForNetwork")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Registration/worker``.
    public struct AppSettingsWorkerName: ControlWord, AnswerWord {
        /// The word `shows`.
        public static let shows = Self(rawValue: "shows")
        /// The word `silent`.
        public static let silent = Self(rawValue: "silent")
        /// The word `none`.
        public static let none = Self(rawValue: "none")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Registration/appState``.
    public struct AppState: ControlWord, AnswerWord {
        /// The word `foreground`.
        public static let foreground = Self(rawValue: "foreground")
        /// The word `background`.
        public static let background = Self(rawValue: "background")
        /// The word `suspended`.
        public static let suspended = Self(rawValue: "suspended")
        /// The word `forceQuit`.
        public static let forceQuit = Self(rawValue: "forceQuit")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Registration/permissions``.
    public struct RegistrationPermissions: ControlAnswer, AnswerObject {
        /// What the user answered when the app asked.
        public let authorization: PermissionsAuthorizationName
        /// Whether alerts are allowed.
        public let alert: Bool
        /// Whether the number on the app's icon is allowed.
        public let badge: Bool
        /// Whether sounds are allowed.
        public let sound: Bool
        /// Whether critical alerts are allowed, which need an entitlement.
        public let critical: Bool
        /// Whether time-sensitive notifications come through Focus and the scheduled summary.
        public let timeSensitive: Bool
        /// Whether the location push extension may ask for the position.
        public let location: Bool
        /// Whether alerts appear on the screen of a locked device.
        public let lockScreen: Bool
        /// Whether alerts stay in the list.
        public let notificationCenter: Bool
        /// Whether the app may have Live Activities.
        public let liveActivities: Bool
        /// Whether frequent updates of Live Activities are allowed.
        public let frequentPushes: Bool
        /// How an alert appears on a device that is in use.
        public let alertStyle: PermissionsAlertStyleName
        /// When the texts of a notification can be read.
        public let showPreviews: PermissionsShowPreviewsName
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "RegistrationPermissions"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            authorization = try answer.member("authorization")
            alert = try answer.member("alert")
            badge = try answer.member("badge")
            sound = try answer.member("sound")
            critical = try answer.member("critical")
            timeSensitive = try answer.member("timeSensitive")
            location = try answer.member("location")
            lockScreen = try answer.member("lockScreen")
            notificationCenter = try answer.member("notificationCenter")
            liveActivities = try answer.member("liveActivities")
            frequentPushes = try answer.member("frequentPushes")
            alertStyle = try answer.member("alertStyle")
            showPreviews = try answer.member("showPreviews")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/RegistrationPermissions/authorization``.
    public struct PermissionsAuthorizationName: ControlWord, AnswerWord {
        /// The word `authorized`.
        public static let authorized = Self(rawValue: "authorized")
        /// The word `denied`.
        public static let denied = Self(rawValue: "denied")
        /// The word `notDetermined`.
        public static let notDetermined = Self(rawValue: "notDetermined")
        /// The word `provisional`.
        public static let provisional = Self(rawValue: "provisional")
        /// The word `ephemeral`.
        public static let ephemeral = Self(rawValue: "ephemeral")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/RegistrationPermissions/alertStyle``.
    public struct PermissionsAlertStyleName: ControlWord, AnswerWord {
        /// The word `none`.
        public static let none = Self(rawValue: "none")
        /// The word `banner`.
        public static let banner = Self(rawValue: "banner")
        /// The word `alert`.
        public static let alert = Self(rawValue: "alert")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/RegistrationPermissions/showPreviews``.
    public struct PermissionsShowPreviewsName: ControlWord, AnswerWord {
        /// The word `always`.
        public static let always = Self(rawValue: "always")
        /// The word `whenUnlocked`.
        public static let whenUnlocked = Self(rawValue: "whenUnlocked")
        /// The word `never`.
        public static let never = Self(rawValue: "never")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// An element of ``ControlClient/Registration/presentInForeground``.
    public struct ForegroundOption: ControlWord, AnswerWord {
        /// The word `banner`.
        public static let banner = Self(rawValue: "banner")
        /// The word `list`.
        public static let list = Self(rawValue: "list")
        /// The word `sound`.
        public static let sound = Self(rawValue: "sound")
        /// The word `badge`.
        public static let badge = Self(rawValue: "badge")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// An element of ``ControlClient/Registration/sounds``.
    public enum Sound: Hashable, Sendable, AnswerValue {
        /// The form of a string.
        case text(String)
        /// The form of an object.
        case object(SoundObject)

        static var expected: String { "a string or an object" }

        init(_ answer: AnswerReader) throws(ClientError) {
            switch answer.json {
            case .string: self = .text(try answer.value())
            case .object: self = .object(try answer.value())
            default: throw answer.unexpected(insteadOf: Self.expected)
            }
        }
    }

    /// One form of ``ControlClient/Sound``.
    public struct SoundObject: ControlAnswer, AnswerObject {
        /// The name of the file.
        public let name: String
        /// How long it is; longer than 30 s can't be played.
        public let duration: Duration?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "SoundObject"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            name = try answer.member("name")
            duration = try answer.optional("duration")
            json = answer.json
        }
    }
}
