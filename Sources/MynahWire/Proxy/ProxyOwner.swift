package import NIOCore

/// Where a CONNECT leads.
package enum ProxyDestination: Sendable {
    /// To this server: ``ProxyOwner/accept(_:for:)`` takes the connection.
    case server
    /// To its target, through a tunnel that has been counted; ``ProxyOwner/tunnelEnded()`` counts it out.
    case tunnel
    /// Nowhere.
    case refused(ProxyRefusal)
}

/// Who decides for a proxy; asked on the loop of the connection in question.
///
/// The proxy reads and carries; it knows neither names nor settings.
package protocol ProxyOwner: AnyObject, Sendable {
    /// Where a CONNECT leads.
    func destination(of target: ConnectTarget, for channel: any Channel) -> ProxyDestination
    /// Puts the handlers of this server into a connection that is its own from here on, or closes it.
    func accept(_ channel: any Channel, for target: ConnectTarget)
    /// A tunnel has ended, or has not come to be.
    func tunnelEnded()
    /// A request was refused; for a log line that helps.
    func refused(_ refusal: ProxyRefusal, _ channel: any Channel)
}

/// What the server tells a connection of its proxy, by the channel, from any thread.
package enum ProxyCommand: Sendable {
    /// End what is no tunnel yet, so that nothing more comes to be.
    case stop
}
