import COpenSSL
import MynahWire

/// A TLS client on OpenSSL, in memory, that can misbehave.
final class TestClient {
    /// The versions that the server speaks.
    enum Version: Int32, CaseIterable, Sendable {
        case tls12 = 0x0303
        case tls13 = 0x0304
    }

    /// A client's saved session.
    final class Session {
        fileprivate let raw: OpaquePointer
        fileprivate init(_ raw: OpaquePointer) { self.raw = raw }
        deinit { SSL_SESSION_free(raw) }
    }

    private let context: OpaquePointer
    private let ssl: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    /// The number of the alert that ended the handshake (RFC 8446 §6).
    private(set) var alert: Int32?
    private(set) var isConnected = false
    /// What the server has sent, decrypted.
    private(set) var received: [UInt8] = []
    /// Whether the server has sent close_notify.
    private(set) var hasEnded = false

    init?(
        _ version: Version, showsCertificate: Bool, resuming session: Session? = nil, serverName: String? = nil,
        protocols: [String] = []
    ) {
        guard let context = SSL_CTX_new(TLS_client_method()) else { return nil }
        self.context = context
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(version.rawValue), nil)
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version.rawValue), nil)
        guard let ssl = SSL_new(context), let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            SSL_CTX_free(context)
            return nil
        }
        self.ssl = ssl
        self.input = input
        self.output = output
        mynah_BIO_set_mem_eof_return(input, -1)
        SSL_set_bio(ssl, input, output)
        SSL_set_connect_state(ssl)
        if showsCertificate {
            guard let certificate = TestIdentity.certificate, let key = TestIdentity.key else { return nil }
            SSL_use_certificate(ssl, certificate)
            SSL_use_PrivateKey(ssl, key)
            X509_free(certificate)
            EVP_PKEY_free(key)
        }
        if let session { SSL_set_session(ssl, session.raw) }
        let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !list.isEmpty, SSL_set_alpn_protos(ssl, list, UInt32(list.count)) != 0 { return nil }
        if let serverName, mynah_SSL_set_tlsext_host_name(ssl, serverName) != 1 { return nil }
    }

    deinit {
        // OpenSSL doesn't resume a session whose connection was freed before it was shut down.
        SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN)
        SSL_free(ssl)
        SSL_CTX_free(context)
    }

    /// Whether the server resumed the saved session.
    var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    /// The session to resume later; a TLS 1.3 ticket must have been read.
    var session: Session? { SSL_get1_session(ssl).map { Session($0) } }

    /// The server's own certificate, DER.
    var serverCertificate: [UInt8] {
        guard let certificate = SSL_get1_peer_certificate(ssl) else { return [] }
        defer { X509_free(certificate) }
        var der = [UInt8](repeating: 0, count: Int(max(i2d_X509(certificate, nil), 0)))
        der.withUnsafeMutableBufferPointer { buffer in
            var position = buffer.baseAddress
            i2d_X509(certificate, &position)
        }
        return der
    }

    /// Asks for a new handshake on the open connection (RFC 5246 §7.4.1.1).
    func renegotiate() {
        ERR_clear_error()
        SSL_renegotiate(ssl)
        SSL_do_handshake(ssl)
    }

    /// Continues the handshake, or reads the bytes after it.
    func advance() {
        ERR_clear_error()
        var plaintext = [UInt8](repeating: 0, count: 1024)
        let result = isConnected ? SSL_read(ssl, &plaintext, 1024) : SSL_do_handshake(ssl)
        if !isConnected, result == 1 {
            isConnected = true
            return
        }
        if isConnected, result > 0 {
            received += plaintext.prefix(Int(result))
            return advance()
        }
        if SSL_get_error(ssl, result) == SSL_ERROR_ZERO_RETURN { hasEnded = true }
        guard SSL_get_error(ssl, result) == SSL_ERROR_SSL else { return }
        // A peer's alert is an error whose reason is 1000 plus the alert's number.
        let reason = ERR_GET_REASON(ERR_peek_error())
        if reason >= 1000 { alert = reason - 1000 }
    }

    /// Encrypts bytes, as a client that believes it is connected.
    func send(_ bytes: [UInt8]) {
        ERR_clear_error()
        SSL_write(ssl, bytes, Int32(bytes.count))
    }

    func receive(_ ciphertext: [UInt8]) {
        BIO_write(input, ciphertext, Int32(ciphertext.count))
    }

    /// The ciphertext for the server.
    func takeOutput() -> [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        let count = mynah_BIO_get_mem_data(output, &start)
        guard count > 0, let start else { return [] }
        let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
        mynah_BIO_reset(output)
        return bytes
    }
}

/// A self-signed certificate for both sides; these tests don't check who signed it.
enum TestIdentity {
    static let identity = with(ticketKeys: nil)

    /// The identity with ticket keys that several contexts share.
    static func with(ticketKeys: TLSTicketKeys?) -> TLSIdentity {
        TLSIdentity(
            chainPEM: Array(certificatePEM.utf8), keyPEM: Array(keyPEM.utf8), clientCAsPEM: Array(certificatePEM.utf8),
            ticketKeys: ticketKeys)
    }

    /// The certificate; the caller frees it.
    static var certificate: OpaquePointer? { read(certificatePEM) { PEM_read_bio_X509($0, nil, nil, nil) } }

    /// Its key; the caller frees it.
    static var key: OpaquePointer? { read(keyPEM) { PEM_read_bio_PrivateKey($0, nil, nil, nil) } }

    private static func read(_ pem: String, _ body: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        let bytes = Array(pem.utf8)
        guard let bio = BIO_new_mem_buf(bytes, Int32(bytes.count)) else { return nil }
        defer { BIO_free(bio) }
        return body(bio)
    }

    private static let keyPEM = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5G8e2jlsosJFxcAX
        3nSWnmsuRE1LvAp3SGsNrbnMWtChRANCAASpY5Qz4vDTxPOBvy1JrkAvDjeng7m9
        bQ70+0bZhx26qjCOxxT9Xk5S0rSLdOz8vCfhYYnqxFTnZs3Ee9djTokl
        -----END PRIVATE KEY-----
        """

    private static let certificatePEM = """
        -----BEGIN CERTIFICATE-----
        MIIBdTCCARugAwIBAgIUO1wnkq2CUCDRnaSKsh98+8cUaRkwCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEVGVzdDAgFw0yNjExMjExMTU4NDdaGA8yMTI2MTAyODExNTg0
        N1owDzENMAsGA1UEAwwEVGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKlj
        lDPi8NPE84G/LUmuQC8ON6eDub1tDvT7RtmHHbqqMI7HFP1eTlLStIt07Py8J+Fh
        ierEVOdmzcR712NOiSWjUzBRMB0GA1UdDgQWBBRYJ1uSihYk9DsSY1q7GnTVMWQ7
        YDAfBgNVHSMEGDAWgBRYJ1uSihYk9DsSY1q7GnTVMWQ7YDAPBgNVHRMBAf8EBTAD
        AQH/MAoGCCqGSM49BAMCA0gAMEUCIQD6cPjDhRfFSsZOeLHt3oSnEg+W/hhUqAtw
        Qv3pqF6xrgIgW0uupja+jgXKRLm5gB2m2xgFrS11T3DV3PreyYhvsTA=
        -----END CERTIFICATE-----
        """
}
