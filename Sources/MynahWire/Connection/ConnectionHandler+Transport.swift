internal import APNsRules
internal import NIOCore

/// Acts below HTTP/2, and below TLS where there is any.
extension ConnectionHandler {
    /// Ends the connection behind what has been sent, or slows it down; does nothing for an act of another kind.
    func performTransport(_ act: WireAct, _ context: ChannelHandlerContext) {
        guard act.concernsTransport, !lifecycle.isClosed, let transport = context.governTransport(limits) else {
            return
        }
        transport.perform(act)
        if transport.isSilent { isSilenced = true }
    }

    /// Does what was to be done to the transport as soon as the connection is open, before anything is sent on it.
    func governTransport(_ context: ChannelHandlerContext) {
        for act in openingActs { performTransport(act, context) }
    }

    /// The transport has ended, as a fault had it.
    func transportEnded() {
        lifecycle.closed()
        deadline?.cancel()
        reportEnd()
    }
}
