internal import COpenSSL

/// OpenSSL's `SSL_CTX` for the provider's side: TLS 1.2 and 1.3, ALPN `h2`, a single trusted CA (`ProviderAPI#TLS`), and
/// a certificate if there is one to show.
///
/// Belongs to one event loop, and so do the sessions made from it.
package final class ClientTLSContext {
    /// Why a context can't be made.
    package struct Fault: Error, Sendable, CustomStringConvertible {
        /// The part that can't be used: "the CA", "the certificate", "the certificate's key".
        package let part: String
        /// OpenSSL's error.
        package let error: OpenSSLError

        /// One clause.
        package var description: String { "\(part) can't be used: \(error)" }
    }

    private let context: SSLContext

    /// A context that trusts the certificates in `caPEM`.
    ///
    /// - Parameters:
    ///   - caPEM: the CAs to trust.
    ///   - identity: the certificate for a server that asks for one.
    ///   - version: the only version to offer; with `nil` both are.
    /// - Throws: ``Fault`` with the part that can't be used.
    package init(caPEM: [UInt8], identity: ClientIdentity? = nil, version: TLSVersion? = nil) throws(Fault) {
        context = try ClientTLSContext.using("TLS") { () throws(OpenSSLError) in
            let context = try SSLContext(.client)
            try ClientTLSContext.configure(context.raw, version)
            return context
        }
        let trusted = try ClientTLSContext.using("the CA") { () throws(OpenSSLError) in try context.trust(caPEM) }
        guard trusted > 0 else { throw Fault(part: "the CA", error: .init(lines: ["it contains no certificate"])) }
        guard let identity else { return }
        try ClientTLSContext.using("the certificate") { () throws(OpenSSLError) in
            try context.useChain(identity.chainPEM)
        }
        try ClientTLSContext.using("the certificate's key") { () throws(OpenSSLError) in
            try context.useKey(identity.keyPEM)
        }
    }

    private static func using<Result: ~Copyable>(
        _ part: String, _ body: () throws(OpenSSLError) -> Result
    ) throws(Fault) -> Result {
        do {
            return try body()
        } catch {
            throw Fault(part: part, error: error)
        }
    }

    /// A new `SSL` of this context that checks the peer's certificate for `host`, owned by the caller; `nil` when memory
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

    private static func configure(_ raw: OpaquePointer, _ version: TLSVersion?) throws(OpenSSLError) {
        if let version {
            let number = version == .tls12 ? TLS1_2_VERSION : TLS1_3_VERSION
            guard mynah_SSL_CTX_set_min_proto_version(raw, number) == 1,
                mynah_SSL_CTX_set_max_proto_version(raw, number) == 1
            else { throw OpenSSLError.drain() }
        }
        SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
        // A list of one name, each after its length (RFC 7301 §3.1).
        let names: [UInt8] = [2] + Array("h2".utf8)
        guard SSL_CTX_set_alpn_protos(raw, names, UInt32(names.count)) == 0 else { throw OpenSSLError.drain() }
    }
}
