internal import APNsRules

/// A Live Activity by its device's place in a table and its number on that device.
package struct ActivityPlace: Hashable, Sendable {
    package let device: Int32
    package let number: Int32
}

/// The running activities of one shard that follow broadcast channels (`DeviceBehaviour#Live-Activities`).
package struct ChannelFollowers: Sendable {
    private var places: [String: Set<ActivityPlace>] = [:]
    /// How many activities follow channels.
    package private(set) var count = 0

    /// The activities that follow a channel, in no order.
    package subscript(channel: String) -> Set<ActivityPlace> { places[channel] ?? [] }

    /// Adds to `counts` how many activities follow each of some channels, whose places in it are given.
    package func add(to counts: inout [Int], of indexes: [String: Int]) {
        if places.count < indexes.count {
            for (channel, places) in places { if let index = indexes[channel] { counts[index] += places.count } }
        } else {
            for (channel, index) in indexes { counts[index] += places[channel]?.count ?? 0 }
        }
    }

    mutating func setFollowing(_ channel: String, _ place: ActivityPlace, _ isFollowing: Bool) {
        if isFollowing {
            if places[channel, default: []].insert(place).inserted { count += 1 }
        } else if places[channel]?.remove(place) != nil {
            count -= 1
            if places[channel]?.isEmpty == true { places[channel] = nil }
        }
    }
}
