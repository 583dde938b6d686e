package import NIOCore

/// The times and limits of a proxy, on the wall's clock.
package struct ProxyLimits: Sendable {
    /// The most bytes of a request's head: a hundred times what clients send.
    package var headBytesMax = 16 * 1024
    /// How long a request's head may take to come.
    package var headTimeout: TimeAmount = .seconds(10)
    /// How long a tunnel's target may take to be found and to take the connection.
    package var connectTimeout: TimeAmount = .seconds(10)
    /// How many tunnels there may be at one time, each with two sockets; what leads to this server does not count.
    package var tunnelsMax = 256
    /// How long a tunnel of which one side has ended may carry nothing before it is reset: a client that has closed its
    /// socket looks like one that still reads until something is sent to it.
    package var halfClosedTimeout: TimeAmount = .seconds(30)
    /// How long the peer's last bytes are read and dropped after a refusal, which a reset could take from it.
    package var lingerTimeout: TimeAmount = .milliseconds(500)
    /// The most bytes that are read and dropped meanwhile.
    package var lingerBytesMax = 1024 * 1024

    /// The usual ones.
    package init() {}
}

extension TimeAmount {
    /// Whole seconds, for people.
    var seconds: Int64 { nanoseconds / 1_000_000_000 }
}
