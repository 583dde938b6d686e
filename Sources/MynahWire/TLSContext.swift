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
    private let context: SSLContext

    /// Makes a context.
    ///
    /// - Throws: ``OpenSSLError`` when certificate or key can't be read or do not belong together.
    package init(_ identity: TLSIdentity) throws(OpenSSLError) {
        context = try SSLContext(.server)
        try TLSContext.configure(context.raw)
        try context.useChain(identity.chainPEM)
        try context.useKey(identity.keyPEM)
        try TLSContext.name(identity.clientCAsPEM, in: context.raw)
    }

    /// Goes on with a session of another context as one of this, before its certificate is shown; used by
    /// ``TLSSession`` alone.
    func adopt(_ ssl: OpaquePointer) -> Bool {
        SSL_set_SSL_CTX(ssl, context.raw) != nil
    }

    /// A new `SSL` of this context, owned by the caller; used by ``TLSSession`` alone.
    func makeSSL() -> OpaquePointer? {
        SSL_new(context.raw)
    }

    private static func configure(_ raw: OpaquePointer) throws(OpenSSLError) {
        // Renegotiation is TLS 1.2's only way to make a server do work for nothing; APNs has no use for it.
        SSL_CTX_set_options(raw, UInt64(mynah_SSL_OP_NO_RENEGOTIATION) | UInt64(mynah_SSL_OP_NO_COMPRESSION))
        _ = mynah_SSL_CTX_set_mode(raw, Int(mynah_SSL_MODE_RELEASE_BUFFERS))
        // Needed for resumption together with a certificate request; any constant will do.
        let sessionContext: [UInt8] = Array("mynah".utf8)
        guard SSL_CTX_set_session_id_context(raw, sessionContext, UInt32(sessionContext.count)) == 1 else {
            throw OpenSSLError.drain()
        }
        SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
        ClientCertificateCheck.install(raw)
        try ClientHelloHold.install(raw)
        SSL_CTX_set_alpn_select_cb(raw, selectHTTP2, nil)
    }

    /// Names the CAs in the request for a certificate (RFC 8446 §4.2.4), so that clients with several choose well.
    private static func name(_ authoritiesPEM: [UInt8], in raw: OpaquePointer) throws(OpenSSLError) {
        let certificates = try SSLContext.certificates(in: authoritiesPEM)
        defer { certificates.forEach { X509_free($0) } }
        for certificate in certificates where SSL_CTX_add_client_CA(raw, certificate) != 1 {
            throw OpenSSLError.drain()
        }
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
