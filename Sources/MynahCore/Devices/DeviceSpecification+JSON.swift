package import APNsRules

// Devices and apps as JSON (`Documents#Devices`).
extension DeviceSpecification {
    /// The members of a device that a call may give.
    package static let memberNames = [
        "id", "count", "scope", "name", "model", "platform", "osVersion", "environment", "locale", "online", "power",
        "focus", "registrations",
    ]
    /// Those of an answer beside them: an export gives them back, so they are read over.
    static let answeredNames = ["stored", "deferred", "inbox"]

    /// Reads a device.
    ///
    /// - Parameters:
    ///   - json: An object.
    ///   - place: Where it is in the request's body, as a JSON pointer.
    ///   - tokenByteCounts: How long a given token may be.
    /// - Throws: ``DeviceError`` that names the field.
    package init(
        json: JSONValue, at place: String = "", tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts
    ) throws(DeviceError) {
        let reader = try FieldReader(
            json, at: place, known: DeviceSpecification.memberNames + DeviceSpecification.answeredNames)
        id = try reader.deviceID()
        count = try reader.whole("count", in: 1...DeviceSettings.fleetCountMax)
        scope = try reader.scope()
        let platform = try reader.choice("platform", of: Platform.self) ?? .iOS
        traits = DeviceTraits(
            name: try reader.text("name"), model: try reader.text("model"), platform: platform,
            osVersion: try reader.text("osVersion") ?? "26.1",
            environment: try reader.choice("environment") ?? .sandbox, locale: try reader.locale() ?? "en")
        isOnline = try reader.truth("online") ?? true
        power = try reader.choice("power") ?? .normal
        focus = try reader.focus()
        for (index, app) in (try reader.array("registrations") ?? []).enumerated() {
            let appPlace = "\(place)/registrations/\(index)"
            let app = try RegistrationSpecification(json: app, at: appPlace, tokenByteCounts: tokenByteCounts)
            guard app.rotation == nil else {
                throw DeviceError(
                    .invalid, at: appPlace + "/rotate", "a device that is made now has no older token to rotate")
            }
            if count != nil, app.token != nil {
                throw DeviceError(
                    .invalid, at: appPlace + "/token", "count makes several devices, and each needs a token of its own")
            }
            registrations.append(app)
        }
        if count != nil, id == nil {
            throw DeviceError(.invalid, at: place + "/id", "count needs an id to number")
        }
    }
}

extension RegistrationSpecification {
    /// The members of a registration that a call may give.
    package static let memberNames =
        ["topic", "environment", "token", "launched", "entitled", "rotate"] + AppPatch.memberNames
    /// Those of an answer beside them.
    static let answeredNames = ["state", "since", "endedAt", "unregisteredAt"]

    /// Reads an app that is installed.
    ///
    /// - Throws: ``DeviceError`` that names the field.
    package init(
        json: JSONValue, at place: String = "", tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts
    ) throws(DeviceError) {
        let known = RegistrationSpecification.memberNames
        let reader = try FieldReader(json, at: place, known: known + RegistrationSpecification.answeredNames)
        guard let topic = try reader.text("topic", bytesMax: Limits.topicBytesMax) else {
            throw DeviceError(.invalid, at: place + "/topic", "an app has a topic, its bundle id and maybe a suffix")
        }
        guard Topic.isWellFormed(Array(topic.utf8).span) else {
            throw DeviceError(
                .invalid, at: place + "/topic", "\(topic) is no topic; letters, digits, hyphens and periods are")
        }
        self.init(topic: topic)
        environment = try reader.choice("environment")
        if let text = try reader.text("token") {
            guard let token = DeviceToken(text, byteCounts: tokenByteCounts) else {
                throw DeviceError(
                    .invalid, at: place + "/token",
                    "this is no device token; hexadecimal digits for \(tokenByteCounts.lowerBound) to "
                        + "\(tokenByteCounts.upperBound) bytes are")
            }
            self.token = token
        }
        isLaunched = try reader.truth("launched") ?? true
        isEntitled = try reader.truth("entitled") ?? true
        rotation = try reader.choice("rotate")
        if rotation == .restore, token != nil {
            throw DeviceError(
                .invalid, at: place + "/token", "after a restore the app has no token until it is launched")
        }
        app = try AppPatch(reader)
        ended = try Ended(reader)
    }
}

extension AppPatch {
    /// The members of a registration that may change.
    package static let memberNames = ["backgroundRefresh"] + AppPresentation.names

    /// Reads a change of an app.
    ///
    /// - Throws: ``DeviceError`` that names the field.
    package init(json: JSONValue, at place: String = "") throws(DeviceError) {
        try self.init(try FieldReader(json, at: place, known: AppPatch.memberNames))
    }

    init(_ reader: FieldReader) throws(DeviceError) {
        backgroundRefresh = try reader.truth("backgroundRefresh")
        do throws(QueryError) {
            try add(reader.members(among: AppPresentation.names))
        } catch {
            throw DeviceError(.invalid, at: reader.placeItself + error.field, error.problem, allowed: error.allowed)
        }
    }
}

extension DevicePatch {
    /// The members of a device that may change.
    package static let memberNames = ["name", "locale", "online", "power", "focus", "osVersion"]

    /// Reads a change of a device.
    ///
    /// - Throws: ``DeviceError`` that names the field.
    package init(json: JSONValue, at place: String = "") throws(DeviceError) {
        let reader = try FieldReader(json, at: place, known: DevicePatch.memberNames)
        name = try reader.text("name")
        locale = try reader.locale()
        isOnline = try reader.truth("online")
        power = try reader.choice("power")
        if reader.has("focus") { focus = .some(try reader.focus()) }
        osVersion = try reader.text("osVersion")
    }
}

extension FieldReader {
    fileprivate func locale() throws(DeviceError) -> String? {
        guard let locale = try text("locale") else { return nil }
        guard LanguageTag.isWellFormed(locale) else {
            let hyphened = String(locale.map { $0 == "_" ? "-" : $0 })
            let hint = LanguageTag.isWellFormed(hyphened) ? "; was \(hyphened) meant?" : ", as en-GB or zh-Hant-TW"
            throw DeviceError(.invalid, at: place("locale"), "\(locale) is no language tag (BCP 47)\(hint)")
        }
        return locale
    }

    fileprivate func focus() throws(DeviceError) -> Focus? {
        guard let value = self["focus"] else { return nil }
        do throws(QueryError) {
            return try Focus(json: value, at: JSONPointer(steps: []))
        } catch {
            throw DeviceError(.invalid, at: place("focus") + error.field, error.problem, allowed: error.allowed)
        }
    }

    fileprivate func scope() throws(DeviceError) -> String? {
        guard let scope = try text("scope") else { return nil }
        guard ScopeName.isWellFormed(scope) else {
            throw DeviceError(
                .invalid, at: place("scope"),
                "\(scope) is no name of a scope; 1 to \(ScopeName.bytesMax) of A-Z, a-z, 0-9, . _ - are")
        }
        return scope
    }

    fileprivate func deviceID() throws(DeviceError) -> String? {
        guard let id = try text("id", bytesMax: DeviceSettings.idBytesMax) else { return nil }
        let isPlain = id.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x2D, 0x5F, 0x3A, 0x40: true
            default: false
            }
        }
        // `.` and `..` would be steps of a path.
        guard isPlain, id != ".", id != ".." else {
            throw DeviceError(.invalid, at: place("id"), "\(id) is no id; letters, digits and . _ - : @ are")
        }
        return id
    }
}
