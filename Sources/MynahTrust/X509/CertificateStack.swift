internal import COpenSSL

/// Owns one `STACK_OF(X509)` for the length of one operation, with a reference to each of its certificates.
struct CertificateStack: ~Copyable {
    let raw: OpaquePointer

    /// A stack of certificates in DER.
    static func of(_ certificates: [[UInt8]]) throws(OpenSSLError) -> CertificateStack {
        let stack = try CertificateStack(taking: nil)
        for der in certificates { try stack.push(Certificate(der: der)) }
        return stack
    }

    private func push(_ certificate: borrowing Certificate) throws(OpenSSLError) {
        guard OPENSSL_sk_push(raw, UnsafeRawPointer(certificate.raw)) > 0 else { throw OpenSSLError("sk_X509_push") }
        // The stack's own reference.
        X509_up_ref(certificate.raw)
    }

    /// Takes ownership of a stack; `nil` is an empty one.
    init(taking raw: OpaquePointer?) throws(OpenSSLError) {
        guard let raw = raw ?? OPENSSL_sk_new_null() else { throw OpenSSLError("sk_X509_new_null") }
        self.raw = raw
    }

    deinit { OPENSSL_sk_pop_free(raw) { X509_free(OpaquePointer($0)) } }

    /// The certificates in DER, in order.
    func ders() throws(OpenSSLError) -> [[UInt8]] {
        var ders: [[UInt8]] = []
        for index in 0..<OPENSSL_sk_num(raw) {
            let certificate = OpaquePointer(OPENSSL_sk_value(raw, index))
            ders.append(try derEncoded("i2d_X509") { i2d_X509(certificate, $0) })
        }
        return ders
    }
}
