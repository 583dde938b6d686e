package import APNsRules
internal import COpenSSL
package import NIOCore

/// The result of a completed handshake.
package struct TLSFacts: Sendable, Equatable {
    /// `TLSv1.2` or `TLSv1.3`.
    package let version: String
    /// The cipher suite by OpenSSL's name.
    package let cipher: String
    /// The server name that the client asked for.
    package let serverName: String?
    /// What ALPN chose; `nil` if the client's list has nothing that is spoken, or it sent no list.
    package let applicationProtocol: String?
    /// Whether the client sent an ALPN list without `h2`.
    package let listsNoHTTP2: Bool
    /// The client's accepted certificate; `nil` if it presented none.
    package let clientCertificate: CertificateIdentity?
}

/// A TLS connection without a socket: ciphertext in and out, plaintext in and out.
///
/// Belongs to the loop of its connection. OpenSSL's error queue is empty before each call that may fail.
package struct TLSSession: ~Copyable {
    /// The result of a call.
    package enum Progress {
        /// The operation is complete; for a read with the number of bytes.
        case complete(Int)
        /// More ciphertext is needed first.
        case incomplete
        /// The peer has sent close_notify.
        case closed
        case failed(OpenSSLError)
    }

    private let raw: OpaquePointer
    // The ciphertext's buffers, freed after `raw`, which reads and writes them.
    private let ciphertext: CiphertextBIO
    // Outlives `raw`, which holds its address. `nil` for a client session.
    private let server: ServerHandshake?

    /// A server session, held at its ClientHello until ``proceed()``; `judge` judges the client's certificate.
    init(
        server context: TLSContext, judge: @escaping (_ chain: [[UInt8]]) -> CertificateVerdict
    ) throws(OpenSSLError) {
        ERR_clear_error()
        let raw = try OpenSSLError.require(context.makeSSL())
        let server = ServerHandshake(judge)
        try self.init(owning: raw, server)
        server.attach(to: raw)
        SSL_set_accept_state(raw)
    }

    /// A client session that checks the server's certificate for `host`.
    package init(client context: ClientTLSContext, host: String) throws(OpenSSLError) {
        ERR_clear_error()
        let raw = try OpenSSLError.require(context.makeSSL(for: host))
        try self.init(owning: raw, nil)
        SSL_set_connect_state(raw)
    }

    /// Takes ownership of an `SSL`; frees it if that fails.
    private init(owning raw: OpaquePointer, _ server: ServerHandshake?) throws(OpenSSLError) {
        do throws(OpenSSLError) {
            ciphertext = try CiphertextBIO()
        } catch {
            SSL_free(raw)
            throw error
        }
        SSL_set_bio(raw, ciphertext.raw, ciphertext.raw)
        self.raw = raw
        self.server = server
    }

    deinit { SSL_free(raw) }

    package mutating func receive(_ ciphertext: ByteBuffer) { self.ciphertext.receive(ciphertext) }

    package mutating func handshake() -> Progress {
        ERR_clear_error()
        return progress(SSL_do_handshake(raw))
    }

    /// Decrypts one record into `plaintext`; `.complete` has the number of bytes.
    package mutating func read(into plaintext: inout [UInt8]) -> Progress {
        // OpenSSL would need longer to find out that nothing more has come.
        guard ciphertext.hasInput || SSL_has_pending(raw) == 1 else { return .incomplete }
        TLSSession.clearErrors()
        return progress(plaintext.withUnsafeMutableBytes { SSL_read(raw, $0.baseAddress, Int32($0.count)) })
    }

    /// Encrypts all of `plaintext`, which must not be empty.
    package mutating func write(_ plaintext: RawSpan) -> Progress {
        TLSSession.clearErrors()
        return progress(plaintext.withUnsafeBytes { SSL_write(raw, $0.baseAddress, Int32($0.count)) })
    }

    /// Adds close_notify to the output (RFC 8446 §6.1).
    package mutating func sendCloseNotify() {
        ERR_clear_error()
        SSL_shutdown(raw)
        ERR_clear_error()
    }

    /// Takes the ciphertext for the socket; `nil` if there is none.
    ///
    /// The caller writes it after this has returned: a write that fails calls back into handlers that use the session.
    package mutating func takeOutput() -> ByteBuffer? { ciphertext.takeOutput() }

    /// The result of the handshake; valid after it.
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
            listsNoHTTP2: server?.listsNoHTTP2 ?? false,
            clientCertificate: try? server?.verdict?.get())
    }

    /// Why the server's certificate was refused; valid after a handshake that failed for it.
    var verificationProblem: String { String(cString: X509_verify_cert_error_string(SSL_get_verify_result(raw))) }

    var certificateFault: CertificateFault? {
        if case .failure(let fault) = server?.verdict { fault } else { nil }
    }

    /// Whether the handshake was a resumption, in which no certificate is presented.
    var isResumed: Bool { SSL_session_reused(raw) == 1 }

    /// Removes from OpenSSL's error queue what other calls of this thread have left in it.
    ///
    /// Asks first, because clearing it takes twice as long, and it is nearly always empty.
    private static func clearErrors() { if ERR_peek_error() != 0 { ERR_clear_error() } }

    private func progress(_ result: Int32) -> Progress {
        if result > 0 { return .complete(Int(result)) }
        switch SSL_get_error(raw, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE, SSL_ERROR_WANT_CLIENT_HELLO_CB: return .incomplete
        case SSL_ERROR_ZERO_RETURN: return .closed
        default: return .failed(OpenSSLError.drain())
        }
    }

    // MARK: The ClientHello, and faults (`Documents#Actions`)

    /// Whether the server's handshake is held: its ClientHello has been read.
    var isHeld: Bool { server?.isHeld ?? false }
    var requestedName: String? { server?.serverName }
    /// What the client offers, as a hash: the same for each connection of one library with one configuration.
    var clientKind: Int? { server?.clientKind }
    /// Continues the handshake, or keeps it from being held.
    func proceed() { server?.release() }

    /// Lets ALPN choose `http/1.1`, and asks for no client certificate; only while the handshake is held.
    func offerHTTP1() {
        server?.offersHTTP1 = true
        SSL_set_verify(raw, SSL_VERIFY_NONE, nil)
    }

    /// Presents the context's certificate for the server name of the ClientHello; only while the handshake is held.
    func show(certificateOf context: TLSContext) throws(OpenSSLError) {
        ERR_clear_error()
        guard context.adopt(raw, serverName: requestedName) else { throw OpenSSLError.drain() }
    }

    /// Refuses to resume a session, in which no certificate would be presented; only while the handshake is held.
    func refuseTickets() { server?.refusesTickets = true }

    /// Adds an unencrypted alert to the output, as an answer to a ClientHello (RFC 8446 §5.1, §6).
    func sendAlertInTheClear(_ alert: TLSAlert) {
        ciphertext.send(TLSRecord.alertHead + [0, UInt8(alert.bytes.count)] + alert.bytes)
    }

    /// Ends the handshake with an alert after both sides' Finished; only while the handshake is held.
    ///
    /// OpenSSL sends it in TLS 1.3, and the handshake then fails. ``sendAlert(_:)`` sends it in TLS 1.2, with fewer
    /// suites.
    func endHandshake(with alert: TLSAlert) {
        guard alert != .closeNotify else { return }
        server?.alertInPlaceOfTicket = alert
        ERR_clear_error()
        SSL_set_cipher_list(raw, TLS12AlertRecord.suites)
        ERR_clear_error()
    }

    /// Adds an alert to the output, the only record after TLS 1.2's Finished; ``sendCloseNotify()`` sends close_notify.
    func sendAlert(_ alert: TLSAlert) {
        guard alert != .closeNotify, let record = TLS12AlertRecord.bytes(alert, raw) else { return }
        ciphertext.send(record)
        SSL_set_quiet_shutdown(raw, 1)
    }
}
