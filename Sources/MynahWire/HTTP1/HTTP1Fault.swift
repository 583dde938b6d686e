internal import APNsRules

/// What a fault comes to over HTTP/1.1, which has neither streams nor frames.
enum HTTP1Fault: Equatable {
    /// Send the reply, as if there were no fault.
    case reply
    /// Send the reply with `connection: close`, then end the connection in order.
    case replyAndEnd
    /// Send the head of a reply that announces a body, and nothing of the body; then end the connection, if so.
    case head(WireClose.How?)
    /// Send no reply, and end the connection.
    case end(WireClose.How)
    /// Carry the fault out below HTTP.
    case transport(WireAct)
}

extension WireAct {
    /// The nearest that HTTP/1.1 has.
    var overHTTP1: HTTP1Fault {
        switch self {
        case .settings, .withholdWindow, .ignorePing: .reply
        case .goAway(let goAway):
            switch goAway.close {
            case .afterStreams: .replyAndEnd
            case .atOnce: .end(.fin)
            case .never: .end(.halfOpen)
            }
        case .resetStream(_, afterHeaders: false): .end(.rst)
        case .resetStream(_, afterHeaders: true): .head(.rst)
        case .truncate: .head(nil)
        case .malformedFrame, .oversizedFrame: .end(.fin)
        case .close, .throttle: .transport(self)
        }
    }
}
