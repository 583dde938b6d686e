internal import APNsRules
internal import NIOCore

/// What an act comes to where HTTP/1.1 is spoken, which has neither streams nor frames.
enum HTTP1Act: Equatable {
    /// The reply, as if there were no act.
    case reply
    /// The reply with `connection: close`, then an orderly end.
    case replyAndEnd
    /// The head of a reply that announces a body, and nothing of the body; then an end, where there is one.
    case head(WireClose.How?)
    /// No reply, and an end of the connection.
    case end(WireClose.How)
    /// Something that is done to the bytes, whatever they mean.
    case transport(WireAct)
}

extension WireAct {
    /// The nearest that HTTP/1.1 has; the one table of it.
    var overHTTP1: HTTP1Act {
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

extension HTTP1Handler {
    /// Does what is no plain answer; with a reply where there is one to the request at hand.
    func perform(_ act: WireAct, with reply: Reply?, _ context: ChannelHandlerContext) {
        switch act.overHTTP1 {
        case .reply:
            if let reply { send(reply, context) }
        case .replyAndEnd:
            isShuttingDown = true
            // A request that the frame denies has no answer, and without a request there is none to wait for.
            if let reply { send(reply, context) } else { end(.fin, context) }
        case .head(let how):
            if let reply { sendHead(of: reply, context) }
            if let how { end(how, context) }
        case .end(let how): end(how, context)
        case .transport(.close(let how, afterBytes: nil)):
            if let reply { send(reply, context) }
            end(how, context)
        case .transport(let act):
            governedTransport(context)?.perform(act)
            if let reply { send(reply, context) }
        }
    }

    private func end(_ how: WireClose.How, _ context: ChannelHandlerContext) {
        governedTransport(context)?.perform(.close(how, afterBytes: nil))
    }
}
