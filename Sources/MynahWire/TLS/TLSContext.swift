internal import COpenSSL
internal import NIOCore

/// The server's certificates and key, from which each event loop makes its own ``TLSContext``.
package struct TLSIdentity: Sendable {
    /// The certificate for clients without a server name, then its intermediates; PEM.
    let chainPEM: [UInt8]
    /// The certificate for clients with a server name, then its intermediates; PEM.
    let hostChainPEM: [UInt8]
    /// The key of both certificates; PEM.
    let keyPEM: [UInt8]
    /// The CAs that are named to clients in the request for a certificate; PEM, may be empty.
    let clientCAsPEM: [UInt8]
    /// The keys of session tickets; with `nil` each context makes its own.
    let ticketKeys: TLSTicketKeys?

    /// Makes a context; without `hostChainPEM` all clients get the same certificate.
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

/// The keys of session tickets (RFC 5077 §4), shared by all loops of a server, because any may resume a session.
package struct TLSTicketKeys: Sendable {
    /// OpenSSL's layout: a name of 16 bytes, an HMAC key and an AES key of 32 bytes each.
    private static let byteCount = 80

    let bytes: [UInt8]

    package init() throws(OpenSSLError) {
        ERR_clear_error()
        var bytes = [UInt8](repeating: 0, count: TLSTicketKeys.byteCount)
        try OpenSSLError.check(RAND_priv_bytes(&bytes, Int32(bytes.count)))
        self.bytes = bytes
    }
}

/// OpenSSL's `SSL_CTX` for the server side (`ProviderAPI#TLS`), one for each certificate.
///
/// Belongs to one event loop, and so do the sessions made from it. TLS 1.2 and 1.3; ALPN chooses `h2` only, and a client
/// that doesn't offer it gets HTTP/2 all the same, unless its responder speaks HTTP/1.1 (``PushResponder/speaksHTTP1``); a
/// client certificate is requested but optional. OpenSSL's own verdict on it is not used: ``ServerHandshake`` asks the server.
final class TLSContext {
    // The context of all sessions: its ticket keys are used, regardless of the certificate.
    private let context: SSLContext
    private let hostContext: SSLContext

    init(_ identity: TLSIdentity) throws(OpenSSLError) {
        context = try TLSContext.make(identity, showing: identity.chainPEM)
        try context.useKey(identity.keyPEM)
        hostContext = try TLSContext.make(identity, showing: identity.hostChainPEM)
        // Reading a key takes OpenSSL a millisecond.
        try hostContext.useKey(of: context)
    }

    /// A context without a key.
    private static func make(_ identity: TLSIdentity, showing chainPEM: [UInt8]) throws(OpenSSLError) -> SSLContext {
        let context = try SSLContext(TLS_server_method())
        let raw = context.raw
        // Renegotiation lets a TLS 1.2 client cause work at no cost; APNs has no use for it.
        SSL_CTX_set_options(raw, UInt64(mynah_SSL_OP_NO_RENEGOTIATION) | UInt64(mynah_SSL_OP_NO_COMPRESSION))
        _ = mynah_SSL_CTX_set_mode(raw, Int(mynah_SSL_MODE_RELEASE_BUFFERS))
        // Needed for resumption together with a certificate request; any constant value will do.
        let sessionContext = Array("mynah".utf8)
        try OpenSSLError.check(SSL_CTX_set_session_id_context(raw, sessionContext, UInt32(sessionContext.count)))
        SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
        try ServerHandshake.install(raw)
        SSL_CTX_set_alpn_select_cb(
            raw,
            { ssl, selected, selectedCount, offered, offeredCount, _ in
                let offersHTTP1 = ServerHandshake.offersHTTP1(ssl)
                let names = offersHTTP1 ? SSLContext.protocolsWithHTTP1 : SSLContext.protocols
                var name: UnsafeMutablePointer<UInt8>?
                guard
                    SSL_select_next_proto(&name, selectedCount, offered, offeredCount, names, UInt32(names.count))
                        == OPENSSL_NPN_NEGOTIATED
                else {
                    if !offersHTTP1 { ServerHandshake.recordListWithoutHTTP2(ssl) }
                    // No protocol is chosen, and the handshake continues.
                    return SSL_TLSEXT_ERR_NOACK
                }
                // Points into the client's list, which outlives this call.
                selected?.pointee = UnsafePointer(name)
                return SSL_TLSEXT_ERR_OK
            }, nil)
        try context.useChain(chainPEM)
        try context.nameClientCAs(identity.clientCAsPEM)
        if let keys = identity.ticketKeys {
            try OpenSSLError.check(mynah_SSL_CTX_set_tlsext_ticket_keys(raw, keys.bytes, keys.bytes.count))
        }
        return context
    }

    /// Presents the certificate for a server name, but not for an address, which some clients send (RFC 6066 §3).
    func adopt(_ ssl: OpaquePointer, serverName: String?) -> Bool {
        let isHost = serverName.map { (try? SocketAddress(ipAddress: $0, port: 0)) == nil } ?? false
        return SSL_set_SSL_CTX(ssl, isHost ? hostContext.raw : context.raw) != nil
    }

    /// A new `SSL` of this context, owned by the caller.
    func makeSSL() -> OpaquePointer? { SSL_new(context.raw) }
}
