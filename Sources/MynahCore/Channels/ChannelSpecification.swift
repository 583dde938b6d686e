package import APNsRules

/// A broadcast channel as a call or a fixture describes it (`Documents#Channels`).
package struct ChannelSpecification: Sendable, Equatable {
    /// The channel's id; `nil` to generate one.
    package var id: ChannelID?
    package let owner: ChannelOwner
    package let policy: MessageStoragePolicy

    private static let fields: Fields<ChannelSpecification> = [
        Field(
            Member("id", .text(1...ChannelID.textCount), summary: "16 bytes in standard base64; random by default.")
        ) { .text($0.id?.text) },
        Field(
            Member("bundleId", .text(1...Limits.topicBytesMax), summary: "The app's bundle ID.", isRequired: true)
        ) { .string($0.owner.bundleID) },
        Field(Member("environment", .choice(APNsEnvironment.self), summary: "By default the server's.")) {
            $0.owner.environment.json
        },
        Field(
            Member(
                "messageStoragePolicy", .integer(0...1),
                summary: "0: the channel stores nothing; 1: it stores the most recent message, for at most 8 hours.",
                default: 0)
        ) { .whole($0.policy.rawValue) },
    ]
    package static let schema = fields.making
    package static let document = RequestDocument(
        "ChannelSpecification", schema, example: ["bundleId": "com.example.app", "messageStoragePolicy": 1])

    /// Reads a document; a channel that names no environment is of `environment`.
    package init(
        json: JSONValue, at place: String = "", environment: APNsEnvironment = .sandbox
    ) throws(InputError) {
        let reader = try ObjectReader(json, at: place, Self.schema)
        id = try reader.map("id") { value, place throws(InputError) in
            guard let id = value.string.flatMap({ ChannelID($0) }), id.high != ChannelID.magicWord else {
                throw .mismatch(
                    value, at: place,
                    expected: "\(Limits.channelIDByteCount) bytes in standard base64, which no magic channel has")
            }
            return id
        }
        let bundleID = reader.text("bundleId") ?? ""
        guard Topic.isBundleID(Array(bundleID.utf8).span) else {
            throw .mismatch(
                .string(bundleID), at: reader.place("bundleId"),
                expected: "a bundle ID like com.example.app, without the suffix of a push type")
        }
        owner = ChannelOwner(bundleID: bundleID, environment: reader.choice("environment") ?? environment)
        policy =
            reader.integer("messageStoragePolicy", Int.self).flatMap { MessageStoragePolicy(rawValue: $0) } ?? .none
    }

    /// The document of a call that describes the same channel.
    package var json: JSONValue { .object(ChannelSpecification.fields.remakingMembers(of: self)) }
}
