package import NIOCore

/// The times and limits of one connection, by the system's clock; the idle timeout goes by the server's clock instead
/// (`ConnectionIdleness`).
package struct ConnectionLimits: Sendable {
    /// How long a handshake may take, or in cleartext the first bytes; like the next two it comes from the `Settings` of the
    /// server.
    package var handshakeTimeout: TimeAmount
    /// The stream limit in the SETTINGS of a connection that is refused as soon as it is open.
    package var streams: Int
    /// How long open streams may take after the GOAWAY of a reply.
    package var grace: TimeAmount
    /// How long a request may take from its first byte to its last; it is ended within twice that.
    package var requestTimeout: TimeAmount = .seconds(60)
    /// How long the memory of requests is kept for the next ones: long beside the pauses of a steady stream of pushes.
    package var memoryTime: TimeAmount = .seconds(1)
    /// How long a connection answers requests, hundreds of them, before the loop's other connections get their turn.
    package var turn: TimeAmount = .milliseconds(2)
    /// How long the second GOAWAY of two waits for the answer to the PING between them (RFC 9113 §6.8).
    package var goAwayRoundTrip: TimeAmount = .seconds(1)
    /// How often a peer that has closed its side is sent a PING, or in HTTP/1.1 an interim answer, while it is owed
    /// answers: one that has gone altogether resets the connection then.
    package var seekTime: TimeAmount = .seconds(2)
    package var closeTimeout: TimeAmount = .seconds(5)
    /// How long the peer's last bytes are read and dropped after this side's end: closing a socket with unread bytes
    /// resets it, and the peer loses what it has not read, such as a GOAWAY or an alert.
    package var lingerTimeout: TimeAmount = .milliseconds(500)
    /// The most bytes that are read and dropped while a connection lingers; a well-behaved client has at most its
    /// windows in flight.
    package var lingerBytesMax = 1024 * 1024
    /// How long a connection that a fault has silenced is kept: a day, longer than any test waits.
    package var silenceMax: TimeAmount = .hours(24)
    /// The most bytes that wait when a fault slows the output down; above, reading stops.
    package var pacedBytesMax = 256 * 1024
    /// The most bytes of replies that wait for the peer, beside the last one, such as a list of 10,000 channels with its
    /// 270 kB; above, no request is answered.
    package var waitingReplyBytesMax = 1024 * 1024
    /// The most bytes of incomplete requests, twice what 1,000 pushes without a body take; newer streams are refused.
    package var unfinishedBytesMax = 2 * 1024 * 1024
    /// The most bytes of unfinished requests on all connections of an event loop together that have no accepted
    /// request.
    package var unfinishedBytesBeforeTrustMax = 8 * 1024 * 1024
    /// The most bytes that a client may send while its ClientHello, or its first bytes, wait for an answer.
    package var heldBytesMax = 64 * 1024

    package init(handshakeTimeout: TimeAmount, streams: Int, grace: TimeAmount) {
        self.handshakeTimeout = handshakeTimeout
        self.streams = streams
        self.grace = grace
    }
}
