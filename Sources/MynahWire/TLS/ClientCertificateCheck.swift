internal import APNsRules
internal import COpenSSL

/// Has the server judge the certificate of one session's client, instead of OpenSSL, and keeps the verdict
/// (`ProviderAPI#TLS`: a bad certificate fails by its alert, not by HTTP).
///
/// The judge checks signatures, dates and revocation. OpenSSL still checks that the client holds the certificate's key
/// (RFC 8446 §4.4.3).
final class ClientCertificateCheck {
    /// The most certificates of a chain.
    ///
    /// Apple's chains have two or three; a longer one than this is refused as `unknown_ca`. OpenSSL itself accepts at
    /// most 100 KB of them.
    static let certificatesMax = 10

    private let judge: ([[UInt8]]) -> CertificateVerdict
    /// The accepted certificate.
    private(set) var identity: CertificateIdentity?
    /// Why the certificate was refused.
    private(set) var fault: CertificateFault?

    init(_ judge: @escaping ([[UInt8]]) -> CertificateVerdict) {
        self.judge = judge
    }

    /// Attaches the check to a session, which it must outlive.
    func attach(to ssl: OpaquePointer) {
        let address = Unmanaged.passUnretained(self).toOpaque()
        precondition(SSL_set_ex_data(ssl, Self.index, address) == 1, "OpenSSL has no memory for a session's data")
    }

    /// Replaces a context's verification, and keeps sessions with a certificate from being resumed, which would skip it.
    ///
    /// Without a cache on this side, only its ticket holds a session.
    static func install(_ context: OpaquePointer) {
        SSL_CTX_set_cert_verify_callback(context, verifyClientCertificate, nil)
        _ = mynah_SSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
        SSL_CTX_set_session_ticket_cb(context, nil, useTicket, nil)
    }

    // The index that OpenSSL reserves for applications (SSL_set_app_data).
    private static let index: Int32 = 0

    fileprivate static func of(_ ssl: OpaquePointer) -> ClientCertificateCheck? {
        SSL_get_ex_data(ssl, index).map { Unmanaged<ClientCertificateCheck>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The result for OpenSSL, one of its X509_V_ codes.
    fileprivate func result(of chain: [[UInt8]]?) -> Int32 {
        identity = nil
        fault = nil
        guard let chain else {
            return refuse(
                CertificateFault(
                    .unknownCA, "the client sent more than \(ClientCertificateCheck.certificatesMax) certificates"))
        }
        switch judge(chain) {
        case .trusted(let identity):
            self.identity = identity
            return X509_V_OK
        case .refused(let fault): return refuse(fault)
        }
    }

    private func refuse(_ fault: CertificateFault) -> Int32 {
        self.fault = fault
        // OpenSSL translates them back by its ssl_x509err2alert.
        return switch fault.alert {
        case .badCertificate: X509_V_ERR_CERT_REJECTED
        case .unsupportedCertificate: X509_V_ERR_INVALID_PURPOSE
        case .certificateRevoked: X509_V_ERR_CERT_REVOKED
        case .certificateExpired: X509_V_ERR_CERT_HAS_EXPIRED
        case .unknownCA: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
        }
    }
}

/// OpenSSL's verification callback: 1 lets the handshake go on, 0 ends it with the alert of the error that was set.
private func verifyClientCertificate(_ store: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let store,
        let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
        let check = ClientCertificateCheck.of(OpaquePointer(ssl))
    else {
        if let store { X509_STORE_CTX_set_error(store, X509_V_ERR_UNSPECIFIED) }
        return 0
    }
    let result = check.result(of: chain(store))
    X509_STORE_CTX_set_error(store, result)
    return result == X509_V_OK ? 1 : 0
}

/// The certificates that the client sent, DER, its own first; `nil` when there are too many.
private func chain(_ store: OpaquePointer) -> [[UInt8]]? {
    // On the server's side OpenSSL calls all certificates of the client untrusted.
    let certificates = X509_STORE_CTX_get0_untrusted(store)
    let count = mynah_sk_X509_num(certificates)
    guard count <= ClientCertificateCheck.certificatesMax else { return nil }
    return (0..<max(count, 0)).map { index in
        guard let certificate = mynah_sk_X509_value(certificates, index) else { return [] }
        return der(certificate)
    }
}

private func der(_ certificate: OpaquePointer) -> [UInt8] {
    let count = i2d_X509(certificate, nil)
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initializedCount in
        var position = buffer.baseAddress
        initializedCount = Int(max(i2d_X509(certificate, &position), 0))
    }
}

/// OpenSSL's callback for a ticket that a client offers.
private func useTicket(
    _ ssl: OpaquePointer?, _ session: OpaquePointer?, _ keyName: UnsafePointer<UInt8>?, _ keyNameCount: Int,
    _ status: SSL_TICKET_STATUS, _ argument: UnsafeMutableRawPointer?
) -> SSL_TICKET_RETURN {
    switch status {
    case SSL_TICKET_SUCCESS, SSL_TICKET_SUCCESS_RENEW:
        if let session, SSL_SESSION_get0_peer(session) != nil { return SSL_TICKET_RETURN_IGNORE_RENEW }
        if ClientHelloHold.of(ssl)?.refusesTickets == true { return SSL_TICKET_RETURN_IGNORE_RENEW }
        return status == SSL_TICKET_SUCCESS ? SSL_TICKET_RETURN_USE : SSL_TICKET_RETURN_USE_RENEW
    default: return SSL_TICKET_RETURN_IGNORE_RENEW
    }
}
