package import APNsRules

/// A channel to which a device is to be subscribed, by a Live Activity that follows it (`Documents#Subscriptions`).
package struct SubscriptionSpecification: Sendable, Equatable {
    package let channel: ChannelID
    private let topic: String?
    private let environment: APNsEnvironment?
    // The members of the activity, without the members that the channel decides.
    private let members: [JSONMember]

    package static let schema: Schema =
        [
            Member(
                "channel", .text(1...ChannelID.textCount), summary: "The ID of the channel.", isRequired: true),
            Member(
                "topic", .topic, summary: "The app's topic for Live Activities; by default that of the channel's app."),
            Member("environment", .choice(APNsEnvironment.self), summary: "By default the channel's."),
            Member(
                "attributesType", .shortText,
                summary: "The name of the type of its ActivityAttributes.", default: .string(standardType)),
            Member("attributes", .map(of: .any()), summary: "What stays the same while it runs.", default: [:]),
        ] + LiveActivity.Content.fields.making
    package static let document = RequestDocument(
        "SubscriptionSpecification", schema, example: ["channel": "dHN0LXNyY2gtY2hubAAAAQ=="])

    private static let standardType = "ActivityAttributes"

    package init(json: JSONValue, at place: String = "") throws(InputError) {
        let reader = try ObjectReader(json, at: place, SubscriptionSpecification.schema)
        let text = reader.text("channel") ?? ""
        guard let channel = ChannelID(text) else {
            throw reader.error("channel", LiveActivity.notAChannel(text))
        }
        self.channel = channel
        topic = reader.text("topic")
        environment = reader.choice("environment")
        let decided = ["channel", "topic", "environment", "attributesType"]
        members =
            [JSONMember("attributesType", .string(reader.text("attributesType") ?? Self.standardType))]
            + (json.object ?? []).filter { !decided.contains($0.name) }
    }

    /// The document of a call that describes the same subscription.
    ///
    /// Most of it is as it was given, and isn't read until the channel is known.
    package var json: JSONValue {
        .object(
            .given(
                ("channel", .string(channel.text)), ("topic", .given(topic)),
                ("environment", .given(environment?.rawValue))) + members)
    }

    /// The activity that follows the channel, whose owner is `nil` if there is no such channel; throws if another app or
    /// environment is given than the owner's, and without an owner if no topic is given.
    package func activity(inChannelOf owner: ChannelOwner?) throws(InputError) -> ActivitySpecification {
        let ownTopic = owner.map { $0.bundleID + PushType.liveactivity.topicSuffix }
        guard let topic = topic ?? ownTopic else {
            throw InputError(
                .notFound, at: "/channel",
                "there is no channel \(channel.text): expected one of GET /v1/channels, or also the topic of its app")
        }
        if let owner, let ownTopic, topic != ownTopic || environment.map({ $0 != owner.environment }) == true {
            throw InputError(
                .conflict, at: topic == ownTopic ? "/environment" : "/topic",
                "the channel is of \(owner.bundleID) in \(owner.environment.rawValue): expected \(ownTopic) in "
                    + owner.environment.rawValue)
        }
        let place = (environment ?? owner?.environment).map { [JSONMember("environment", .string($0.rawValue))] } ?? []
        return try ActivitySpecification(
            json: .object(
                members + place + [
                    JSONMember("topic", .string(topic)),
                    JSONMember("pushType", ["channel": .string(channel.text)]),
                ]))
    }
}
