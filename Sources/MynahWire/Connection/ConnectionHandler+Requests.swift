internal import NIOCore

/// Requests whose end has not come, and answers that are owed when no more requests can come.
extension ConnectionHandler {
    /// The peer sends no more: what it is owed is answered, then the connection ends.
    func inputEnded(_ context: ChannelHandlerContext) {
        guard hasOpened, context.transport?.isSilent != true else { return context.close(promise: nil) }
        sendOutput(context)
        guard !lifecycle.isClosed else { return }
        if lifecycle.inputEnded(owedAnswers: http2.owedCount) == .close { close(context) }
    }

    /// Has the end of the peer's side reported while an answer is owed; else it is the connection's end.
    func allowHalfClosure(_ context: ChannelHandlerContext) {
        guard allowsHalfClosure != (http2.owedCount > 0) else { return }
        allowsHalfClosure.toggle()
        context.channel.allowHalfClosure(allowsHalfClosure)
    }

    // A request is ended at most one part of its time late.
    private static let requestTimeoutParts = 4

    /// Says how many bytes may be held of unfinished requests, before further ones are read.
    func limitHeldBytes() {
        guard !http2.hasAccepted else { return http2.limitHeldBytes(to: limits.unfinishedBytesMax) }
        let room = limits.unfinishedBytesBeforeTrustMax - loop.heldBytesBeforeTrust
        http2.limitHeldBytes(to: min(limits.unfinishedBytesMax, heldBytesNoted + max(room, 0)))
    }

    /// Tells the loop what is held.
    func noteHeldBytes() {
        let count = http2.hasAccepted ? 0 : http2.heldByteCount
        guard count != heldBytesNoted else { return }
        loop.heldBytesBeforeTrust += count - heldBytesNoted
        heldBytesNoted = count
    }

    /// Sees to it that requests which take too long are ended.
    func watchRequests(_ context: ChannelHandlerContext) {
        guard requestTimer == nil, http2.hasUnfinishedRequests, !lifecycle.isClosed else { return }
        let parts = ConnectionHandler.requestTimeoutParts
        let part = TimeAmount.nanoseconds(limits.requestTimeout.nanoseconds / Int64(parts))
        requestTimer = context.eventLoop.assumeIsolated().scheduleTask(in: part) {
            self.requestTimer = nil
            guard !self.lifecycle.isClosed else { return }
            let count = self.http2.resetUnfinishedRequests(after: parts)
            if count > 0 {
                self.responder.connectionFailed(.requestsTimedOut(count))
                self.sendOutput(context)
                self.noteHeldBytes()
            }
            self.watchRequests(context)
        }
    }

    /// The connection is gone, and with it all that is held.
    func forgetRequests() {
        loop.heldBytesBeforeTrust -= heldBytesNoted
        heldBytesNoted = 0
        requestTimer?.cancel()
    }
}
