internal import COpenSSL

/// OpenSSL's `SSL_CTX` for the provider's side: TLS 1.2 and 1.3, ALPN `h2`, one CA that is trusted and none
/// besides (`provider-api.md` §1.2).
///
/// Belongs to one event loop, and so do the sessions made from it.
package final class ClientTLSContext {
    private let raw: OpaquePointer

    /// A context that trusts the certificates in `caPEM`.
    ///
    /// - Throws: ``OpenSSLError`` when there is no certificate in it.
    package init(caPEM: [UInt8]) throws(OpenSSLError) {
        ERR_clear_error()
        guard let raw = SSL_CTX_new(TLS_client_method()) else { throw OpenSSLError.drain() }
        do {
            try ClientTLSContext.configure(raw, caPEM)
        } catch {
            SSL_CTX_free(raw)
            throw error
        }
        self.raw = raw
    }

    deinit {
        SSL_CTX_free(raw)
    }

    /// A new `SSL` of this context that will check the peer's certificate for `host`, owned by the caller; `nil`
    /// when memory runs out or `host` can be no name of a certificate.
    func makeSSL(for host: String) -> OpaquePointer? {
        guard let ssl = SSL_new(raw) else { return nil }
        // An address is in another field of a certificate than a name, and SNI has none (RFC 6066 §3).
        let isAddress = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1
        guard isAddress || (SSL_set1_host(ssl, host) == 1 && mynah_SSL_set_tlsext_host_name(ssl, host) == 1) else {
            SSL_free(ssl)
            return nil
        }
        return ssl
    }

    private static func configure(_ raw: OpaquePointer, _ caPEM: [UInt8]) throws(OpenSSLError) {
        guard mynah_SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION) == 1 else { throw OpenSSLError.drain() }
        SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
        // A list of one name, each behind its length (RFC 7301 §3.1).
        let names: [UInt8] = [2] + Array("h2".utf8)
        guard SSL_CTX_set_alpn_protos(raw, names, UInt32(names.count)) == 0 else { throw OpenSSLError.drain() }

        guard let bio = BIO_new_mem_buf(caPEM, Int32(caPEM.count)) else { throw OpenSSLError.drain() }
        defer { BIO_free(bio) }
        let store = SSL_CTX_get_cert_store(raw)
        var count = 0
        while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) {
            defer { X509_free(certificate) }
            guard X509_STORE_add_cert(store, certificate) == 1 else { throw OpenSSLError.drain() }
            count += 1
        }
        guard count > 0 else { throw OpenSSLError.drain() }
        // Reading ends with "no start line" at the end of the text, which is no error.
        ERR_clear_error()
    }
}
