package import APNsRules

/// A device as a call describes it (`Documents#Devices`).
@dynamicMemberLookup
package struct DeviceSpecification: Sendable, Equatable {
    /// The device's id; `nil` to generate one.
    package var id: String?
    /// How many devices to make, with ids `<id>-00001` and on; `nil` for one with the id itself.
    package var count: Int?
    package var scope: String?
    package var profile = DeviceProfile()
    package var registrations: [RegistrationSpecification] = []
    /// The Live Activities of an exported device.
    package var activities: [LiveActivity] = []
    package init(id: String? = nil) { self.id = id }

    package subscript<Value>(dynamicMember path: WritableKeyPath<DeviceProfile, Value>) -> Value {
        get { profile[keyPath: path] }
        set { profile[keyPath: path] = newValue }
    }

    /// The tokens that are given, including tokens of activities.
    package var tokens: [DeviceToken] { registrations.compactMap(\.token) + activities.compactMap(\.token) }

    /// The ids of all described devices, if it has an id.
    package var ids: [String] {
        guard let id else { return [] }
        guard let count else { return [id] }
        return (1...max(1, count)).map { number in
            let digits = String(number)
            let zeros = max(0, DeviceSpecification.fleetDigitsMin - digits.count)
            return "\(id)-" + String(repeating: "0", count: zeros) + digits
        }
    }

    private static let fleetDigitsMin = 5
    private static let fleetDigitsMax = String(DeviceSettings.fleetCountMax).count

    /// The id with which a device's fleet was made, by the form of the device's id; `nil` for a device of none.
    static func fleet(ofID id: String) -> String? {
        let digits = id.utf8.reversed().prefix(while: \.isASCIIDigit).count
        let rest = id.utf8.dropLast(digits)
        guard fleetDigitsMin...fleetDigitsMax ~= digits, rest.count > 1, rest.last == UInt8(ascii: "-") else {
            return nil
        }
        return String(rest.dropLast())
    }

    private static let fields: Fields<DeviceSpecification> =
        [
            // `.` and `..` are refused, since they would be steps of a path.
            Field(Member("id", DeviceID.form, summary: "The device's id; random by default.")) { .text($0.id) },
            Field(
                Member(
                    "count", .integer(1...DeviceSettings.fleetCountMax),
                    summary: "How many devices to make, with the ids ID-00001 and so on.")
            ) { .whole($0.count) },
            Field(Member("scope", ScopeName.form, summary: "The device's scope.")) { .text($0.scope) },
        ] + DeviceProfile.fields.made(\.profile) + [
            Field(
                Member(
                    "registrations", .array(of: .any(schema: "RegistrationSpecification")),
                    summary: "Its apps with their tokens, oldest first.")
            ) { .array($0.registrations.map(\.json)) },
            Field(
                Member(
                    "activities", .array(of: .any(schema: "LiveActivity"), 0...LiveActivities.countMax),
                    summary: "Live Activities as in an answer, in an export.")
            ) { .array($0.activities.map(\.json)) },
        ]
    /// The members of a device; the last three are ignored, so that an answer can be sent back.
    package static let schema =
        fields.making + [
            Member("stored", .any(), summary: "Ignored, like the next two, so that an answer can be sent back."),
            Member("deferred", .any(), summary: "Ignored."), Member("inbox", .any(), summary: "Ignored."),
        ]
    package static let document = RequestDocument(
        "DeviceSpecification", schema,
        example: ["id": "kims-phone", "name": "Kim's iPhone", "registrations": [["topic": "com.example.app"]]])

    /// Reads a document; a device that names no environment is of `environment`.
    package init(
        json: JSONValue, at place: String = "", tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts,
        environment: APNsEnvironment = .sandbox
    ) throws(InputError) {
        let reader = try ObjectReader(json, at: place, Self.schema)
        id = reader.text("id")
        if let id, id == "." || id == ".." { throw reader.error("id", "\(id) is not valid: it is a step of a path") }
        count = reader.integer("count")
        scope = reader.text("scope")
        profile.traits.environment = environment
        try DeviceProfile.fields.read(reader, into: &profile)
        if reader["model"] == nil { profile.traits.model = profile.traits.platform.usualModel }
        do throws(InputError) {
            try profile.check()
        } catch {
            throw error.within(place)
        }
        for (json, place) in reader.elements("registrations") {
            let app = try RegistrationSpecification(json: json, at: place, tokenByteCounts: tokenByteCounts)
            guard app.rotation == nil else {
                throw InputError(at: place + "/rotate", "rotate is not valid: a new device has no older token")
            }
            if count != nil, app.token != nil {
                throw InputError(at: place + "/token", "count makes several devices, and each needs a token of its own")
            }
            registrations.append(app)
        }
        for (json, place) in reader.elements("activities") {
            let activity = try LiveActivity(json: json, at: place, tokenByteCounts: tokenByteCounts)
            guard !activities.contains(where: { $0.number == activity.number }) else {
                throw InputError(
                    .conflict, at: place + "/id", "activity \(activity.id) is listed twice: expected it once")
            }
            guard count == nil || activity.token == nil else {
                throw InputError(at: place + "/token", "count makes several devices, and each needs a token of its own")
            }
            activities.append(activity)
        }
        if count != nil, id == nil { throw reader.error("id", "count needs an id to number") }
    }

    /// The document of a call that describes the same device.
    package var json: JSONValue { .object(DeviceSpecification.fields.remakingMembers(of: self)) }
}

/// A change of a device; absent members stay as they are.
package typealias DevicePatch = Patch<DeviceProfile>

extension Patch<DeviceProfile> {
    package static var document: RequestDocument {
        RequestDocument("DeviceChange", schema, example: ["online": false])
    }

    /// A change of the network alone.
    package static func online(_ isOnline: Bool) -> DevicePatch {
        DevicePatch(checked: [JSONMember("online", .bool(isOnline))])
    }

    /// Whether the screen depends on a member of the patch.
    package var changesScreen: Bool {
        self["locale"] != nil || ScreenSettings.fields.all.contains { self[$0.name] != nil }
    }
}

/// An app to install, launch or register, as a call describes it (`Documents#Registrations`).
package struct RegistrationSpecification: Sendable, Equatable {
    package var topic: String
    /// `nil` for the device's environment.
    package var environment: APNsEnvironment?
    /// A token chosen by the caller, as in an export; `nil` to issue one.
    package var token: DeviceToken?
    package var kind = RegistrationKind.app
    /// The key that a web app subscribes with, an uncompressed point of 65 bytes; `nil` for any other app.
    package var applicationServerKey: [UInt8]?
    package var isLaunched = true
    package var isEntitled = true
    package var rotation: Rotation?
    package var app = AppPatch()
    /// How its token ended, in a device that is read from an export; ignored by a call that registers an app.
    package var ended: Ended?
    package init(topic: String) { self.topic = topic }

    /// The members of an app; the last four are from an answer, and restore an app whose token has ended.
    package static let schema =
        [
            Member(
                "topic", .anyTopic,
                summary: "The app's bundle id, with a suffix for some push types; of a web app its origin.",
                isRequired: true),
            Member(
                "kind", .choice(RegistrationKind.self), summary: "web: a web app, with a subscription.",
                default: .string(RegistrationKind.app.rawValue)),
            Member(
                "applicationServerKey", .text(1...128),
                summary: "Of a web app, with which it subscribes: a point of P-256, 65 bytes in base64url."),
            Member(
                "environment", .choice(APNsEnvironment.self),
                summary: "By default the device's; of a web app always production."),
            Member(
                "token", .hexadecimal(bytes: 1...DeviceToken.byteCountMax),
                summary: "A token of your choice, in hexadecimal digits; by default one is issued."),
            Member("launched", .bool, summary: "false: installed but never launched, so no token.", default: true),
            Member(
                "entitled", .bool, summary: "false: no push entitlement, so registering is refused with 403.",
                default: true),
            Member(
                "rotate", .choice(Rotation.self), summary: "What happened to the app, so that it gets another token."),
        ] + AppSettings.fields.making + [
            Member(
                "state", .choice(RegistrationState.self),
                summary: "As in an answer, like the next three: an export restores an app whose token has ended."),
            Member("since", .time, summary: "Since when it has its token; only in fixtures."),
            Member("endedAt", .time, summary: "When it ended; null until then."),
            Member("webPush", .any(), summary: "Ignored, so that an answer can be sent back."),
            Member("unregisteredAt", .time, summary: "When APNs notices the end: the timestamp of its 410."),
        ]
    package static let document = RequestDocument(
        "RegistrationSpecification", schema, example: ["topic": "com.example.app"])

    package init(
        json: JSONValue, at place: String = "", tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts
    ) throws(InputError) {
        let reader = try ObjectReader(json, at: place, Self.schema)
        self.init(topic: reader.text("topic") ?? "")
        environment = reader.choice("environment")
        if let text = reader.text("token") {
            try Form.hexadecimal(bytes: tokenByteCounts).check(.string(text), at: reader.place("token"))
            token = DeviceToken(text, byteCounts: tokenByteCounts)
        }
        isLaunched = reader.bool("launched") ?? true
        isEntitled = reader.bool("entitled") ?? true
        rotation = reader.choice("rotate")
        if rotation == .restore, token != nil {
            throw reader.error("token", "after a restore the app has no token until it is launched")
        }
        app = try AppPatch(reader)
        kind = reader.choice("kind") ?? .app
        try readKind(reader)
        if rotation == .restore || !isLaunched, app.runs {
            throw reader.error("appState", "an app that is not launched does not run: expected suspended or forceQuit")
        }
        ended = Ended(reader)
    }

    // Reads what depends on whether it is a web app.
    private mutating func readKind(_ reader: ObjectReader) throws(InputError) {
        let key = reader.text("applicationServerKey")
        guard kind == .web else {
            guard WebPushOrigin(topic: topic) == nil else {
                throw reader.error(
                    "topic",
                    "\"\(topic)\" is a web app's origin: expected kind web with it, or a topic such as com.example.app")
            }
            try Form.topic.check(.string(topic), at: reader.place("topic"))
            guard key == nil else {
                throw reader.error("applicationServerKey", "an app of kind app doesn't subscribe: expected kind web")
            }
            return try app.check(isWeb: false)
        }
        guard WebPushOrigin(topic: topic) != nil else {
            throw reader.error(
                "topic", "\"\(topic)\" is not valid: expected a web app's origin, such as https://shop.example")
        }
        guard let key else {
            throw reader.error(
                "applicationServerKey", "a web app subscribes with a key: expected a point of P-256 in base64url")
        }
        switch P256Point(key) {
        case .bytes(let bytes): applicationServerKey = bytes
        case .problem(let problem):
            throw reader.error("applicationServerKey", "\"\(key)\" \(problem): expected \(P256Point.expected)")
        }
        // Answers and exports of earlier versions name the device's.
        environment = .production
        if let token, token.byteCount != WebPushSubscription.tokenBytes {
            throw reader.error(
                "token", "\(token.hex) is not valid: the token of a web app has \(WebPushSubscription.tokenBytes) bytes"
            )
        }
    }

    /// The document of a call that describes the same app.
    ///
    /// It isn't made of the members of ``schema``, whose order is another: by the text here, a start finds out whether
    /// its fixtures are those of the start before.
    package var json: JSONValue {
        .object(
            [
                JSONMember("topic", .string(topic)), JSONMember("environment", .text(environment?.rawValue)),
                JSONMember("kind", kind == .web ? .string(kind.rawValue) : .null),
                JSONMember("applicationServerKey", .text(applicationServerKey.map { Base64.encode($0, url: true) })),
                JSONMember("token", .text(token?.hex)), JSONMember("launched", .bool(isLaunched)),
                JSONMember("entitled", .bool(isEntitled)), JSONMember("rotate", .text(rotation?.rawValue)),
            ] + app.members + (ended?.members ?? []))
    }

    /// How the token of an exported app ended.
    package struct Ended: Sendable, Equatable {
        /// `unregistered` or `expired`.
        package var state: RegistrationState
        /// When the app's token was issued; `nil` for the time at which it is read.
        package var since: Instant?
        /// When the token ended; `nil` for the time at which the document is read.
        package var endedAt: Instant?
        /// When APNs notices; `nil` until a newer token is issued.
        package var noticedAt: Instant?

        /// Reads the end of an app's token; `nil` for an app that is installed.
        fileprivate init?(_ reader: ObjectReader) {
            guard let state: RegistrationState = reader.choice("state"), !state.isCurrent else { return nil }
            self.state = state
            since = reader.instant("since")
            endedAt = reader.instant("endedAt")
            noticedAt = reader.instant("unregisteredAt")
        }

        fileprivate var members: [JSONMember] {
            [
                JSONMember("state", .string(state.rawValue)), JSONMember("since", .text(since?.rfc3339)),
                JSONMember("endedAt", .text(endedAt?.rfc3339)), JSONMember("unregisteredAt", .text(noticedAt?.rfc3339)),
            ]
        }
    }
}

/// A change of a registration; absent members stay as they are.
package typealias AppPatch = Patch<AppSettings>

extension Patch<AppSettings> {
    package static var document: RequestDocument {
        RequestDocument(
            "AppSettings", schema, example: ["appState": "foreground", "permissions": ["badge": false]])
    }

    /// Whether the state that is given has the app run.
    var runs: Bool { AppState(rawValue: self["appState"]?.string ?? "")?.isRunning == true }

    /// Throws if only a web app has a use for what is set.
    func check(isWeb: Bool) throws(InputError) {
        guard !isWeb, let worker = self["worker"], worker != AppSettings().worker.json else { return }
        throw InputError(at: "/worker", "an app of kind app has no service worker: expected kind web")
    }

    /// Throws if a platform has no use for what is set.
    func check(on platform: Platform) throws(InputError) {
        guard !isEmpty else { return }
        var settings = AppSettings()
        apply(to: &settings)
        try settings.presentation.check(on: platform)
    }
}

extension Form {
    /// An app's topic (`ProviderAPI#Headers`).
    package static let topic = Form.name("a topic", bytesMax: Limits.topicBytesMax, punctuation: ".-")
}
