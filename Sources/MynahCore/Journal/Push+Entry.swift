extension Push {
    /// The push of an entry; `nil` for one that was refused for its token.
    package init?(_ entry: Entry) {
        guard let token = entry.token else { return nil }
        self.init(
            token: token, environment: entry.environment, id: entry.notificationID, bytes: entry.bytes,
            headerByteCount: Int(entry.headerByteCount))
    }
}
