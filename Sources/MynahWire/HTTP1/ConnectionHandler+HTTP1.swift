internal import APNsRules
internal import NIOCore

// A connection whose TLS may have HTTP/1.1 inside.
extension ConnectionHandler {
    /// Whether the connection, whose handshake is complete, may speak HTTP/1.1.
    var speaksHTTP1: Bool { responder.speaksHTTP1 && tls?.facts.applicationProtocol != "h2" }

    /// Gives a connection that may speak HTTP/1.1 to the handlers that do so, and leaves the pipeline.
    func handOver(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        guard let session = tls.take() else { return }
        let facts = session.facts
        let faults = state.open(afterHandshake: true)
        _ = state.close()
        let pipeline = context.pipeline.syncOperations
        let filter = TLSFilter(session, loop: loop, responder: responder)
        let detector = CleartextHandler(
            loop: loop, responder: responder, limits: limits, openingFaults: faults, secured: facts)
        do {
            try pipeline.addHandlers([filter, detector], position: .after(self))
        } catch {
            responder.connectionFailed(.noMemory("\(error)"))
            return context.close(promise: nil)
        }
        pipeline.removeHandler(context: context, promise: nil)
        filter.begin()
    }
}
