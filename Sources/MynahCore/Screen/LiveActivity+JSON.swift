package import APNsRules

extension LiveActivity {
    /// The activity as the control API prints it (`Documents#Live-Activities`).
    package var json: JSONValue { .object(LiveActivity.fields.members(of: self)) }

    /// The activity without its history, as a push left it.
    var jsonOfPush: JSONValue { .object(LiveActivity.ownFields.members(of: self)) }

    package static let fields: Fields<LiveActivity> =
        ownFields + [
            Field(
                Member(
                    "history", .array(of: .object(Update.fields.making), 0...historyCountMax),
                    summary: "Its newest content states, oldest first; sequence is null for what its app did."),
                shown: .array(of: .object(Update.fields.showing))
            ) { .array($0.history.map(\.json)) }
        ]

    /// The members of an activity without its history.
    package static let ownFields: Fields<LiveActivity> = [
        Field(
            Member(
                "id", .name("an activity's id", bytesMax: 10, punctuation: ""), summary: "Unique on its device.",
                isRequired: true),
            shown: .anyText
        ) { .string($0.id) },
        Field(Member("topic", .topic, summary: "The topic.", isRequired: true), shown: .anyText) { .string($0.topic) },
        Field(
            Member("environment", APNsEnvironment.form, summary: "The environment of APNs.", isRequired: true),
            shown: APNsEnvironment.form
        ) { $0.environment.json },
        Field(
            Member("state", .choice(State.self), summary: "Its state.", default: "active"), shown: .choice(State.self)
        ) { .string($0.state.rawValue) },
        Field(
            Member(
                "attributesType", .anyText, summary: "null, like attributes, if a push to an unknown token told of it."
            ),
            shown: .nullableText
        ) { .text($0.attributesType) },
        Field(
            Member(
                "attributes", .map(of: .any()), summary: "What stays the same while it runs; null if it is unknown."),
            shown: .nullable(.map(of: .any()))
        ) { $0.attributes ?? .null },
        Field(
            Member("contentState", .map(of: .any()), summary: "What it shows.", default: [:]),
            shown: .map(of: .any())
        ) { $0.contentState },
        Field(Member("startedAt", .time, summary: "When it started.", isRequired: true), shown: .time) {
            .string($0.startedAt.rfc3339)
        },
        Field(
            Member("timestamp", .time, summary: "The timestamp of the newest message applied; null for none."),
            shown: .nullable(.time)
        ) { .text($0.timestamp?.rfc3339) },
        Field(
            Member("staleDate", .time, summary: "When its content is out of date; null for never."),
            shown: .nullable(.time)
        ) { .text($0.staleDate?.rfc3339) },
        Field(Member("endedAt", .time, summary: "When it ended; null until then."), shown: .nullable(.time)) {
            .text($0.endedAt?.rfc3339)
        },
        Field(
            Member(
                "dismissalDate", .time, summary: "When it leaves the lock screen, or left it; null until it ends."),
            shown: .nullable(.time)
        ) { .text($0.dismissalDate?.rfc3339) },
        Field(
            Member(
                "relevanceScore", .number,
                summary: "The score by which it is sorted, the highest first; null for none."),
            shown: .nullable(.number)
        ) { .fraction($0.relevanceScore) },
        Field(
            Member(
                "token", .hexadecimal(bytes: 1...DeviceToken.byteCountMax),
                summary: "With which it is updated; null for none."),
            shown: .nullableText
        ) { .text($0.token?.hex) },
        Field(
            Member("channel", .someText, summary: "The broadcast channel that it follows; null for none."),
            shown: .nullableText
        ) { .text($0.channel) },
    ]
}

extension LiveActivity {
    /// The members of an activity in an export.
    package static let schema = fields.making

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
        Field(
            Member(
                "event", .choice(ActivityMessage.Event.self), summary: "What the push or the app did.",
                isRequired: true),
            shown: .choice(ActivityMessage.Event.self)
        ) { .string($0.event.rawValue) },
        Field(
            Member("at", .time, summary: "When it changed, by the device's clock.", isRequired: true), shown: .time
        ) { .string($0.at.rfc3339) },
        Field(
            Member(
                "sequence", .integer(1...Int64.max), summary: "The push's sequence number; null if its app did it."),
            shown: .nullable(.whole)
        ) { .whole($0.sequence) },
        Field(
            Member("contentState", .map(of: .any()), summary: "What it shows.", isRequired: true),
            shown: .map(of: .any())
        ) { $0.contentState },
    ]
}
