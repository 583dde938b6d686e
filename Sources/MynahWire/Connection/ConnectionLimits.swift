package import NIOCore

/// The times and limits of one connection, on the wall's clock; idleness is the responder's business, since it is
/// counted on the server's.
package struct ConnectionLimits: Sendable {
    /// How long a TLS handshake may take.
    package var handshakeTimeout: TimeAmount
    /// The stream limit in the SETTINGS of a connection that is refused as soon as it is open.
    package var streams: Int
    /// How long streams in flight may take after a GOAWAY that a reply called for.
    package var grace: TimeAmount
    /// How long a request may take from its first byte to its last; it is ended within twice that.
    package var requestTimeout: TimeAmount = .seconds(60)
    /// How long the GOAWAY that was announced by another waits for the answer to the PING between them
    /// (RFC 9113 §6.8).
    package var goAwayRoundTrip: TimeAmount = .seconds(1)
    /// How long closing may take while the peer does not read.
    package var closeTimeout: TimeAmount = .seconds(5)
    /// How long the peer's last bytes are read and dropped after this side has said its last.
    ///
    /// A socket that is closed with bytes unread is reset, and the reset takes from the peer what it has not read
    /// itself, a GOAWAY or an alert.
    package var lingerTimeout: TimeAmount = .milliseconds(500)
    /// The most bytes that are read and dropped meanwhile; a client in good faith has its windows' worth under way.
    package var lingerBytesMax = 1024 * 1024
    /// How long a connection is kept on which a fault has nothing said: a day, longer than any test waits.
    package var silenceMax: TimeAmount = .hours(24)
    /// The most bytes that wait where a fault has them sent slowly; above, nothing more is read.
    package var pacedBytesMax = 256 * 1024
    /// The most bytes that are held of requests whose end has not come; a stream that brings more is refused.
    ///
    /// 1,000 streams with the fields of a usual push and no body yet have half of it.
    package var unfinishedBytesMax = 2 * 1024 * 1024
    /// The same for all connections of an event loop that have had no request accepted, together.
    package var unfinishedBytesBeforeTrustMax = 8 * 1024 * 1024
    /// The most bytes of a client that are kept while its ClientHello, or its first bytes, wait for an answer.
    package var heldBytesMax = 64 * 1024

    /// The limits of one connection.
    package init(handshakeTimeout: TimeAmount, streams: Int, grace: TimeAmount) {
        self.handshakeTimeout = handshakeTimeout
        self.streams = streams
        self.grace = grace
    }
}
