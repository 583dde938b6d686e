/// What all connections of one event loop share: OpenSSL's context and two buffers that each uses in turn.
///
/// Not `Sendable`: it belongs to its loop.
package final class WireLoop {
    /// OpenSSL's context for the server side.
    let tls: TLSContext
    /// Where plaintext is decrypted to; one TLS record at a time (RFC 8446 §5.1: at most 16,384 bytes).
    var plaintext = [UInt8](repeating: 0, count: 16_384)
    /// Where a connection's output is gathered before it is encrypted.
    var output: [UInt8] = []
    /// How long the replies of its connections took.
    package var latency = LatencyHistogram()

    /// The most bytes of ``output`` that are kept for the next connection.
    static let outputBytesKept = 256 * 1024

    /// The shared things of one loop.
    ///
    /// - Throws: ``OpenSSLError`` when the identity can't be used.
    package init(_ identity: TLSIdentity) throws(OpenSSLError) {
        self.tls = try TLSContext(identity)
        output.reserveCapacity(64 * 1024)
    }
}
