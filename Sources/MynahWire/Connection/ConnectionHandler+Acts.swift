internal import APNsRules
internal import NIOCore

/// What the server wants of a connection besides answers to requests as they come.
extension ConnectionHandler {
    /// Answers a request that was withheld.
    func answer(_ stream: Int32, _ answer: Answer, _ context: ChannelHandlerContext) {
        guard hasOpened, !lifecycle.isClosed else { return }
        http2.answer(stream: stream, answer)
        sendOutput(context)
    }

    /// Does what is no answer to any request: at once, or as soon as the connection is open.
    func perform(_ act: WireAct, _ context: ChannelHandlerContext) {
        guard !lifecycle.isClosed else { return }
        if lifecycle.isHandshaking { isHandshakeFaulted = true }
        switch act {
        case .close, .throttle: performTransport(act, context)
        case _ where !hasOpened: openingActs.append(act)
        default:
            http2.perform(act)
            sendOutput(context)
        }
    }

    /// Does what the output that is about to leave is subject to.
    func prepareTransport(_ context: ChannelHandlerContext) {
        for case .transport(let act) in http2.takeDue(beforeOutput: true) { performTransport(act, context) }
    }

    /// Does what is due behind the output.
    func doDue(_ context: ChannelHandlerContext) {
        for due in http2.takeDue(beforeOutput: false) {
            // Whoever waits for an answer hears of the end of all when the connection is closed.
            guard !lifecycle.isClosed else { return }
            switch due {
            case .abandoned(let stream): responder.requestAbandoned(stream: stream)
            case .shutDown(let reason): shutDown(reason, grace: limits.grace, context)
            case .drain: drain(grace: limits.grace, context) {}
            case .close: close(context)
            case .leaveOpen: lifecycle.leaveOpen()
            case .awaitRoundTrip: concludeGoAwayLater(context)
            case .transport(let act): performTransport(act, context)
            }
        }
    }

    /// For a peer that does not answer PING.
    private func concludeGoAwayLater(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: limits.goAwayRoundTrip) {
            guard !self.lifecycle.isClosed else { return }
            self.http2.concludeGoAway()
            self.sendOutput(context)
        }
    }
}
