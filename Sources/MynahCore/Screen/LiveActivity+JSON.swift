package import APNsRules

extension LiveActivity {
    /// The activity as the control API prints it (`Documents#Live-Activities`).
    package var json: JSONValue { .object(members + [JSONMember("history", .array(history.map(\.json)))]) }

    /// The activity without its history, as a push left it.
    var jsonOfPush: JSONValue { .object(members) }

    private var members: [JSONMember] {
        [
            JSONMember("id", .string(id)), JSONMember("topic", .string(topic)),
            JSONMember("environment", .string(environment.rawValue)), JSONMember("state", .string(state.rawValue)),
            JSONMember("attributesType", .text(attributesType)), JSONMember("attributes", attributes ?? .null),
            JSONMember("contentState", contentState), JSONMember("startedAt", .string(startedAt.rfc3339)),
            JSONMember("timestamp", .text(timestamp?.rfc3339)), JSONMember("staleDate", .text(staleDate?.rfc3339)),
            JSONMember("endedAt", .text(endedAt?.rfc3339)),
            JSONMember("dismissalDate", .text(dismissalDate?.rfc3339)),
            JSONMember("relevanceScore", .fraction(relevanceScore)), JSONMember("token", .text(token?.hex)),
            JSONMember("channel", .text(channel)),
        ]
    }
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
        let (endedAt, dismissalDate) = (reader.instant("endedAt"), reader.instant("dismissalDate"))
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

    // Reads an update that has been checked.
    fileprivate init(_ json: JSONValue) {
        self.init(
            event: json["event"]?.string.flatMap { ActivityMessage.Event(rawValue: $0) } ?? .update,
            at: json["at"]?.string.flatMap { Instant(rfc3339: $0) } ?? Instant(milliseconds: 0),
            sequence: json["sequence"]?.integer.flatMap { UInt64(exactly: $0) },
            contentState: json["contentState"] ?? .object([]))
    }

    fileprivate var json: JSONValue {
        [
            "event": .string(event.rawValue), "at": .string(at.rfc3339), "sequence": .whole(sequence),
            "contentState": contentState,
        ]
    }
}
