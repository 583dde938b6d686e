package import APNsRules

// Devices and apps as JSON (`Documents#Devices`).
extension DeviceSpecification {
    /// The members of a device; the last three are read over, so that an answer can be sent back.
    package static let schema: Schema = [
        // `@` and `:` as in addresses; `.` and `..` are refused, since they would be steps of a path.
        Member(
            "id", .name("a device id", bytesMax: DeviceSettings.idBytesMax, punctuation: "._:@-"),
            "Made, where none is given."),
        Member("count", .integer(1...DeviceSettings.fleetCountMax), "Several devices, whose ids are numbered."),
        Member("scope", ScopeName.form),
        Member("name", .text(1...DeviceSettings.textBytesMax)),
        Member("model", .text(1...DeviceSettings.textBytesMax)),
        Member("platform", .choice(Platform.self), default: "iOS"),
        Member("osVersion", .text(1...DeviceSettings.textBytesMax)),
        Member("environment", .choice(APNsEnvironment.self), default: "sandbox"),
        Member("locale", .text(1...DeviceSettings.textBytesMax), "A language tag (BCP 47).", default: "en"),
        Member("online", .bool, default: true),
        Member("power", .choice(Power.self), default: "normal"),
        Member("focus", .named("Focus", Focus.form)),
        Member("registrations", .array(of: .any(schema: "NewRegistration"))),
        Member("stored", .any(), "Ignored, as the next two, so that what was answered can be sent."),
        Member("deferred", .any()),
        Member("inbox", .any()),
    ]

    /// Reads a device.
    ///
    /// - Parameter tokenByteCounts: How long a given token may be.
    /// - Throws: ``InputError`` that names the member.
    package init(
        json: JSONValue, at place: String = "", tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts
    ) throws(InputError) {
        let reader = try ObjectReader(json, at: place, DeviceSpecification.schema)
        id = reader.text("id")
        if id == "." || id == ".." { throw reader.error("id", "\(reader.text("id") ?? "") is not valid as an id") }
        count = reader.integer("count")
        scope = reader.text("scope")
        traits = DeviceTraits(
            name: reader.text("name"), model: reader.text("model"), platform: reader.choice("platform") ?? .iOS,
            osVersion: reader.text("osVersion") ?? "26.1", environment: reader.choice("environment") ?? .sandbox,
            locale: try reader.locale() ?? "en")
        isOnline = reader.bool("online") ?? true
        power = reader.choice("power") ?? .normal
        focus = reader["focus"].map { Focus(checked: $0) }
        for (json, place) in reader.elements("registrations") {
            let app = try RegistrationSpecification(json: json, at: place, tokenByteCounts: tokenByteCounts)
            guard app.rotation == nil else {
                throw InputError(at: place + "/rotate", "a device that is made now has no older token to rotate")
            }
            if count != nil, app.token != nil {
                throw InputError(
                    at: place + "/token", "count makes several devices, and each needs a token of its own")
            }
            registrations.append(app)
        }
        if count != nil, id == nil { throw reader.error("id", "count needs an id to number") }
    }
}

extension RegistrationSpecification {
    /// The members of an app; the last four are those of an answer, by which one that is gone is made again.
    package static let schema =
        [
            Member(
                "topic", .name("a topic", bytesMax: Limits.topicBytesMax, punctuation: ".-"),
                "The app's bundle id, and maybe a suffix.",
                isRequired: true),
            Member("environment", .choice(APNsEnvironment.self), "Without it, the device's."),
            Member(
                "token", .hexadecimal(bytes: 1...DeviceToken.byteCountMax),
                "A token of your choice; without it one is issued."),
            Member("launched", .bool, "false: installed and never launched, so no token.", default: true),
            Member("entitled", .bool, "false: no push entitlement, so registering is refused with 403.", default: true),
            Member("rotate", .choice(Rotation.self)),
        ] + AppPatch.schema + [
            Member(
                "state", .choice(RegistrationState.self),
                "With the next three as answered, so that an export makes the app again: dead where it was."),
            Member("since", .time), Member("endedAt", .time), Member("unregisteredAt", .time),
        ]

    /// Reads an app that is installed.
    ///
    /// - Throws: ``InputError`` that names the member.
    package init(
        json: JSONValue, at place: String = "", tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts
    ) throws(InputError) {
        let reader = try ObjectReader(json, at: place, RegistrationSpecification.schema)
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
        ended = Ended(reader)
    }
}

extension AppPatch {
    /// The members of an app that may change.
    package static let schema = [Member("backgroundRefresh", .bool, default: true)] + AppPresentation.schema

    /// Reads a change of an app.
    ///
    /// - Throws: ``InputError`` that names the member.
    package init(json: JSONValue, at place: String = "") throws(InputError) {
        try self.init(try ObjectReader(json, at: place, AppPatch.schema))
    }

    init(_ reader: ObjectReader) throws(InputError) {
        backgroundRefresh = reader.bool("backgroundRefresh")
        do throws(InputError) {
            try add(reader.members(among: AppPresentation.schema))
        } catch {
            throw error.within(reader.pointer)
        }
    }
}

extension DevicePatch {
    /// The members of a device that may change.
    package static let schema = Schema(
        DeviceSpecification.schema.members
            .filter { ["name", "locale", "online", "power", "focus", "osVersion"].contains($0.name) }
            .map { Member($0.name, $0.form, $0.summary) })

    /// Reads a change of a device.
    ///
    /// - Throws: ``InputError`` that names the member.
    package init(json: JSONValue, at place: String = "") throws(InputError) {
        let reader = try ObjectReader(json, at: place, DevicePatch.schema)
        name = reader.text("name")
        locale = try reader.locale()
        isOnline = reader.bool("online")
        power = reader.choice("power")
        if reader.has("focus") { focus = .some(reader["focus"].map { Focus(checked: $0) }) }
        osVersion = reader.text("osVersion")
    }
}

extension ObjectReader {
    fileprivate func locale() throws(InputError) -> String? {
        guard let locale = text("locale"), !LanguageTag.isWellFormed(locale) else { return text("locale") }
        let hyphened = String(locale.map { $0 == "_" ? "-" : $0 })
        let known = LanguageTag.isWellFormed(hyphened) ? [hyphened] : []
        throw error(
            "locale",
            "\"\(locale)\" is not valid"
                + (known.isEmpty
                    ? ": expected a language tag, such as en-GB or zh-Hant-TW" : Spelling.hint(locale, known)))
    }
}
