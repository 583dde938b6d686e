internal import COpenSSL
internal import NIOCore

/// The server's certificates and key, from which each event loop makes its own ``TLSContext``.
package struct TLSIdentity: Sendable {
    /// The certificate for clients without a server name, then its intermediates; PEM.
    package let chainPEM: [UInt8]
    /// The certificate for clients with a server name, then its intermediates; PEM.
    package let hostChainPEM: [UInt8]
    /// The key of both certificates; PEM.
    package let keyPEM: [UInt8]
    /// The CAs that are named to clients in the request for a certificate; PEM, may be empty.
    package let clientCAsPEM: [UInt8]
    /// The keys of session tickets; with `nil` each context makes its own.
    package let ticketKeys: TLSTicketKeys?

    /// An identity in PEM; without `hostChainPEM` all clients are shown the same certificate.
    package init(
        chainPEM: [UInt8], hostChainPEM: [UInt8]? = nil, keyPEM: [UInt8], clientCAsPEM: [UInt8],
        ticketKeys: TLSTicketKeys? = nil
    ) {
        self.chainPEM = chainPEM
        self.hostChainPEM = hostChainPEM ?? chainPEM
        self.keyPEM = keyPEM
        self.clientCAsPEM = clientCAsPEM
        self.ticketKeys = ticketKeys
    }
}

/// The keys that encrypt session tickets (RFC 5077 §4).
///
/// All loops of a server share them, so that a session is resumed whichever loop its next connection is on. They last
/// as long as the process.
package struct TLSTicketKeys: Sendable {
    /// OpenSSL's layout: a name of 16 bytes, an HMAC key and an AES key of 32 bytes each.
    private static let byteCount = 80

    let bytes: [UInt8]

    /// Random keys.
    ///
    /// - Throws: ``OpenSSLError`` when OpenSSL has no randomness.
    package init() throws(OpenSSLError) {
        ERR_clear_error()
        var bytes = [UInt8](repeating: 0, count: TLSTicketKeys.byteCount)
        guard RAND_priv_bytes(&bytes, Int32(bytes.count)) == 1 else { throw OpenSSLError.drain() }
        self.bytes = bytes
    }
}

/// OpenSSL's `SSL_CTX` for the server side (`ProviderAPI#TLS`), one for each certificate.
///
/// Belongs to one event loop, and so do the sessions made from it. TLS 1.2 and 1.3; ALPN offers `h2` only, and a client
/// without ALPN speaks HTTP/2 all the same; a client certificate is asked for and may be missing. OpenSSL's own verdict
/// on a client certificate is not used: ``ClientCertificateCheck`` asks the server.
package final class TLSContext {
    // All sessions are made from this context: its ticket keys are used, whichever certificate is shown.
    private let context: SSLContext
    private let hostContext: SSLContext

    /// Makes a context.
    ///
    /// - Throws: ``OpenSSLError`` when a certificate or the key can't be read, or they don't match.
    package init(_ identity: TLSIdentity) throws(OpenSSLError) {
        context = try TLSContext.make(identity, showing: identity.chainPEM)
        hostContext = try TLSContext.make(identity, showing: identity.hostChainPEM)
    }

    private static func make(
        _ identity: TLSIdentity, showing chainPEM: [UInt8]
    ) throws(OpenSSLError) -> SSLContext {
        let context = try SSLContext(.server)
        try configure(context.raw)
        try context.useChain(chainPEM)
        try context.useKey(identity.keyPEM)
        try name(identity.clientCAsPEM, in: context.raw)
        if let keys = identity.ticketKeys {
            guard mynah_SSL_CTX_set_tlsext_ticket_keys(context.raw, keys.bytes, keys.bytes.count) == 1 else {
                throw OpenSSLError.drain()
            }
        }
        return context
    }

    /// Shows a session's client the certificate for its server name; only for ``TLSSession``.
    ///
    /// An address, which RFC 6066 §3 forbids and some clients send, is treated as no name.
    func adopt(_ ssl: OpaquePointer, serverName: String?) -> Bool {
        let isHost = serverName.map { (try? SocketAddress(ipAddress: $0, port: 0)) == nil } ?? false
        return SSL_set_SSL_CTX(ssl, isHost ? hostContext.raw : context.raw) != nil
    }

    /// A new `SSL` of this context, owned by the caller; only for ``TLSSession``.
    func makeSSL() -> OpaquePointer? {
        SSL_new(context.raw)
    }

    private static func configure(_ raw: OpaquePointer) throws(OpenSSLError) {
        // Renegotiation lets a TLS 1.2 client cause work at no cost; APNs has no use for it.
        SSL_CTX_set_options(raw, UInt64(mynah_SSL_OP_NO_RENEGOTIATION) | UInt64(mynah_SSL_OP_NO_COMPRESSION))
        _ = mynah_SSL_CTX_set_mode(raw, Int(mynah_SSL_MODE_RELEASE_BUFFERS))
        // Needed for resumption together with a certificate request; any constant value will do.
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
