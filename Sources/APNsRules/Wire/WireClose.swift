/// The end of a connection (`Documents#Actions`).
package struct WireClose: Sendable, Hashable {
    /// What the peer sees.
    package enum How: String, CaseIterable, Sendable {
        /// An orderly end of TCP, without close_notify or GOAWAY.
        case fin
        /// A reset.
        case rst
        /// Nothing: whatever arrives is taken and dropped, as behind a NAT that forgot the connection.
        case halfOpen
    }

    /// When it happens.
    package enum Time: Sendable, Hashable {
        /// At once.
        case atOnce
        /// When so many further bytes have been sent on the connection.
        case afterBytes(Int)
        /// When nothing has come on the connection for so long.
        case afterIdle(Duration)
    }

    /// What the peer sees.
    package let how: How
    /// When it happens.
    package let time: Time

    /// An end.
    package init(how: How, time: Time = .atOnce) {
        self.how = how
        self.time = time
    }
}
