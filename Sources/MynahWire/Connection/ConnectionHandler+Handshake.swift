internal import APNsRules
internal import NIOCore

// The handshake of a connection, and the faults that act on it.
extension ConnectionHandler {
    func limitHandshake(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = context.schedule(in: limits.handshakeTimeout) {
            // Unless a fault keeps the server from answering.
            guard self.state.isOpening, !context.isSilenced else { return }
            self.responder.connectionFailed(self.state.handshakeProblem(.timedOut, "the handshake timed out"))
            self.end()
            context.close(promise: nil)
        }
    }

    func helloArrived(_ context: ChannelHandlerContext) {
        guard tls?.isHeld == true else { return }
        guard state.helloRead() else {
            guard bytesIn > limits.heldBytesMax else { return }
            let detail = "the client sent \(bytesIn) bytes without waiting for an answer"
            return fail(state.handshakeProblem(.other, detail), context)
        }
        guard show(loop.tls, orFailWith: "the server's certificate can't be presented", context) else { return }
        let decision = responder.handshakeBegins(serverName: tls?.requestedName, clientKind: tls?.clientKind)
        if responder.speaksHTTP1 { tls?.offerHTTP1() }
        if decision != .proceed { state.handshakeFaulted() }
        switch decision {
        case .proceed: proceed(context)
        case .act(let fault):
            state.carryOutWhenOpen(fault)
            proceed(context)
        case .tls(let fault): carryOut(fault, context)
        }
    }

    private func proceed(_ context: ChannelHandlerContext) {
        tls?.proceed()
        advanceTLS(context)
    }

    private func carryOut(_ fault: WireTLSFault, _ context: ChannelHandlerContext) {
        switch fault {
        case .alert(let alert, .duringHandshake):
            tls?.sendAlertInTheClear(alert)
            fail(state.handshakeProblem(.fault, "a fault answers with the alert \(alert.name)"), context)
        case .alert(let alert, .afterHandshake):
            tls?.endHandshake(with: alert)
            state.sendAlertAfterHandshake(alert)
            proceed(context)
        case .certificate(let certificate):
            let problem = "the fault's certificate (\(certificate.rawValue)) can't be presented"
            guard show(try loop.context(of: certificate), orFailWith: problem, context) else { return }
            tls?.refuseTickets()
            proceed(context)
        case .stall: performTransport(.close(.halfOpen, afterBytes: nil), context)
        case .slow(let time):
            deadline?.cancel()
            deadline = context.schedule(in: TimeAmount(time)) {
                guard self.state.isOpening else { return }
                self.limitHandshake(context)
                self.proceed(context)
                self.sendOutput(context)
            }
        }
    }

    /// Presents the context's certificate for the client's server name; if that isn't possible, the handshake fails.
    private func show(
        _ certificates: @autoclosure () throws -> TLSContext, orFailWith problem: String,
        _ context: ChannelHandlerContext
    ) -> Bool {
        do {
            try tls?.show(certificateOf: certificates())
            return true
        } catch {
            tls?.sendAlertInTheClear(.internalError)
            fail(state.handshakeProblem(.other, "\(problem): \(error)"), context)
            return false
        }
    }
}
