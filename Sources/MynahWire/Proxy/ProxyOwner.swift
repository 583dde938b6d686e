package import NIOCore

package enum ProxyDestination: Sendable {
    /// The server itself: ``ProxyOwner/accept(_:for:)`` takes the connection.
    case server
    /// The target itself, through a tunnel that the owner counts until ``ProxyOwner/tunnelEnded()``.
    case tunnel
}

/// Makes the decisions of a proxy, which knows neither names nor settings; called on the connection's loop.
package protocol ProxyOwner: AnyObject, Sendable {
    func destination(of target: ConnectTarget, for channel: any Channel) throws(ProxyRefusal) -> ProxyDestination
    /// Adds the handlers of this server to a connection, or closes it.
    func accept(_ channel: any Channel, for target: ConnectTarget)
    /// Called when a tunnel has ended or could not be made.
    func tunnelEnded()
    func refused(_ refusal: ProxyRefusal, _ channel: any Channel)
}

/// A command of the server to a connection of its proxy, sent through the channel from any thread.
package enum ProxyCommand: Sendable {
    /// Close a connection that isn't a tunnel yet.
    case stop
}

/// The times and limits of a proxy, by the system's clock.
package struct ProxyLimits: Sendable {
    /// The most bytes of a request's head: a hundred times what clients send.
    package var headBytesMax = 16 * 1024
    /// How long a request's head may take; a server's is its `Settings.handshakeTimeout`.
    package var headTimeout: TimeAmount = .seconds(10)
    /// How long resolving a tunnel's target and connecting to it may take.
    package var connectTimeout: TimeAmount = .seconds(10)
    /// The most tunnels at a time, each with two sockets; connections to this server don't count.
    package var tunnelsMax = 256
    /// How long a half-closed tunnel may carry nothing: a closed socket looks like one that still reads.
    package var halfClosedTimeout: TimeAmount = .seconds(30)
    /// How long the peer's last bytes are read and dropped after a refusal, which a reset could lose.
    package var lingerTimeout: TimeAmount = .milliseconds(500)
    package var lingerBytesMax = 1024 * 1024

    package init() {}
}
