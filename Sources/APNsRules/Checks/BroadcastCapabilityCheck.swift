/// The app has the broadcast capability (`ProviderAPI#Channel-management`): any app, unless `--broadcast-apps` lists those
/// that have it.
enum BroadcastCapabilityCheck {
    static func check(_ request: borrowing ChannelRequest) throws(Refusal) {
        let apps = request.candidate.settings.broadcastApps
        guard !apps.isEmpty, !apps.contains(request.bundleID) else { return }
        throw Refusal(
            .broadcastFeatureNotEnabled,
            "the app \(request.bundleID) does not have the broadcast capability: expected one of "
                + apps.joined(separator: ", "))
    }
}
