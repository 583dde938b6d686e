package import NIOCore

/// The times and limits of a proxy, by the system's clock.
package struct ProxyLimits: Sendable {
    /// The most bytes of a request's head: a hundred times what clients send.
    package var headBytesMax = 16 * 1024
    /// How long a request's head may take to come.
    package var headTimeout: TimeAmount = .seconds(10)
    /// How long resolving a tunnel's target and connecting to it may take.
    package var connectTimeout: TimeAmount = .seconds(10)
    /// The most tunnels at a time, each with two sockets; connections to this server don't count.
    package var tunnelsMax = 256
    /// How long a tunnel may carry nothing once one side has ended; then it is reset.
    ///
    /// Until something is sent to it, a client that has closed its socket looks like one that still reads.
    package var halfClosedTimeout: TimeAmount = .seconds(30)
    /// How long the peer's last bytes are read and dropped after a refusal, which a reset could lose.
    package var lingerTimeout: TimeAmount = .milliseconds(500)
    /// The most bytes that are read and dropped meanwhile.
    package var lingerBytesMax = 1024 * 1024

    /// The default limits.
    package init() {}
}

extension TimeAmount {
    /// Whole seconds, for a message.
    var seconds: Int64 { nanoseconds / 1_000_000_000 }
}
