package import APNsRules
internal import COpenSSL
internal import NIOCore

/// What a completed handshake agreed on.
package struct TLSFacts: Sendable, Equatable {
    /// `TLSv1.2` or `TLSv1.3`.
    package let version: String
    /// The cipher suite by OpenSSL's name.
    package let cipher: String
    /// The server name that the client asked for.
    package let serverName: String?
    /// `h2`, or `nil` when the client sent no ALPN.
    package let applicationProtocol: String?
    /// The client's accepted certificate; `nil` when it showed none.
    package let clientCertificate: CertificateIdentity?
}

/// One TLS connection over two memory BIOs: ciphertext in and out, plaintext in and out, no socket.
///
/// Belongs to the loop of its connection. Clears OpenSSL's error queue before and drains it after each call
/// that may fail.
package struct TLSSession: ~Copyable {
    /// The result of a call.
    package enum Progress {
        /// Done; a read has this many bytes.
        case complete(Int)
        /// More ciphertext is needed first.
        case incomplete
        /// The peer has sent close_notify.
        case closed
        /// The session is over.
        case failed(OpenSSLError)
    }

    let raw: OpaquePointer
    // Owned by `raw`, and freed with it.
    private let input: OpaquePointer
    let output: OpaquePointer
    // `raw` refers to both by their addresses, so they outlive it.
    private let check: ClientCertificateCheck?
    let hold: ClientHelloHold?

    /// A server session; `judge` judges the client's certificate, at most once.
    ///
    /// Its handshake is held once the ClientHello has been read, until ``proceed()``.
    /// - Throws: ``OpenSSLError`` when memory runs out.
    package init(
        server context: TLSContext, judge: @escaping (_ chain: [[UInt8]]) -> CertificateVerdict
    ) throws(OpenSSLError) {
        ERR_clear_error()
        guard let raw = context.makeSSL() else { throw OpenSSLError.drain() }
        let check = ClientCertificateCheck(judge)
        let hold = ClientHelloHold()
        try self.init(owning: raw, check: check, hold: hold)
        check.attach(to: raw)
        hold.attach(to: raw)
        SSL_set_accept_state(raw)
    }

    /// A client session that checks the server's certificate for `host`.
    ///
    /// - Throws: ``OpenSSLError`` when memory runs out or `host` can't be a name in a certificate.
    package init(client context: ClientTLSContext, host: String) throws(OpenSSLError) {
        ERR_clear_error()
        guard let raw = context.makeSSL(for: host) else { throw OpenSSLError.drain() }
        try self.init(owning: raw, check: nil, hold: nil)
        SSL_set_connect_state(raw)
    }

    /// Takes over an `SSL`, and frees it when that fails.
    private init(
        owning raw: OpaquePointer, check: ClientCertificateCheck?, hold: ClientHelloHold?
    ) throws(OpenSSLError) {
        guard let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            SSL_free(raw)
            throw OpenSSLError.drain()
        }
        // An empty input means "not yet", never "the end".
        mynah_BIO_set_mem_eof_return(input, -1)
        SSL_set_bio(raw, input, output)
        self.raw = raw
        self.input = input
        self.output = output
        self.check = check
        self.hold = hold
    }

    deinit {
        SSL_free(raw)
    }

    /// Takes in ciphertext from the socket.
    package mutating func receive(_ ciphertext: RawSpan) {
        ciphertext.withUnsafeBytes { bytes in
            // A memory BIO takes everything unless memory has run out.
            let written = BIO_write(input, bytes.baseAddress, Int32(bytes.count))
            precondition(written == bytes.count, "OpenSSL took \(written) of \(bytes.count) bytes into memory")
        }
    }

    /// Goes on with the handshake.
    package mutating func handshake() -> Progress {
        ERR_clear_error()
        return progress(SSL_do_handshake(raw))
    }

    /// Decrypts one record into `plaintext`; `.complete` has the number of bytes.
    package mutating func read(into plaintext: inout [UInt8]) -> Progress {
        ERR_clear_error()
        let count = plaintext.withUnsafeMutableBytes { SSL_read(raw, $0.baseAddress, Int32($0.count)) }
        return progress(count)
    }

    /// Encrypts all of `plaintext`, which must not be empty.
    package mutating func write(_ plaintext: RawSpan) -> Progress {
        ERR_clear_error()
        let count = plaintext.withUnsafeBytes { SSL_write(raw, $0.baseAddress, Int32($0.count)) }
        return progress(count)
    }

    /// Adds close_notify to the output (RFC 8446 §6.1).
    package mutating func sendCloseNotify() {
        ERR_clear_error()
        SSL_shutdown(raw)
        ERR_clear_error()
    }

    /// Lends the ciphertext for the socket to `body`, if there is any, and then drops it.
    package mutating func withOutput(_ body: (RawSpan) -> Void) {
        var start: UnsafeMutablePointer<CChar>?
        let count = mynah_BIO_get_mem_data(output, &start)
        guard count > 0, let start else { return }
        body(UnsafeRawBufferPointer(start: start, count: count).bytes)
        mynah_BIO_reset(output)
    }

    /// Takes the ciphertext for the socket; `nil` when there is none.
    ///
    /// The caller writes it after this has returned: a write that fails calls back into handlers that use the session.
    mutating func takeOutput(_ allocator: ByteBufferAllocator) -> ByteBuffer? {
        var buffer: ByteBuffer?
        withOutput { ciphertext in
            var copy = allocator.buffer(capacity: ciphertext.byteCount)
            ciphertext.withUnsafeBytes { _ = copy.writeBytes($0) }
            buffer = copy
        }
        return buffer
    }

    /// What the handshake agreed on; valid after it.
    package var facts: TLSFacts {
        var protocolStart: UnsafePointer<UInt8>?
        var protocolCount: UInt32 = 0
        SSL_get0_alpn_selected(raw, &protocolStart, &protocolCount)
        let applicationProtocol = UnsafeBufferPointer(start: protocolStart, count: Int(protocolCount))
        return TLSFacts(
            version: String(cString: SSL_get_version(raw)),
            cipher: SSL_CIPHER_get_name(SSL_get_current_cipher(raw)).map { String(cString: $0) } ?? "",
            serverName: SSL_get_servername(raw, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) },
            applicationProtocol: applicationProtocol.isEmpty
                ? nil : String(decoding: applicationProtocol, as: UTF8.self),
            clientCertificate: check?.identity)
    }

    /// Why the client's certificate was refused.
    package var certificateFault: CertificateFault? { check?.fault }

    /// Whether the handshake was a resumption, in which no certificate is shown.
    package var isResumed: Bool { SSL_session_reused(raw) == 1 }

    private func progress(_ result: Int32) -> Progress {
        if result > 0 { return .complete(Int(result)) }
        switch SSL_get_error(raw, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE, SSL_ERROR_WANT_CLIENT_HELLO_CB: return .incomplete
        case SSL_ERROR_ZERO_RETURN: return .closed
        default: return .failed(OpenSSLError.drain())
        }
    }
}
