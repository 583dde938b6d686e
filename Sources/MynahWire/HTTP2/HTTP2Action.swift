internal import APNsRules

/// What the connection has to do on behalf of HTTP/2, besides sending its output.
enum HTTP2Action: Equatable {
    /// Report that the stream of a withheld answer has ended.
    case abandoned(Int32)
    /// End the connection for this reason, which GOAWAY has yet to give.
    case shutDown(Reason)
    /// End the connection once its streams have ended; GOAWAY has been sent.
    case drain
    /// Close the connection after the output.
    case close
    /// Keep the connection open; GOAWAY has been sent.
    case leaveOpen
    /// Send the second GOAWAY when the peer doesn't answer the PING in time.
    case awaitRoundTrip
    /// Carry out a fault below HTTP/2.
    case transport(WireAct)

    /// Whether it applies to the output that is about to leave.
    var precedesOutput: Bool {
        switch self {
        case .transport(.throttle), .transport(.close(_, afterBytes: .some)): true
        default: false
        }
    }
}
