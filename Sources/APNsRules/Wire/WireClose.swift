/// The end of a connection (`Documents#Actions`).
public struct WireClose: Sendable, Hashable {
    /// What the peer sees.
    public enum How: String, CaseIterable, Sendable {
        /// An orderly end of TCP, without close_notify or GOAWAY.
        case fin
        /// A reset.
        case rst
        /// Nothing: whatever arrives is dropped, as by a NAT that has forgotten the connection.
        case halfOpen
    }

    package enum Time: Sendable, Hashable {
        case atOnce
        /// When this many more bytes have been sent on the connection.
        case afterBytes(Int)
        /// When nothing has arrived on the connection for this time.
        case afterIdle(Duration)
    }

    package let how: How
    package let time: Time

    package init(how: How, time: Time = .atOnce) {
        self.how = how
        self.time = time
    }
}
