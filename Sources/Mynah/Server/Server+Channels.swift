package import APNsRules
internal import MynahCore

/// The broadcast channels (`ProviderAPI#Broadcasts`), which belong to the whole server.
extension Server {
    package var channelCount: Int { simulation.channels.read { $0.count } }
    /// How many running Live Activities follow channels.
    package var channelFollowerCount: Int { fleet.followerCount }

    /// The channels in the order of their creation: all, or the channels of an app or an environment.
    package func channels(ofApp bundleID: String? = nil, in environment: APNsEnvironment? = nil) -> [ChannelView] {
        views(simulation.channels.read { $0.list(ofApp: bundleID, in: environment) })
    }

    /// Up to `limit` channels after a number, in the order of creation or newest first, and how many channels there are
    /// in all: of all apps and environments, or of the given ones.
    package func channels(
        ofApp bundleID: String?, in environment: APNsEnvironment?, newestFirst: Bool, past number: UInt64?, limit: Int
    ) -> (channels: [ChannelView], matched: Int) {
        let (found, matched) = simulation.channels.read { channels in
            (
                channels.list(
                    ofApp: bundleID, in: environment, newestFirst: newestFirst, past: number, limit: limit),
                channels.count(ofApp: bundleID, in: environment)
            )
        }
        return (views(found), matched)
    }

    private func views(_ channels: [BroadcastChannel]) -> [ChannelView] {
        let now = now
        return zip(channels, fleet.followerCounts(of: channels.map(\.id))).map { channel, count in
            ChannelView(
                channel: channel, followerCount: count, storedUntil: channel.stored(at: now)?.expiresAt)
        }
    }

    package func channel(_ id: ChannelID) -> ChannelView? {
        simulation.channels.read { $0.channel(id) }.map(simulation.channels.view)
    }
}
