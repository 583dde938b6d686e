package import APNsRules
internal import NIOCore

/// What the connections of one event loop share: OpenSSL's context and buffers.
package final class WireLoop {
    let tls: TLSContext
    // Contexts with the certificates that a fault presents instead of the server's, each made when first needed.
    private let substitute: ((WireTLSFault.Certificate) throws -> TLSIdentity)?
    private var substitutes: [WireTLSFault.Certificate: TLSContext] = [:]
    /// The buffer for decrypted plaintext, one TLS record at a time (RFC 8446 §5.1: at most 16,384 bytes).
    var plaintext = [UInt8](repeating: 0, count: 16_384)
    /// The buffer for a connection's output before encryption.
    var output: [UInt8] = []
    let frameBuffer = FrameBuffer()
    package let readBuffer = ReadBuffer()
    package var latency = LatencyHistogram()

    /// Bytes of incomplete requests on the loop's connections without an accepted request.
    var heldBytesBeforeTrust = 0

    /// Connections whose requests wait for another turn, longest-waiting first, possibly with connections that have
    /// ended.
    private var waiting = CircularBuffer<(connection: ConnectionHandler, context: ChannelHandlerContext)>()
    private var isTurnScheduled = false

    /// The pause before a turn, because the loop runs all due tasks before it polls its sockets.
    private static let turnPause = TimeAmount.microseconds(50)

    /// The pause before a turn of a connection that is busy: about the time in which a disk writes a batch.
    private static let busyPause = TimeAmount.milliseconds(1)

    /// The most bytes of ``output`` that are kept for the next connection.
    static let outputBytesKept = 256 * 1024

    /// `substitute` makes a certificate for a fault to present instead; without it, the handshake fails.
    package init(
        _ identity: TLSIdentity, substitute: ((WireTLSFault.Certificate) throws -> TLSIdentity)? = nil
    ) throws(OpenSSLError) {
        self.tls = try TLSContext(identity)
        self.substitute = substitute
        output.reserveCapacity(64 * 1024)
    }

    func scheduleTurn(of connection: ConnectionHandler, _ context: ChannelHandlerContext) {
        waiting.append((connection, context))
        scheduleTurn(context)
    }

    private func scheduleTurn(_ context: ChannelHandlerContext) {
        guard !isTurnScheduled, let next = waiting.first else { return }
        isTurnScheduled = true
        context.schedule(in: next.connection.isBusy ? WireLoop.busyPause : WireLoop.turnPause) {
            self.isTurnScheduled = false
            while let (connection, context) = self.waiting.popFirst() {
                guard connection.awaitsTurn else { continue }
                connection.runTurn(context)
                break
            }
            self.scheduleTurn(context)
        }
    }

    func context(of certificate: WireTLSFault.Certificate) throws -> TLSContext {
        if let made = substitutes[certificate] { return made }
        guard let substitute else { throw OpenSSLError(lines: ["no \(certificate.rawValue) certificate was provided"]) }
        let made = try TLSContext(substitute(certificate))
        substitutes[certificate] = made
        return made
    }
}
