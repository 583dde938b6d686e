internal import APNsRules
internal import NIOCore

/// The beginning of TLS, as it should be or as a fault has it.
extension ConnectionHandler {
    /// Closes a connection that takes too long from now on to shake hands.
    func limitHandshake(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limits.handshakeTimeout) {
            // A handshake that nobody is to answer does not take too long.
            guard context.transport?.isSilent != true, self.lifecycle.handshakeTimedOut() == .close else { return }
            self.responder.connectionFailed(self.handshakeFailed(.timedOut, "the client did not finish it in time"))
            context.close(promise: nil)
        }
    }

    /// The problem of a handshake that failed; a fault that acts on it is the cause, whatever the client does then.
    func handshakeFailed(_ cause: HandshakeFailure.Cause, _ detail: String) -> ConnectionProblem {
        .handshakeFailed(HandshakeFailure(isHandshakeFaulted ? .fault : cause, detail))
    }

    /// Reports a client that leaves in the middle of the handshake.
    ///
    /// Those that have sent nothing only look whether the port is open; those that a fault keeps waiting have a reason.
    func reportHangUp() {
        guard lifecycle.isHandshaking, traffic.bytesIn > 0, !isHandshakeFaulted else { return }
        responder.connectionFailed(handshakeFailed(.hungUp, "the client hung up"))
    }

    /// Asks what becomes of a connection whose ClientHello has just been read, and has it become that.
    func helloArrived(_ context: ChannelHandlerContext) {
        guard let hello = tls?.heldHello else { return }
        guard !isHelloJudged else { return limitHeldBytes(context) }
        isHelloJudged = true
        do {
            try tls?.show(certificateOf: loop.tls)
        } catch {
            return failWithoutCertificate("the server's certificate can't be shown: \(error)", context)
        }
        let answer = responder.handshakeBegins(serverName: hello.serverName)
        if answer != .proceed { isHandshakeFaulted = true }
        switch answer {
        case .proceed: proceed(context)
        case .act(let act):
            openingActs.append(act)
            proceed(context)
        case .tls(let fault): fail(by: fault, context)
        }
    }

    private func proceed(_ context: ChannelHandlerContext) {
        tls?.proceed()
        advanceTLS(context)
    }

    private func fail(by fault: WireTLSFault, _ context: ChannelHandlerContext) {
        switch fault {
        case .alert(let alert, .duringHandshake):
            tls?.sendAlertInTheClear(alert)
            fail(handshakeFailed(.fault, "a fault answers with the alert \(alert.name)"), context)
        case .alert(let alert, .afterHandshake):
            tls?.endHandshake(with: alert)
            alertBehindHandshake = alert
            proceed(context)
        case .certificate(let certificate):
            do {
                try tls?.show(certificateOf: loop.context(of: certificate))
            } catch {
                return failWithoutCertificate("no certificate \(certificate.rawValue): \(error)", context)
            }
            tls?.refuseTickets()
            proceed(context)
        case .stall: performTransport(.close(.halfOpen, afterBytes: nil), context)
        case .slow(let time): proceedLater(time, context)
        }
    }

    private func failWithoutCertificate(_ problem: String, _ context: ChannelHandlerContext) {
        tls?.sendAlertInTheClear(.internalError)
        fail(handshakeFailed(.other, problem), context)
    }

    /// Goes on with the handshake so much later; from then on it has the usual time.
    private func proceedLater(_ time: Duration, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
            guard self.lifecycle.isHandshaking else { return }
            self.limitHandshake(context)
            self.proceed(context)
            self.sendOutput(context)
        }
    }

    /// Cuts a client off that goes on and on although nothing has been answered.
    private func limitHeldBytes(_ context: ChannelHandlerContext) {
        guard traffic.bytesIn > limits.heldBytesMax else { return }
        fail(handshakeFailed(.other, "the client sent \(traffic.bytesIn) bytes and had no answer yet"), context)
    }

    /// Sends the alert that a fault has wanted behind the handshake, and closes; `false` when none has.
    func sendAlertBehindHandshake(_ context: ChannelHandlerContext) -> Bool {
        guard let alert = alertBehindHandshake else { return false }
        tls?.sendAlert(alert)
        fail(handshakeFailed(.fault, "a fault sends the alert \(alert.name) behind the handshake"), context)
        return true
    }
}
