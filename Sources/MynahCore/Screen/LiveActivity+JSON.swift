package import APNsRules

extension LiveActivity {
    /// The activity as the control API prints it (`Documents#Live-Activities`).
    package var json: JSONValue { .object(LiveActivity.fields.members(of: self)) }

    /// The activity without its history, as a push left it.
    var jsonOfPush: JSONValue { .object(LiveActivity.ownFields.members(of: self)) }

    package static let fields: Fields<LiveActivity> =
        ownFields + [
            Field(
                shown: "history", .array(of: .object(Update.fields.showing)),
                "Its newest content states, oldest first; sequence is null for what its app did."
            ) { .array($0.history.map(\.json)) }
        ]

    /// The members of an activity without its history.
    package static let ownFields: Fields<LiveActivity> = [
        Field(shown: "id", .anyText, "Unique on its device.") { .string($0.id) },
        Field(shown: "topic", .anyText, "The topic.") { .string($0.topic) },
        Field(shown: "environment", APNsEnvironment.form, "The environment of APNs.") { $0.environment.json },
        Field(shown: "state", .choice(State.self), "Its state.") { .string($0.state.rawValue) },
        Field(
            shown: "attributesType", .nullableText,
            "null, like attributes, if a push to an unknown token told of it."
        ) { .text($0.attributesType) },
        Field(
            shown: "attributes", .nullable(.map(of: .any())),
            "What stays the same while it runs; null if it is unknown."
        ) { $0.attributes ?? .null },
        Field(shown: "contentState", .map(of: .any()), "What it shows.") { $0.contentState },
        Field(shown: "startedAt", .time, "When it started.") { .string($0.startedAt.rfc3339) },
        Field(shown: "timestamp", .nullable(.time), "The timestamp of the newest message applied; null for none.") {
            .text($0.timestamp?.rfc3339)
        },
        Field(shown: "staleDate", .nullable(.time), "When its content is out of date; null for never.") {
            .text($0.staleDate?.rfc3339)
        },
        Field(shown: "endedAt", .nullable(.time), "When it ended; null until then.") { .text($0.endedAt?.rfc3339) },
        Field(
            shown: "dismissalDate", .nullable(.time),
            "When it leaves the lock screen, or left it; null until it ends."
        ) { .text($0.dismissalDate?.rfc3339) },
        Field(
            shown: "relevanceScore", .nullable(.number),
            "The score by which it is sorted, the highest first; null for none."
        ) { .fraction($0.relevanceScore) },
        Field(shown: "token", .nullableText, "With which it is updated; null for none.") { .text($0.token?.hex) },
        Field(shown: "channel", .nullableText, "The broadcast channel that it follows; null for none.") {
            .text($0.channel)
        },
    ]
}

extension LiveActivity {
    /// The members of an activity in an export.
    package static let schema: Schema = [
        Member("id", .name("an activity's id", bytesMax: 10, punctuation: ""), isRequired: true),
        Member("topic", .topic, isRequired: true),
        Member("environment", .choice(APNsEnvironment.self), isRequired: true),
        Member("state", .choice(State.self), default: "active"), Member("attributesType", .anyText),
        Member("attributes", .map(of: .any())), Member("contentState", .map(of: .any()), default: [:]),
        Member("startedAt", .time, isRequired: true), Member("timestamp", .time), Member("staleDate", .time),
        Member("endedAt", .time), Member("dismissalDate", .time), Member("relevanceScore", .number),
        Member("token", .hexadecimal(bytes: 1...DeviceToken.byteCountMax)), Member("channel", .someText),
        Member("history", .array(of: .object(Update.schema), 0...historyCountMax)),
    ]

    /// Reads an activity of an export.
    package init(
        json: JSONValue, at place: String = "", tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts
    ) throws(InputError) {
        let reader = try ObjectReader(json, at: place, LiveActivity.schema)
        guard let number = Int32(reader.text("id") ?? ""), number > 0 else {
            throw reader.error("id", "\(reader.text("id") ?? "") is not an activity's id: expected a number from 1")
        }
        let topic = reader.text("topic") ?? ""
        guard topic.hasSuffix(PushType.liveactivity.topicSuffix) else {
            throw reader.error(
                "topic",
                "\(topic) is not a topic for Live Activities: expected one that ends with "
                    + PushType.liveactivity.topicSuffix)
        }
        self.init(
            number: number, topic: topic, environment: reader.choice("environment") ?? .sandbox,
            attributesType: reader.text("attributesType"), attributes: reader["attributes"], content: Content(reader),
            channel: reader.text("channel"), at: reader.instant("startedAt") ?? Instant(milliseconds: 0))
        if let hex = reader.text("token") {
            try Form.hexadecimal(bytes: tokenByteCounts).check(.string(hex), at: reader.place("token"))
            token = DeviceToken(hex, byteCounts: tokenByteCounts)
        }
        let state: State = reader.choice("state") ?? .active
        let endedAt = reader.instant("endedAt")
        let dismissalDate = reader.instant("dismissalDate")
        guard state == .active || state == .stale || endedAt != nil && dismissalDate != nil else {
            throw reader.error(
                "state", "an activity that is \(state.rawValue) has endedAt and dismissalDate: expected both")
        }
        restore(
            state, history: reader.elements("history").map { Update($0.value) }, timestamp: reader.instant("timestamp"),
            endedAt: endedAt, dismissalDate: dismissalDate)
    }
}

extension LiveActivity.Update {
    fileprivate static let schema: Schema = [
        Member("event", .choice(ActivityMessage.Event.self), isRequired: true), Member("at", .time, isRequired: true),
        Member("sequence", .integer(1...Int64.max)), Member("contentState", .map(of: .any()), isRequired: true),
    ]

    // Reads an update whose document has been checked.
    fileprivate init(_ json: JSONValue) {
        self.init(
            event: json["event"]?.string.flatMap { ActivityMessage.Event(rawValue: $0) } ?? .update,
            at: json["at"]?.string.flatMap { Instant(rfc3339: $0) } ?? Instant(milliseconds: 0),
            sequence: json["sequence"]?.integer.flatMap { UInt64(exactly: $0) },
            contentState: json["contentState"] ?? .object([]))
    }

    fileprivate var json: JSONValue { .object(LiveActivity.Update.fields.members(of: self)) }

    fileprivate static let fields: Fields<LiveActivity.Update> = [
        Field(shown: "event", .choice(ActivityMessage.Event.self), "What the push or the app did.") {
            .string($0.event.rawValue)
        },
        Field(shown: "at", .time, "When it changed, by the device's clock.") { .string($0.at.rfc3339) },
        Field(shown: "sequence", .nullable(.whole), "The push's sequence number; null if its app did it.") {
            .whole($0.sequence)
        },
        Field(shown: "contentState", .map(of: .any()), "What it shows.") { $0.contentState },
    ]
}
