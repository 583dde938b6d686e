internal import COpenSSL

/// The owner of one `SSL_CTX`: a certificate and its key, and trusted CAs, for either side of TLS.
struct SSLContext: ~Copyable {
    /// The side of TLS.
    enum Side {
        case client
        case server
    }

    let raw: OpaquePointer

    /// A context for TLS 1.2 and later (`ProviderAPI#TLS`).
    init(_ side: Side) throws(OpenSSLError) {
        ERR_clear_error()
        guard let raw = SSL_CTX_new(side == .client ? TLS_client_method() : TLS_server_method()) else {
            throw OpenSSLError.drain()
        }
        guard mynah_SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION) == 1 else {
            SSL_CTX_free(raw)
            throw OpenSSLError.drain()
        }
        self.raw = raw
    }

    deinit {
        SSL_CTX_free(raw)
    }

    /// Shows a certificate in handshakes: its own first, then those that lead to the CA.
    func useChain(_ pem: [UInt8]) throws(OpenSSLError) {
        let certificates = try SSLContext.certificates(in: pem)
        defer { certificates.forEach { X509_free($0) } }
        guard let leaf = certificates.first, SSL_CTX_use_certificate(raw, leaf) == 1 else {
            throw OpenSSLError.drain()
        }
        for certificate in certificates.dropFirst() {
            X509_up_ref(certificate)
            guard mynah_SSL_CTX_add_extra_chain_cert(raw, certificate) == 1 else {
                X509_free(certificate)
                throw OpenSSLError.drain()
            }
        }
    }

    /// Signs handshakes with a key, which must belong to the certificate and not be encrypted.
    func useKey(_ pem: [UInt8]) throws(OpenSSLError) {
        guard let bio = BIO_new_mem_buf(pem, Int32(pem.count)) else { throw OpenSSLError.drain() }
        defer { BIO_free(bio) }
        // Without a callback OpenSSL would ask for an encrypted key's password on the terminal.
        guard let key = PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil) else { throw OpenSSLError.drain() }
        defer { EVP_PKEY_free(key) }
        guard SSL_CTX_use_PrivateKey(raw, key) == 1, SSL_CTX_check_private_key(raw) == 1 else {
            throw OpenSSLError.drain()
        }
    }

    /// Trusts the CAs of a PEM text; returns how many there are.
    func trust(_ pem: [UInt8]) throws(OpenSSLError) -> Int {
        let certificates = try SSLContext.certificates(in: pem)
        defer { certificates.forEach { X509_free($0) } }
        let store = SSL_CTX_get_cert_store(raw)
        for certificate in certificates {
            guard X509_STORE_add_cert(store, certificate) == 1 else { throw OpenSSLError.drain() }
        }
        return certificates.count
    }

    /// The certificates of a PEM text, each owned by the caller.
    static func certificates(in pem: [UInt8]) throws(OpenSSLError) -> [OpaquePointer] {
        guard !pem.isEmpty else { return [] }
        guard let bio = BIO_new_mem_buf(pem, Int32(pem.count)) else { throw OpenSSLError.drain() }
        defer { BIO_free(bio) }
        var certificates: [OpaquePointer] = []
        while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) { certificates.append(certificate) }
        // Reading ends with the error "no start line" at the end of the text.
        ERR_clear_error()
        return certificates
    }
}
