package import NIOCore

/// The times and limits of one connection, by the system's clock.
///
/// The idle timeout isn't among them: it goes by the server's clock, and the responder watches it.
package struct ConnectionLimits: Sendable {
    /// How long a TLS handshake may take.
    package var handshakeTimeout: TimeAmount
    /// The stream limit in the SETTINGS of a connection that is refused as soon as it is open.
    package var streams: Int
    /// How long streams in flight may take after a GOAWAY that a reply called for.
    package var grace: TimeAmount
    /// How long a request may take from its first byte to its last; it is ended within twice that.
    package var requestTimeout: TimeAmount = .seconds(60)
    /// How long a connection answers requests before the other connections of its loop have their turn.
    ///
    /// Long enough for hundreds of pushes; a push that is matched against many fault rules takes a good part of it.
    package var turn: TimeAmount = .milliseconds(2)
    /// How long the second GOAWAY of two waits for the answer to the PING between them (RFC 9113 §6.8).
    package var goAwayRoundTrip: TimeAmount = .seconds(1)
    /// How long closing may take while the peer does not read.
    package var closeTimeout: TimeAmount = .seconds(5)
    /// How long the peer's last bytes are read and dropped after this side has ended.
    ///
    /// A socket that is closed with unread bytes is reset, and the peer then loses what it has not read, such as a GOAWAY
    /// or an alert.
    package var lingerTimeout: TimeAmount = .milliseconds(500)
    /// The most bytes that are read and dropped meanwhile; a client in good faith has at most its windows in flight.
    package var lingerBytesMax = 1024 * 1024
    /// How long a connection is kept that a fault has silenced: a day, longer than any test waits.
    package var silenceMax: TimeAmount = .hours(24)
    /// The most bytes that wait where a fault slows the output down; above, nothing more is read.
    package var pacedBytesMax = 256 * 1024
    /// The most bytes of incomplete requests; the newest streams are refused above it.
    ///
    /// 1,000 streams with the fields of a usual push and no body yet take half of it.
    package var unfinishedBytesMax = 2 * 1024 * 1024
    /// The same for all connections of an event loop together that have had no request accepted.
    package var unfinishedBytesBeforeTrustMax = 8 * 1024 * 1024
    /// The most bytes that a client may send while its ClientHello, or its first bytes, wait for an answer.
    package var heldBytesMax = 64 * 1024

    /// The limits of one connection.
    package init(handshakeTimeout: TimeAmount, streams: Int, grace: TimeAmount) {
        self.handshakeTimeout = handshakeTimeout
        self.streams = streams
        self.grace = grace
    }
}
