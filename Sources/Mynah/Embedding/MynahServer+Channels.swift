public import APNsRules
internal import MynahCore

extension ChannelView: Identifiable, CustomStringConvertible {
    /// The channel's id; `ChannelID.text` is what `apns-channel-id` takes.
    public var id: ChannelID { channel.id }
    /// The app's bundle id.
    public var bundleID: String { channel.owner.bundleID }
    /// The environment in which the app has the channel.
    public var environment: APNsEnvironment { channel.owner.environment }
    /// Whether the channel stores its most recent message.
    public var messageStoragePolicy: MessageStoragePolicy { channel.policy }
    /// When the channel was created, by the server's clock.
    public var createdAt: Instant { channel.createdAt }
    /// The number of accepted broadcasts to the channel.
    public var broadcastCount: Int { channel.broadcastCount }
    /// The whole channel as `GET /v1/channels/{id}` answers it.
    public var document: JSONValue { json }
    /// `channel tvI2UK0vEfEAAA6GFnjo2Q== of com.example.app`.
    public var description: String { "channel \(id.text) of \(bundleID)" }
}

/// Broadcast channels, including channels that providers have made (`ProviderAPI#Broadcasts`). Channels and the
/// broadcasts to them belong to the whole server, not to a scope, so what awaits a broadcast is
/// `server.expect(.channel(channel))`.
extension MynahServer {
    /// Creates a channel, as a provider does, but with an id of one's choice if that is given; by default in the server's
    /// environment.
    ///
    /// Throws ``MynahError/Code/conflict`` if a channel has or had the id, or the app has as many channels as it may
    /// have; ``MynahError/Code/invalid`` for a bundle id that no app can have, such as one with the suffix of a topic.
    public func createChannel(
        _ bundleID: String, environment: APNsEnvironment? = nil,
        messageStoragePolicy: MessageStoragePolicy = .none, id: ChannelID? = nil
    ) async throws(MynahError) -> ChannelView {
        let members: JSONValue = [
            "bundleId": .string(bundleID), "environment": .text(environment?.rawValue),
            "messageStoragePolicy": .whole(messageStoragePolicy.rawValue),
        ]
        let document = id.map { .object((members.object ?? []) + [JSONMember("id", .string($0.text))]) } ?? members
        return try await change { server in
            try await server.createChannel(
                ChannelSpecification(json: document, environment: server.settings.usualEnvironment))
        }
    }

    /// The channels in the order of their creation: all, or the channels of an app or an environment.
    public func channels(of bundleID: String? = nil, in environment: APNsEnvironment? = nil) -> [ChannelView] {
        running.channels(ofApp: bundleID, in: environment)
    }

    /// Looks up a channel by its id, for any app and environment.
    public func channel(_ id: ChannelID) throws(MynahError) -> ChannelView {
        guard let channel = running.channel(id) else { throw MynahServer.noChannel(id) }
        return channel
    }

    /// Deletes a channel, as its provider does, so that a broadcast to it is ChannelNotRegistered from then on; returns
    /// it as it was.
    @discardableResult
    public func deleteChannel(_ id: ChannelID) async throws(MynahError) -> ChannelView {
        guard let channel = try await change({ try await $0.removeChannel(id) }) else {
            throw MynahServer.noChannel(id)
        }
        return channel
    }

    private static func noChannel(_ id: ChannelID) -> MynahError {
        MynahError(.notFound, "there is no channel \(id.text): expected the id of one of channels()")
    }
}
