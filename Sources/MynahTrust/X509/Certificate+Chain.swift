internal import APNsRules
internal import COpenSSL

/// Verification of certificate chains.
extension Certificate {
    /// Why a chain doesn't lead to a trusted CA.
    struct ChainFault {
        /// OpenSSL's `X509_V_ERR_…`.
        let code: Int32
        /// The position of the faulty certificate: 0 is the end entity's own, 1 its CA.
        let depth: Int
        let words: String
        /// The faulty certificate in DER, if OpenSSL names one.
        let certificate: [UInt8]?
    }

    /// Why a server that trusts these CAs would refuse this certificate of a client; `nil` if it accepts it.
    ///
    /// Any of the CAs may end the chain, root or not, because often only Apple's intermediate CA is available; at most
    /// `depthMax` certificates may lie between it and this one. `process` is called with each certificate of a valid
    /// chain, this one first; critical extensions that OpenSSL doesn't know are left to the caller.
    func clientFault(
        intermediates: [[UInt8]], authorities: [[UInt8]], depthMax: Int, at now: Instant,
        process: (borrowing Certificate) -> Void
    ) throws(TrustError) -> ChainFault? {
        try chainFault(
            CertificateStack.of(intermediates), authorities, purpose: X509_PURPOSE_SSL_CLIENT, at: now,
            configure: { parameters in
                X509_VERIFY_PARAM_set_flags(parameters, mynah_X509_V_FLAGS_CLIENT)
                X509_VERIFY_PARAM_set_depth(parameters, Int32(depthMax))
            }, process: process)
    }

    /// Why a client that trusts only `authority` would refuse this certificate of a server; `nil` if it accepts it.
    ///
    /// With `name`, the certificate must have that name; `strictly` applies all of RFC 5280, as Python 3.13 does.
    func fault(
        under authority: borrowing Certificate, at now: Instant, name: CertificateName? = nil, strictly: Bool = false
    ) throws(TrustError) -> String? {
        try chainFault(
            CertificateStack(taking: nil), [authority.der()], purpose: X509_PURPOSE_SSL_SERVER, at: now,
            configure: { (parameters) throws(TrustError) in
                if strictly { X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_X509_STRICT)) }
                let isNameSet =
                    switch name {
                    case nil: true
                    case .dns(let text): X509_VERIFY_PARAM_set1_host(parameters, text, text.utf8.count) == 1
                    case .address(let bytes): X509_VERIFY_PARAM_set1_ip(parameters, bytes, bytes.count) == 1
                    }
                guard isNameSet else { throw .openSSL("X509_VERIFY_PARAM_set1_host") }
            }, process: { _ in })?.words
    }

    private func chainFault(
        _ untrusted: borrowing CertificateStack, _ authorities: [[UInt8]], purpose: Int32, at now: Instant,
        configure: (OpaquePointer) throws(TrustError) -> Void, process: (borrowing Certificate) -> Void
    ) throws(TrustError) -> ChainFault? {
        ERR_clear_error()
        guard let store = X509_STORE_new() else { throw .openSSL("X509_STORE_new") }
        defer { X509_STORE_free(store) }
        for der in authorities { try Certificate(der: der).add(to: store) }
        guard let context = X509_STORE_CTX_new() else { throw .openSSL("X509_STORE_CTX_new") }
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_CTX_init(context, store, raw, untrusted.raw) == 1,
            let parameters = X509_STORE_CTX_get0_param(context)
        else { throw .openSSL("X509_STORE_CTX_init") }
        X509_VERIFY_PARAM_set_time(parameters, time_t(now.milliseconds / 1000))
        X509_VERIFY_PARAM_set_purpose(parameters, purpose)
        try configure(parameters)
        guard X509_verify_cert(context) == 1 else {
            let code = X509_STORE_CTX_get_error(context)
            ERR_clear_error()
            let current = X509_STORE_CTX_get_current_cert(context)
            return ChainFault(
                code: code, depth: Int(X509_STORE_CTX_get_error_depth(context)),
                words: X509_verify_cert_error_string(Int(code)).map { String(cString: $0) } ?? "error \(code)",
                certificate: try current.map(Certificate.der))
        }
        let chain = X509_STORE_CTX_get0_chain(context)
        for index in 0..<OPENSSL_sk_num(chain) {
            guard let member = OpaquePointer(OPENSSL_sk_value(chain, index)), X509_up_ref(member) == 1 else { continue }
            process(Certificate(taking: member))
        }
        return nil
    }

    private func add(to store: OpaquePointer) throws(TrustError) {
        guard X509_STORE_add_cert(store, raw) == 1 else { throw .openSSL("X509_STORE_add_cert") }
    }
}

/// Owns one `STACK_OF(X509)` for the duration of one operation, with a reference to each of its certificates.
struct CertificateStack: ~Copyable {
    let raw: OpaquePointer

    /// Takes ownership of a stack; makes an empty one from `nil`.
    init(taking raw: OpaquePointer?) throws(TrustError) {
        guard let raw = raw ?? OPENSSL_sk_new_null() else { throw .openSSL("sk_X509_new_null") }
        self.raw = raw
    }

    static func of(_ certificates: [[UInt8]]) throws(TrustError) -> CertificateStack {
        let stack = try CertificateStack(taking: nil)
        for der in certificates { try stack.push(Certificate(der: der)) }
        return stack
    }

    private func push(_ certificate: borrowing Certificate) throws(TrustError) {
        guard OPENSSL_sk_push(raw, UnsafeRawPointer(certificate.raw)) > 0 else { throw .openSSL("sk_X509_push") }
        // The stack's own reference.
        X509_up_ref(certificate.raw)
    }

    deinit { OPENSSL_sk_pop_free(raw) { X509_free(OpaquePointer($0)) } }

    func ders() throws(TrustError) -> [[UInt8]] {
        try (0..<OPENSSL_sk_num(raw)).map { (index) throws(TrustError) in
            try Certificate.der(of: OpaquePointer(OPENSSL_sk_value(raw, index)))
        }
    }
}
