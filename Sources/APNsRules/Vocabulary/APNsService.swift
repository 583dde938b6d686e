/// What one of Apple's hosts is for (`ProviderAPI#Hosts-and-ports`).
package enum APNsService: Sendable {
    /// Pushes to devices, and broadcasts.
    case pushes
    /// Channel management.
    case channels
    /// Web pushes to browsers, over HTTP/1.1 too (`WebPush#Endpoint`).
    case webPush

    /// The service of one of Apple's host names, in upper or lower case; `nil` for any other name.
    package init?(serverName: some StringProtocol) {
        let name = serverName.lowercased()
        if name == APNsService.webPushName {
            self = .webPush
            return
        }
        guard APNsEnvironment(serverName: name) != nil else { return nil }
        self = name.hasPrefix("api-manage-broadcast.") ? .channels : .pushes
    }

    /// The host of Apple's endpoint for web pushes.
    package static let webPushName = "web.push.apple.com"
}
