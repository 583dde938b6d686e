internal import COpenSSL

/// The owner of one `SSL_CTX`: a certificate and its key, and trusted CAs, for either side of TLS.
struct SSLContext: ~Copyable {
    /// The list of protocols for ALPN: only `h2`, after its length (RFC 7301 §3.1).
    static let protocols: [UInt8] = [2] + Array("h2".utf8)
    /// The protocols of a service that speaks HTTP/1.1 too; the client's order decides.
    static let protocolsWithHTTP1: [UInt8] = protocols + [8] + Array("http/1.1".utf8)

    let raw: OpaquePointer

    /// A context for TLS 1.2 and later (`ProviderAPI#TLS`), by `TLS_client_method()` or `TLS_server_method()`.
    init(_ method: OpaquePointer?) throws(OpenSSLError) {
        ERR_clear_error()
        let raw = try OpenSSLError.require(SSL_CTX_new(method))
        guard mynah_SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION) == 1 else {
            SSL_CTX_free(raw)
            throw OpenSSLError.drain()
        }
        self.raw = raw
    }

    deinit { SSL_CTX_free(raw) }

    /// Presents a chain in handshakes; the text has the certificate first, then its intermediates.
    func useChain(_ pem: [UInt8]) throws(OpenSSLError) {
        var isFirst = true
        let count = try forEachCertificate(in: pem) { certificate in
            defer { isFirst = false }
            if isFirst { return SSL_CTX_use_certificate(raw, certificate) }
            X509_up_ref(certificate)
            let result = mynah_SSL_CTX_add_extra_chain_cert(raw, certificate)
            if result != 1 { X509_free(certificate) }
            return result
        }
        if count == 0 { throw OpenSSLError.drain() }
    }

    /// Signs handshakes with a key, which must belong to the certificate and not be encrypted.
    func useKey(_ pem: [UInt8]) throws(OpenSSLError) {
        let bio = try OpenSSLError.require(BIO_new_mem_buf(pem, Int32(pem.count)))
        defer { BIO_free(bio) }
        // The callback refuses; without it OpenSSL would ask for an encrypted key's password on the terminal.
        let key = try OpenSSLError.require(PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil))
        defer { EVP_PKEY_free(key) }
        try useKey(key)
    }

    /// Signs handshakes with the key of another context, which must belong to the certificate.
    func useKey(of other: borrowing SSLContext) throws(OpenSSLError) {
        try useKey(try OpenSSLError.require(SSL_CTX_get0_privatekey(other.raw)))
    }

    private func useKey(_ key: OpaquePointer) throws(OpenSSLError) {
        try OpenSSLError.check(SSL_CTX_use_PrivateKey(raw, key))
        try OpenSSLError.check(SSL_CTX_check_private_key(raw))
    }

    /// Trusts the CAs of a PEM text; returns how many there are.
    func trust(_ pem: [UInt8]) throws(OpenSSLError) -> Int {
        try forEachCertificate(in: pem) { X509_STORE_add_cert(SSL_CTX_get_cert_store(raw), $0) }
    }

    /// Names the CAs of a PEM text in the request for a certificate (RFC 8446 §4.2.4), so that clients with several
    /// certificates can choose.
    func nameClientCAs(_ pem: [UInt8]) throws(OpenSSLError) {
        _ = try forEachCertificate(in: pem) { SSL_CTX_add_client_CA(raw, $0) }
    }

    /// Calls `call`, which must return 1, for each certificate of a PEM text; returns how many there are.
    private func forEachCertificate(in pem: [UInt8], _ call: (OpaquePointer) -> Int32) throws(OpenSSLError) -> Int {
        guard !pem.isEmpty else { return 0 }
        let bio = try OpenSSLError.require(BIO_new_mem_buf(pem, Int32(pem.count)))
        defer { BIO_free(bio) }
        var count = 0
        while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) {
            defer { X509_free(certificate) }
            try OpenSSLError.check(call(certificate))
            count += 1
        }
        // Reading ends with the error "no start line" at the end of the text.
        ERR_clear_error()
        return count
    }
}
