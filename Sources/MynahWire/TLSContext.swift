internal import COpenSSL

/// The server's certificate and key, from which each event loop makes its own ``TLSContext``.
package struct TLSIdentity: Sendable {
    /// The server's certificate first, then those that lead to the CA; PEM.
    package let chainPEM: [UInt8]
    /// The certificate's key; PEM.
    package let keyPEM: [UInt8]
    /// The CAs whose client certificates are believed; PEM, may be empty.
    package let clientCAsPEM: [UInt8]

    /// An identity in PEM.
    package init(chainPEM: [UInt8], keyPEM: [UInt8], clientCAsPEM: [UInt8]) {
        self.chainPEM = chainPEM
        self.keyPEM = keyPEM
        self.clientCAsPEM = clientCAsPEM
    }
}

/// OpenSSL's `SSL_CTX` for the server side (`provider-api.md` §1.2).
///
/// Belongs to one event loop, and so do the sessions made from it. TLS 1.2 and 1.3; ALPN offers `h2` only,
/// and a client without ALPN speaks HTTP/2 all the same; a client certificate is asked for and may be missing. What
/// OpenSSL thinks of a certificate counts for nothing: ``ClientCertificateCheck`` asks the server.
package final class TLSContext {
    private let raw: OpaquePointer

    /// Makes a context.
    ///
    /// - Throws: ``OpenSSLError`` when certificate or key can't be read or do not belong together.
    package init(_ identity: TLSIdentity) throws(OpenSSLError) {
        ERR_clear_error()
        guard let raw = SSL_CTX_new(TLS_server_method()) else { throw OpenSSLError.drain() }
        do {
            try TLSContext.configure(raw, identity)
        } catch {
            SSL_CTX_free(raw)
            throw error
        }
        self.raw = raw
    }

    deinit {
        SSL_CTX_free(raw)
    }

    /// A new `SSL` of this context, owned by the caller; used by ``TLSSession`` alone.
    func makeSSL() -> OpaquePointer? {
        SSL_new(raw)
    }

    private static func configure(_ raw: OpaquePointer, _ identity: TLSIdentity) throws(OpenSSLError) {
        guard mynah_SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION) == 1 else { throw OpenSSLError.drain() }
        // Renegotiation is TLS 1.2's only way to make a server do work for nothing; APNs has no use for it.
        SSL_CTX_set_options(raw, UInt64(mynah_SSL_OP_NO_RENEGOTIATION) | UInt64(mynah_SSL_OP_NO_COMPRESSION))
        _ = mynah_SSL_CTX_set_mode(raw, Int(mynah_SSL_MODE_RELEASE_BUFFERS))
        // Needed for resumption together with a certificate request; any constant will do.
        let sessionContext: [UInt8] = Array("mynah".utf8)
        guard SSL_CTX_set_session_id_context(raw, sessionContext, UInt32(sessionContext.count)) == 1 else {
            throw OpenSSLError.drain()
        }
        try useChain(raw, identity.chainPEM)
        try useKey(raw, identity.keyPEM)
        try trust(raw, identity.clientCAsPEM)
        SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
        ClientCertificateCheck.install(raw)
        SSL_CTX_set_alpn_select_cb(raw, selectHTTP2, nil)
    }

    private static func useChain(_ raw: OpaquePointer, _ pem: [UInt8]) throws(OpenSSLError) {
        let certificates = try certificates(in: pem)
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

    private static func useKey(_ raw: OpaquePointer, _ pem: [UInt8]) throws(OpenSSLError) {
        guard let bio = BIO_new_mem_buf(pem, Int32(pem.count)) else { throw OpenSSLError.drain() }
        defer { BIO_free(bio) }
        guard let key = PEM_read_bio_PrivateKey(bio, nil, nil, nil) else { throw OpenSSLError.drain() }
        defer { EVP_PKEY_free(key) }
        guard SSL_CTX_use_PrivateKey(raw, key) == 1, SSL_CTX_check_private_key(raw) == 1 else {
            throw OpenSSLError.drain()
        }
    }

    private static func trust(_ raw: OpaquePointer, _ pem: [UInt8]) throws(OpenSSLError) {
        let certificates = try certificates(in: pem)
        defer { certificates.forEach { X509_free($0) } }
        let store = SSL_CTX_get_cert_store(raw)
        for certificate in certificates {
            guard X509_STORE_add_cert(store, certificate) == 1, SSL_CTX_add_client_CA(raw, certificate) == 1 else {
                throw OpenSSLError.drain()
            }
        }
    }

    /// The certificates of a PEM text, each owned by the caller.
    private static func certificates(in pem: [UInt8]) throws(OpenSSLError) -> [OpaquePointer] {
        guard !pem.isEmpty else { return [] }
        guard let bio = BIO_new_mem_buf(pem, Int32(pem.count)) else { throw OpenSSLError.drain() }
        defer { BIO_free(bio) }
        var certificates: [OpaquePointer] = []
        while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) { certificates.append(certificate) }
        // Reading ends with "no start line" at the end of the text, which is no error.
        ERR_clear_error()
        return certificates
    }
}

/// OpenSSL's ALPN callback: `h2`, or the alert `no_application_protocol`.
private func selectHTTP2(
    _ ssl: OpaquePointer?, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ selectedCount: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredCount: UInt32,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let selected, let selectedCount, let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let list = UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    var index = 0
    while index < list.count {
        let length = Int(list[index])
        let name = list[(index + 1)...].prefix(length)
        if name.elementsEqual([0x68, 0x32]) {
            selected.pointee = offered + index + 1
            selectedCount.pointee = 2
            return SSL_TLSEXT_ERR_OK
        }
        index += 1 + length
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}
