internal import APNsRules
internal import COpenSSL

/// The server's decisions in the handshake of one session, for OpenSSL's callbacks, which only record and answer.
///
/// Holds the handshake once its ClientHello has been read, until ``release()``, so that the server can choose how it
/// proceeds. Has the server judge the client's certificate instead of OpenSSL (`ProviderAPI#TLS`: a bad certificate
/// fails by its alert, not by HTTP): signatures, dates and revocation. OpenSSL still checks that the client holds the
/// certificate's key (RFC 8446 §4.4.3).
final class ServerHandshake {
    private enum State { case awaitsHello, held, released }

    /// The most certificates of a chain; Apple's have two or three, and a longer one is refused as `unknown_ca`.
    private static let certificatesMax = 10
    /// The number of an extension for private use (RFC 8446 §11).
    private static let privateExtension: UInt32 = 0xFF4D
    /// The index that OpenSSL reserves for applications (SSL_set_app_data).
    private static let dataIndex: Int32 = 0

    /// Asks the server for its verdict on a client certificate (``PushResponder/judgeCertificate(_:)``).
    private let judge: ([[UInt8]]) -> CertificateVerdict
    private var state = State.awaitsHello
    private(set) var serverName: String?
    /// What the client offers, as a hash: the same for each connection of one library with one configuration.
    private(set) var clientKind: Int?
    /// The verdict on the client's certificate; `nil` if it presented none.
    private(set) var verdict: CertificateVerdict?
    /// Whether the client's ALPN list has no `h2`.
    private(set) var listsNoHTTP2 = false
    /// Whether ALPN may choose `http/1.1`.
    var offersHTTP1 = false
    /// The alert to send instead of the first session ticket, which OpenSSL makes after the client's Finished.
    var alertInPlaceOfTicket: TLSAlert?
    /// Whether the client's ticket is refused, because no certificate is presented in a resumption.
    var refusesTickets = false

    init(_ judge: @escaping ([[UInt8]]) -> CertificateVerdict) { self.judge = judge }

    /// Attaches the decisions to a session, which they must outlive.
    func attach(to ssl: OpaquePointer) {
        let address = Unmanaged.passUnretained(self).toOpaque()
        precondition(SSL_set_ex_data(ssl, Self.dataIndex, address) == 1, "OpenSSL has no memory for a session's data")
    }

    private static func of(_ ssl: OpaquePointer?) -> ServerHandshake? {
        guard let ssl, let address = SSL_get_ex_data(ssl, dataIndex) else { return nil }
        return Unmanaged<ServerHandshake>.fromOpaque(address).takeUnretainedValue()
    }

    /// Records that a session's client sent an ALPN list without `h2`.
    static func recordListWithoutHTTP2(_ ssl: OpaquePointer?) { of(ssl)?.listsNoHTTP2 = true }

    /// Whether ALPN may choose `http/1.1` for a session.
    static func offersHTTP1(_ ssl: OpaquePointer?) -> Bool { of(ssl)?.offersHTTP1 ?? false }

    static func install(_ context: OpaquePointer) throws(OpenSSLError) {
        // OpenSSL has read the ClientHello and not processed it.
        SSL_CTX_set_client_hello_cb(
            context,
            { ssl, _, _ in
                guard let ssl, let handshake = ServerHandshake.of(ssl) else { return SSL_CLIENT_HELLO_SUCCESS }
                return handshake.helloArrived(ssl)
            }, nil)
        // 1 continues the handshake, 0 ends it with the alert of the error that was set.
        SSL_CTX_set_cert_verify_callback(
            context,
            { store, _ in
                guard let store else { return 0 }
                let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx())
                let handshake = ServerHandshake.of(ssl.map { OpaquePointer($0) })
                let result = handshake?.result(of: ServerHandshake.chain(store)) ?? X509_V_ERR_UNSPECIFIED
                X509_STORE_CTX_set_error(store, result)
                return result == X509_V_OK ? 1 : 0
            }, nil)
        // The server-side cache is off, so that only a ticket can resume a session.
        _ = mynah_SSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
        // A session with a certificate isn't resumed, which would skip the verification.
        SSL_CTX_set_session_ticket_cb(
            context, nil,
            { ssl, session, _, _, status, _ in
                guard status == SSL_TICKET_SUCCESS || status == SSL_TICKET_SUCCESS_RENEW,
                    session.map({ SSL_SESSION_get0_peer($0) == nil }) ?? true,
                    ServerHandshake.of(ssl)?.refusesTickets != true
                else { return SSL_TICKET_RETURN_IGNORE_RENEW }
                return status == SSL_TICKET_SUCCESS ? SSL_TICKET_RETURN_USE : SSL_TICKET_RETURN_USE_RENEW
            }, nil)
        // Only an extension of NewSessionTicket, never sent, lets us choose an alert after a TLS 1.3 client's Finished.
        let contexts = UInt32(SSL_EXT_TLS1_3_ONLY | SSL_EXT_TLS1_3_NEW_SESSION_TICKET)
        try OpenSSLError.check(
            SSL_CTX_add_custom_ext(
                context, privateExtension, contexts,
                { ssl, _, _, _, _, _, _, alert, _ in
                    // 0 leaves the extension out, -1 ends the connection with the alert.
                    guard let chosen = ServerHandshake.of(ssl)?.alertInPlaceOfTicket else { return 0 }
                    alert?.pointee = Int32(chosen.rawValue)
                    return -1
                }, nil, nil, nil, nil))
    }

    /// Whether the handshake waits for ``release()``: its ClientHello has been read.
    var isHeld: Bool { state == .held }
    /// Continues the handshake, or keeps it from being held.
    func release() { state = .released }

    /// The result for OpenSSL; after a HelloRetryRequest the same client sends a second ClientHello.
    private func helloArrived(_ ssl: OpaquePointer) -> Int32 {
        guard state != .released else { return SSL_CLIENT_HELLO_SUCCESS }
        if state == .awaitsHello {
            serverName = ServerHandshake.serverName(ssl)
            clientKind = ServerHandshake.clientKind(ssl)
        }
        state = .held
        return SSL_CLIENT_HELLO_RETRY
    }

    /// The extensions whose contents are the same in each ClientHello of a library: groups, signature algorithms, ALPN,
    /// versions.
    private static let constantExtensions = [
        TLSEXT_TYPE_supported_groups, TLSEXT_TYPE_signature_algorithms,
        TLSEXT_TYPE_application_layer_protocol_negotiation, TLSEXT_TYPE_supported_versions,
    ]

    private static func clientKind(_ ssl: OpaquePointer) -> Int {
        var hasher = Hasher()
        var start: UnsafePointer<UInt8>?
        var count = SSL_client_hello_get0_ciphers(ssl, &start)
        hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
        for type in constantExtensions where SSL_client_hello_get0_ext(ssl, UInt32(type), &start, &count) == 1 {
            hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
        }
        return hasher.finalize()
    }

    /// The first name of the extension (RFC 6066 §3); OpenSSL refuses a malformed one when the handshake continues.
    private static func serverName(_ ssl: OpaquePointer) -> String? {
        var start: UnsafePointer<UInt8>?
        var count = 0
        guard SSL_client_hello_get0_ext(ssl, UInt32(TLSEXT_TYPE_server_name), &start, &count) == 1 else { return nil }
        let bytes = UnsafeBufferPointer(start: start, count: count)
        // The list's length, the name's type and its length.
        guard bytes.count > 5, bytes[2] == UInt8(TLSEXT_NAMETYPE_host_name) else { return nil }
        let length = Int(bytes[3]) << 8 | Int(bytes[4])
        guard length > 0, bytes.count >= 5 + length else { return nil }
        return String(decoding: bytes[5..<(5 + length)], as: UTF8.self)
    }

    /// The result for OpenSSL, one of its X509_V_ codes; the chain is DER, or `nil` if it is too long.
    private func result(of chain: [[UInt8]]?) -> Int32 {
        let verdict =
            chain.map(judge)
            ?? .failure(CertificateFault(.unknownCA, "the client sent more than \(Self.certificatesMax) certificates"))
        self.verdict = verdict
        guard case .failure(let fault) = verdict else { return X509_V_OK }
        // OpenSSL's ssl_x509err2alert translates them back.
        return switch fault.alert {
        case .badCertificate: X509_V_ERR_CERT_REJECTED
        case .unsupportedCertificate: X509_V_ERR_INVALID_PURPOSE
        case .certificateRevoked: X509_V_ERR_CERT_REVOKED
        case .certificateExpired: X509_V_ERR_CERT_HAS_EXPIRED
        case .unknownCA: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
        }
    }

    /// The certificates that the client sent, DER, its own first; `nil` if there are too many.
    private static func chain(_ store: OpaquePointer) -> [[UInt8]]? {
        // On the server's side OpenSSL calls all of the client's certificates untrusted.
        let certificates = X509_STORE_CTX_get0_untrusted(store)
        let count = mynah_sk_X509_num(certificates)
        guard count <= certificatesMax else { return nil }
        return (0..<max(count, 0)).map { mynah_sk_X509_value(certificates, $0).map(der) ?? [] }
    }

    private static func der(_ certificate: OpaquePointer) -> [UInt8] {
        let count = i2d_X509(certificate, nil)
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initializedCount in
            var position = buffer.baseAddress
            initializedCount = Int(max(i2d_X509(certificate, &position), 0))
        }
    }
}
