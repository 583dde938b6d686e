internal import COpenSSL

/// The certificate of a provider and its key (`ProviderAPI#Certificates`).
package struct ClientIdentity: Sendable {
    /// The certificate, then its intermediates; PEM.
    let chainPEM: [UInt8]
    /// The certificate's key; PEM, not encrypted.
    let keyPEM: [UInt8]

    package init(chainPEM: [UInt8], keyPEM: [UInt8]) {
        self.chainPEM = chainPEM
        self.keyPEM = keyPEM
    }
}

/// A version of TLS that APNs speaks (`ProviderAPI#TLS`): RFC 5246 or RFC 8446.
package enum TLSVersion: String, Sendable, CaseIterable {
    case tls12 = "1.2"
    case tls13 = "1.3"
}

/// OpenSSL's `SSL_CTX` for the provider's side: TLS 1.2 and 1.3, ALPN `h2`, a single trusted CA (`ProviderAPI#TLS`),
/// and optionally a client certificate.
///
/// Belongs to one event loop, and so do the sessions made from it.
package final class ClientTLSContext {
    private let context: SSLContext

    /// Trusts the CAs in `caPEM`, and offers only `version` unless it is `nil`.
    /// - Throws: ``OpenSSLError`` that names the part which can't be used: the CA, the certificate or its key.
    package init(
        caPEM: [UInt8], identity: ClientIdentity? = nil, version: TLSVersion? = nil
    ) throws(OpenSSLError) {
        var part = "TLS"
        do throws(OpenSSLError) {
            context = try SSLContext(TLS_client_method())
            if let version {
                let number = version == .tls12 ? TLS1_2_VERSION : TLS1_3_VERSION
                try OpenSSLError.check(mynah_SSL_CTX_set_min_proto_version(context.raw, number))
                try OpenSSLError.check(mynah_SSL_CTX_set_max_proto_version(context.raw, number))
            }
            SSL_CTX_set_verify(context.raw, SSL_VERIFY_PEER, nil)
            let names = SSLContext.protocols
            guard SSL_CTX_set_alpn_protos(context.raw, names, UInt32(names.count)) == 0 else { throw .drain() }
            part = "the CA"
            if try context.trust(caPEM) == 0 { throw OpenSSLError(lines: ["it contains no certificate"]) }
            guard let identity else { return }
            part = "the certificate"
            try context.useChain(identity.chainPEM)
            part = "the certificate's key"
            try context.useKey(identity.keyPEM)
        } catch {
            throw error.of(part)
        }
    }

    /// A new `SSL` of this context that checks the peer's certificate for `host`, owned by the caller; `nil` if memory
    /// runs out or `host` can't be a name in a certificate.
    func makeSSL(for host: String) -> OpaquePointer? {
        guard let ssl = SSL_new(context.raw) else { return nil }
        // A certificate has addresses and names in different fields, and SNI has no addresses (RFC 6066 §3).
        let isAddress = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1
        guard isAddress || (SSL_set1_host(ssl, host) == 1 && mynah_SSL_set_tlsext_host_name(ssl, host) == 1) else {
            SSL_free(ssl)
            return nil
        }
        return ssl
    }
}
