package import NIOCore

/// The decision about a CONNECT.
package enum ProxyDestination: Sendable {
    /// It leads to this server: ``ProxyOwner/accept(_:for:)`` takes the connection.
    case server
    /// It leads to its target, through a tunnel that the owner counts until ``ProxyOwner/tunnelEnded()``.
    case tunnel
    /// It is refused.
    case refused(ProxyRefusal)
}

/// Decides for a proxy, on the loop of the connection.
///
/// The proxy itself knows neither names nor settings.
package protocol ProxyOwner: AnyObject, Sendable {
    /// The decision about a CONNECT.
    func destination(of target: ConnectTarget, for channel: any Channel) -> ProxyDestination
    /// Adds the handlers of this server to a connection, or closes it.
    func accept(_ channel: any Channel, for target: ConnectTarget)
    /// A tunnel has ended, or could not be made.
    func tunnelEnded()
    /// A request was refused; for the log.
    func refused(_ refusal: ProxyRefusal, _ channel: any Channel)
}

/// What the server has a connection of its proxy do, sent through the channel from any thread.
package enum ProxyCommand: Sendable {
    /// Close a connection that isn't a tunnel yet.
    case stop
}
