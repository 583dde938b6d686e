/// `message-storage-policy`: what a channel keeps for devices that a broadcast doesn't reach
/// (`ProviderAPI#Channel-management`).
public enum MessageStoragePolicy: Int, CaseIterable, Sendable {
    /// The channel stores no message.
    case none = 0
    /// The most recent message, for at most ``Limits/channelStorageMax``.
    case mostRecent = 1
}
