package import APNsRules

/// A Live Activity that an app starts, as a call describes it (`Documents#Live-Activities`).
package struct ActivitySpecification: Sendable, Equatable {
    /// How the provider updates it, ActivityKit's `PushType`.
    package enum PushType: Sendable, Equatable {
        case token
        case channel(String)

        /// `"token"`, or `{"channel": id}`.
        static let form = Form.either(
            .choice(["token"]),
            .object([
                Member(
                    "channel", .text(1...ChannelID.textCount), summary: "The ID of the channel to follow.",
                    isRequired: true)
            ]))

        init?(_ json: JSONValue?) {
            guard let json else { return nil }
            self = json["channel"]?.string.map { .channel($0) } ?? .token
        }

        fileprivate var json: JSONValue {
            switch self {
            case .token: "token"
            case .channel(let id): ["channel": .string(id)]
            }
        }

        package var channel: String? { if case .channel(let id) = self { id } else { nil } }
    }

    package let topic: String
    /// `nil` for the device's environment.
    package let environment: APNsEnvironment?
    let attributesType: String
    let attributes: JSONValue
    let content: LiveActivity.Content
    /// `nil` for an activity that its app alone updates.
    package let pushType: PushType?

    private static let fields: Fields<ActivitySpecification> =
        [
            Field(
                Member(
                    "topic", .topic, summary: "The app's topic for Live Activities, BUNDLE-ID.push-type.liveactivity.",
                    isRequired: true)
            ) { .string($0.topic) },
            Field(Member("environment", .choice(APNsEnvironment.self), summary: "By default the device's.")) {
                $0.environment.json
            },
            Field(
                Member(
                    "attributesType", .shortText, summary: "The name of the type of its ActivityAttributes.",
                    isRequired: true)
            ) { .string($0.attributesType) },
            Field(
                Member("attributes", .map(of: .any()), summary: "What stays the same while it runs.", default: [:])
            ) { $0.attributes },
        ] + LiveActivity.Content.fields.made(\.content) + [
            Field(
                Member(
                    "pushType", PushType.form,
                    summary: "token for a token of its own, a channel to follow, or null: the app alone updates it.",
                    default: "token")
            ) { $0.pushType?.json ?? .null }
        ]
    package static let schema = fields.making
    package static let document = RequestDocument(
        "LiveActivitySpecification", schema,
        example: [
            "topic": "com.example.app.push-type.liveactivity", "attributesType": "GameAttributes",
            "attributes": ["home": "A"], "contentState": ["score": 0],
        ])

    package init(json: JSONValue, at place: String = "") throws(InputError) {
        let reader = try ObjectReader(json, at: place, ActivitySpecification.schema)
        topic = reader.text("topic") ?? ""
        let suffix = APNsRules.PushType.liveactivity.topicSuffix
        guard topic.hasSuffix(suffix), topic.utf8.count > suffix.utf8.count else {
            throw reader.error("topic", "\(topic) is not a topic for Live Activities: expected \(topic)\(suffix)")
        }
        environment = reader.choice("environment")
        attributesType = reader.text("attributesType") ?? ""
        attributes = reader["attributes"] ?? .object([])
        content = LiveActivity.Content(reader)
        pushType = reader.has("pushType") ? PushType(reader["pushType"]) : .token
        if let channel = pushType?.channel, ChannelID(channel) == nil {
            throw InputError(at: reader.place("pushType") + "/channel", LiveActivity.notAChannel(channel))
        }
        let byteCount = attributes.encoded.count + (content.state?.encoded.count ?? 0)
        guard byteCount <= LiveActivity.dataBytesMax else {
            throw InputError(at: "/contentState", LiveActivity.tooLarge(byteCount))
        }
    }

    /// The document of a call that describes the same activity.
    package var json: JSONValue { .object(ActivitySpecification.fields.remakingMembers(of: self)) }

    func activity(number: Int32, environment: APNsEnvironment, at now: Instant) -> LiveActivity {
        LiveActivity(
            number: number, topic: topic, environment: environment, attributesType: attributesType,
            attributes: attributes, content: content, channel: pushType?.channel, at: now)
    }
}

/// What an app changes about its Live Activity: its content, or that it ends.
package struct ActivityPatch: Sendable, Equatable {
    private let content: LiveActivity.Content
    private let hasStaleDate: Bool
    private let hasRelevanceScore: Bool
    private let isEnd: Bool
    private let dismissalDate: Instant?

    package static let schema: Schema =
        LiveActivity.Content.fields.making + [
            Member("state", .choice(["ended"]), summary: "ended: it takes no more updates."),
            Member(
                "dismissalDate", .time,
                summary:
                    "When an activity that ends leaves the lock screen, by default and at the latest after 4 hours."),
        ]
    package static let document = RequestDocument(
        "LiveActivityChange", schema, example: ["contentState": ["score": 2]])

    package init(json: JSONValue, at place: String = "") throws(InputError) {
        let reader = try ObjectReader(json, at: place, ActivityPatch.schema)
        content = LiveActivity.Content(reader)
        hasStaleDate = reader.has("staleDate")
        hasRelevanceScore = reader.has("relevanceScore")
        isEnd = reader["state"] != nil
        dismissalDate = reader.instant("dismissalDate")
        guard isEnd || dismissalDate == nil else {
            throw reader.error(
                "dismissalDate", "dismissalDate belongs to an end: expected \"state\": \"ended\" as well")
        }
        guard isEnd || content.state != nil || hasStaleDate || hasRelevanceScore else {
            throw InputError(at: place, "nothing is changed", allowed: ActivityPatch.schema.names)
        }
    }

    /// The document of a call that makes the same change.
    ///
    /// It is written by hand, because what is left out stays as it is, and what is `null` is removed.
    package var json: JSONValue {
        .object(
            .given(
                ("contentState", content.state),
                ("staleDate", hasStaleDate ? .text(content.staleDate?.rfc3339) : nil),
                ("relevanceScore", hasRelevanceScore ? .fraction(content.relevanceScore) : nil),
                ("state", isEnd ? "ended" : nil), ("dismissalDate", .given(dismissalDate?.rfc3339))))
    }

    func apply(to activity: inout LiveActivity, at now: Instant) throws(InputError) {
        guard activity.isRunning else {
            throw InputError(
                .conflict, "activity \(activity.number) is \(activity.state.rawValue): expected active or stale")
        }
        let content = LiveActivity.Content(
            state: content.state, staleDate: hasStaleDate ? content.staleDate : activity.staleDate,
            relevanceScore: hasRelevanceScore ? content.relevanceScore : activity.relevanceScore)
        let byteCount = activity.dataByteCount(with: content.state)
        guard byteCount <= LiveActivity.dataBytesMax else {
            throw InputError(at: "/contentState", LiveActivity.tooLarge(byteCount))
        }
        if isEnd {
            activity.end(content, dismissedAt: dismissalDate, sequence: nil, at: now)
        } else {
            activity.update(content, sequence: nil, at: now)
        }
    }
}

extension LiveActivity.Content {
    static let fields: Fields<LiveActivity.Content> = [
        Field(Member("contentState", .map(of: .any()), summary: "What it shows.")) { $0.state ?? .null },
        Field(Member("staleDate", .time, summary: "When its content is out of date.")) {
            .text($0.staleDate?.rfc3339)
        },
        Field(Member("relevanceScore", .number, summary: "The highest comes first on the screen.")) {
            .fraction($0.relevanceScore)
        },
    ]

    /// Reads the members of ``fields``.
    init(_ reader: ObjectReader) {
        self.init(
            state: reader["contentState"], staleDate: reader.instant("staleDate"),
            relevanceScore: reader["relevanceScore"].flatMap { number in
                if case .number(let number) = number, number.double.isFinite { number.double } else { nil }
            })
    }
}
