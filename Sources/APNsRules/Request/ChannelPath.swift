/// A path that concerns channels: of a broadcast, or of channel management (`ProviderAPI#Broadcasts`).
package struct ChannelPath: Equatable {
    package enum Resource: Sendable {
        /// `/4/broadcasts/apps/<bundle id>`.
        case broadcasts
        /// `/1/apps/<bundle id>/channels`.
        case channels
        /// `/1/apps/<bundle id>/all-channels`.
        case allChannels
    }

    package let resource: Resource
    /// The place of the bundle id in the path.
    package let bundleID: Range<Int>

    /// Reads a path; `nil` for any other, for a bundle id that can't be one, and for a query.
    package init?(_ path: Span<UInt8>) {
        if let place = ChannelPath.place(in: path, after: "/4/broadcasts/apps/", before: "") {
            resource = .broadcasts
            bundleID = place
        } else if let place = ChannelPath.place(in: path, after: "/1/apps/", before: "/channels") {
            resource = .channels
            bundleID = place
        } else if let place = ChannelPath.place(in: path, after: "/1/apps/", before: "/all-channels") {
            resource = .allChannels
            bundleID = place
        } else {
            return nil
        }
    }

    private static func place(in path: Span<UInt8>, after prefix: String, before suffix: String) -> Range<Int>? {
        let start = prefix.utf8.count
        let end = path.count - suffix.utf8.count
        guard start < end, path.starts(with: prefix), path.ends(with: suffix),
            Topic.isWellFormed(path.extracting(start..<end))
        else { return nil }
        return start..<end
    }
}
