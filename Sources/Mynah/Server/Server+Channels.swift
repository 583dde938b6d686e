package import APNsRules
internal import MynahCore

/// The broadcast channels (`ProviderAPI#Broadcasts`), which belong to the whole server.
extension Server {
    package var channelCount: Int { simulation.channels.read { $0.count } }
    /// How many running Live Activities follow channels.
    package var channelFollowerCount: Int { fleet.followerCount }

    /// The channels in the order of their creation, those of an app or an environment if one is given.
    package func channels(ofApp bundleID: String? = nil, in environment: APNsEnvironment? = nil) -> [ChannelView] {
        views(simulation.channels.read { $0.list(ofApp: bundleID, in: environment) })
    }

    /// Up to `limit` channels in the order of creation or, newest first, in the reverse one, from the one past a number
    /// on, and how many there are in all; those of an app and of an environment, if those are given.
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
