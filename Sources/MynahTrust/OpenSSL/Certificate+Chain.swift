internal import APNsRules
internal import COpenSSL

extension Certificate {
    /// Why a chain does not lead to a trusted CA.
    struct ChainFault {
        /// OpenSSL's `X509_V_ERR_…`.
        let code: Int32
        /// Which certificate it is about: 0 is the client's own, 1 its CA.
        let depth: Int
        /// OpenSSL's words for it.
        let words: String
        /// The certificate that it is about, in DER; `nil` when OpenSSL names none.
        let certificate: [UInt8]?
    }

    /// Why a server that trusts these CAs would not take this for a client's certificate; `nil` when it would.
    ///
    /// Any of the CAs ends the chain, a root or not: Apple's intermediate CA alone is what people have at hand.
    /// Critical extensions that OpenSSL does not know are left to the caller.
    ///
    /// - Parameters:
    ///   - intermediates: What the client sent after its own certificate, DER.
    ///   - authorities: The CAs, DER.
    ///   - depthMax: How many certificates may lie between this one and the CA that ends the chain.
    ///   - process: Is lent each certificate of a good chain, this one first.
    func clientFault(
        intermediates: [[UInt8]], authorities: [[UInt8]], depthMax: Int, at now: Instant,
        process: (borrowing Certificate) -> Void
    ) throws(OpenSSLError) -> ChainFault? {
        try clientFault(CertificateStack.of(intermediates), authorities, depthMax, now, process)
    }

    private func clientFault(
        _ untrusted: borrowing CertificateStack, _ authorities: [[UInt8]], _ depthMax: Int, _ now: Instant,
        _ process: (borrowing Certificate) -> Void
    ) throws(OpenSSLError) -> ChainFault? {
        OpenSSLError.clearQueue()
        guard let store = X509_STORE_new() else { throw OpenSSLError("X509_STORE_new") }
        defer { X509_STORE_free(store) }
        for der in authorities { try Certificate(der: der).add(to: store) }
        guard let context = X509_STORE_CTX_new() else { throw OpenSSLError("X509_STORE_CTX_new") }
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_CTX_init(context, store, raw, untrusted.raw) == 1,
            let parameters = X509_STORE_CTX_get0_param(context)
        else { throw OpenSSLError("X509_STORE_CTX_init") }
        X509_VERIFY_PARAM_set_time(parameters, time_t(now.milliseconds / 1000))
        X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_CLIENT)
        X509_VERIFY_PARAM_set_flags(parameters, mynah_X509_V_FLAGS_CLIENT)
        X509_VERIFY_PARAM_set_depth(parameters, Int32(depthMax))
        guard X509_verify_cert(context) == 1 else {
            let code = X509_STORE_CTX_get_error(context)
            OpenSSLError.clearQueue()
            let current = X509_STORE_CTX_get_current_cert(context)
            return ChainFault(
                code: code, depth: Int(X509_STORE_CTX_get_error_depth(context)),
                words: X509_verify_cert_error_string(Int(code)).map { String(cString: $0) } ?? "error \(code)",
                certificate: try current.map { (raw) throws(OpenSSLError) in
                    try derEncoded("i2d_X509") { i2d_X509(raw, $0) }
                })
        }
        let chain = X509_STORE_CTX_get0_chain(context)
        for index in 0..<OPENSSL_sk_num(chain) {
            guard let member = OpaquePointer(OPENSSL_sk_value(chain, index)), X509_up_ref(member) == 1 else { continue }
            process(Certificate(taking: member))
        }
        return nil
    }

    private func add(to store: OpaquePointer) throws(OpenSSLError) {
        guard X509_STORE_add_cert(store, raw) == 1 else { throw OpenSSLError("X509_STORE_add_cert") }
    }
}
