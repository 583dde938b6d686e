internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/channels`: the broadcast channels that providers manage (`Documents#Channels`).
enum ChannelRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/channels", id: "listChannels", summary: "List the broadcast channels",
            parameters: [
                .query("bundleId", "Only those of this app.", schema: ["type": "string"]),
                .query(
                    "environment", "Only those of this environment.", schema: ["enum": ["sandbox", "production"]],
                    form: .choice(APNsEnvironment.self)),
                .limit, .order(),
                .query(
                    "after", "Only channels that come after the one with this ID in the order.",
                    schema: ["type": "string"]),
                .cursor,
            ], answers: [.page(of: "Channel")], handle: list),
        Route(
            .post, "/v1/channels", id: "createChannel", summary: "Create a broadcast channel",
            details: "As a provider does with POST /1/apps/{bundleId}/channels, but the ID may be given.",
            body: .required(ChannelSpecification.document), answers: [.created("The channel.", "Channel")],
            problems: [.conflict]
        ) { call in
            let made = try await call.server.createChannel(
                ChannelSpecification(json: call.object(), environment: call.server.settings.usualEnvironment))
            return .created(made.json, at: "/v1/channels/\(PathText.encoded(made.channel.id.text))")
        },
        Route(
            .delete, "/v1/channels", id: "deleteChannels", summary: "Forget all channels",
            details: "Also the IDs of deleted ones, so that a broadcast to one of them is BadChannelId.",
            answers: [.removed()]
        ) { .removed(["channels": try await $0.server.forgetChannels()]) },
        Route(
            .get, "/v1/channels/{id}", id: "getChannel", summary: "Get one channel", parameters: [id],
            answers: [.ok("The channel.", "Channel")], problems: [.notFound]
        ) { call in
            let id = try channelID("id", of: call)
            return .json(try call.server.channel(id).found(or: unknown(id)).json)
        },
        Route(
            .delete, "/v1/channels/{id}", id: "deleteChannel", summary: "Delete a channel",
            details: "As a provider does: a broadcast to it is ChannelNotRegistered from then on.", parameters: [id],
            answers: [.ok("The channel as it was.", "Channel")], problems: [.notFound]
        ) { call in
            let id = try channelID("id", of: call)
            return .json(try await call.server.removeChannel(id).found(or: unknown(id)).json)
        },
    ]

    private static func list(_ call: Call) throws -> Response {
        var query = call.query
        let window = try ListWindow(taking: &query)
        let isDescending = window.order == .descending
        var past = [window.cursor?.sequence]
        if let after = try query.take("after") {
            let view = try ChannelID(after).flatMap { call.server.channel($0) }
                .found(
                    or: Problem.parameter("after", "there is no channel \(after) to list after: expected the ID of one")
                )
            past.append(view.channel.number)
        }
        let bundleID = try query.take("bundleId")
        if let bundleID {
            guard !bundleID.isEmpty else {
                throw Problem.parameter(
                    "bundleId", "bundleId is empty: expected one like com.example.app, or no bundleId")
            }
            try Alphabet.topics.check(bundleID, of: .topic, at: "bundleId")
        }
        // One more than the page holds, to know whether there is another page.
        let (channels, matched) = try call.server.channels(
            ofApp: bundleID, in: query.takeChoice("environment"), newestFirst: isDescending,
            past: isDescending ? past.compactMap(\.self).min() : past.compactMap(\.self).max(),
            limit: window.limit + 1)
        return ListPage(
            channels, limit: window.limit, matched: matched, lastSequence: call.server.journal.lastIssued,
            cursor: { window.cursor(after: $0.channel.number) }
        ) { $0.json }.response(to: call)
    }

    private static let id = CallParameter.path("id", "The channel's ID.", urlForm: ", percent-encoded.")

    /// The id of a channel in the path.
    static func channelID(_ name: String, of call: Call) throws(Problem) -> ChannelID {
        let text = try call.pathText(name)
        return try ChannelID(text).found(
            or: .parameter(name, "invalid id \(text): expected 16 bytes in standard base64, in a path percent-encoded"))
    }

    private static func unknown(_ id: ChannelID) -> Problem {
        Problem(.notFound, "there is no channel \(id.text): GET /v1/channels lists them", field: "id")
    }
}
