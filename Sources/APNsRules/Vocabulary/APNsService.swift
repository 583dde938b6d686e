/// What one of Apple's hosts is for (`ProviderAPI#Hosts-and-ports`).
package enum APNsService: Sendable {
    /// Pushes to devices, and broadcasts.
    case pushes
    /// Channel management.
    case channels

    /// The service of one of Apple's host names, in upper or lower case; `nil` for any other name.
    package init?(serverName: some StringProtocol) {
        guard APNsEnvironment(serverName: serverName) != nil else { return nil }
        self = serverName.lowercased().hasPrefix("api-manage-broadcast.") ? .channels : .pushes
    }
}
