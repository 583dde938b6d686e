internal import APNsRules
internal import COpenSSL
internal import MynahSystem

/// Owns one `X509` for the duration of one operation; certificates are kept as DER or PEM.
struct Certificate: ~Copyable {
    let raw: OpaquePointer

    init(taking raw: OpaquePointer) { self.raw = raw }
    deinit { X509_free(raw) }

    /// Reads DER; bytes after the certificate are refused.
    init(der: [UInt8]) throws(TrustError) {
        var rest = 0
        let raw = try derDecoded(der, by: "d2i_X509") { cursor, count in
            let start = cursor.pointee
            defer { rest = start.flatMap { start in cursor.pointee.map { start + count - $0 } } ?? 0 }
            return d2i_X509(nil, cursor, count)
        }
        guard rest == 0 else {
            X509_free(raw)
            throw .openSSL("d2i_X509 (\(rest) bytes too many)")
        }
        self.raw = raw
    }

    /// Reads DER that is followed by OpenSSL's notes on what the certificate is trusted for, which are left out.
    private init(trusted der: [UInt8]) throws(TrustError) {
        self.raw = try derDecoded(der, by: "d2i_X509_AUX") { d2i_X509_AUX(nil, $0, $1) }
    }

    /// Reads a block of a PEM file, the `number`-th; an error is a clause about the file.
    init(_ block: PEM.Block, number: Int? = nil) throws(TrustError) {
        let which = "a certificate" + (number.map { " (number \($0))" } ?? "")
        guard block.isCertificate else {
            throw .malformed("holds \(block.named); only a CERTIFICATE was expected")
        }
        let der = try block.bytes(of: which)
        func unreadable(_ error: TrustError) -> TrustError {
            .malformed("has \(which) that OpenSSL cannot read (\(error.problem))")
        }
        let certificate = try attempt(
            block.label == PEM.trustedLabel ? Certificate(trusted: der) : Certificate(der: der), orThrow: unreadable)
        _ = try attempt(certificate.validity(), orThrow: unreadable)
        self = certificate
    }

    func der() throws(TrustError) -> [UInt8] { try Certificate.der(of: raw) }

    static func der(of raw: OpaquePointer?) throws(TrustError) -> [UInt8] {
        try derEncoded("i2d_X509") { i2d_X509(raw, $0) }
    }

    func subjectPublicKeyInfo() throws(TrustError) -> [UInt8] {
        try derEncoded("i2d_X509_PUBKEY") { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(raw), $0) }
    }

    // MARK: - Time and use

    func notBefore() throws(TrustError) -> Instant { try Certificate.instant(X509_get0_notBefore(raw)) }
    func notAfter() throws(TrustError) -> Instant { try Certificate.instant(X509_get0_notAfter(raw)) }
    func validity() throws(TrustError) -> (from: Instant, to: Instant) { (try notBefore(), try notAfter()) }

    /// Why the certificate is not valid at a time, as a clause; `nil` if it is valid.
    func timeFault(at now: Instant) throws(TrustError) -> String? {
        let (from, to) = try validity()
        if now > to { return "expired on \(to.rfc3339)" }
        return now < from ? "is not valid before \(from.rfc3339), and it is \(now.rfc3339) now" : nil
    }

    private static func instant(_ time: UnsafePointer<ASN1_TIME>?) throws(TrustError) -> Instant {
        ERR_clear_error()
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { throw .openSSL("ASN1_TIME_to_tm") }
        return Instant(seconds: Int64(timegm(&parts)))
    }

    var isAuthority: Bool { X509_check_ca(raw) > 0 }
    /// Whether the basic constraints declare a CA (RFC 5280 §4.2.1.9).
    var isDeclaredAuthority: Bool { X509_get_extension_flags(raw) & UInt32(EXFLAG_CA) != 0 }
    /// Whether the key usage, if present, allows signing certificates (RFC 5280 §4.2.1.3).
    var maySignCertificates: Bool { X509_get_key_usage(raw) & UInt32(KU_KEY_CERT_SIGN) != 0 }

    /// Whether the certificate has exactly this name; a wildcard matches only itself.
    func holds(_ name: CertificateName) -> Bool {
        switch name {
        case .dns(let text):
            let flags = UInt32(X509_CHECK_FLAG_NO_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)
            return X509_check_host(raw, text, text.utf8.count, flags, nil) == 1
        case .address(let bytes): return X509_check_ip(raw, bytes, bytes.count, 0) == 1
        }
    }

    // MARK: - Names and numbers

    /// The subject as one line for people; `nil` if it holds unreadable text.
    var subjectLine: String? { Certificate.line(X509_get_subject_name(raw)) }
    /// The issuer as one line for people; `nil` if it holds unreadable text.
    var issuerLine: String? { Certificate.line(X509_get_issuer_name(raw)) }

    private static func line(_ name: OpaquePointer?) -> String? {
        ERR_clear_error()
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(bio) }
        guard X509_NAME_print_ex(bio, name, 0, mynah_XN_FLAG_LINE) >= 0 else {
            ERR_clear_error()
            return nil
        }
        var start: UnsafeMutablePointer<CChar>?
        let count = mynah_BIO_get_mem_data(bio, &start)
        let bytes = UnsafeBufferPointer(start: start, count: max(0, count)).map(UInt8.init(bitPattern:))
        return String(validating: bytes, as: UTF8.self)
    }

    /// The serial number in capital hexadecimal digits, as `openssl x509 -serial` prints it.
    var serialNumber: String {
        let number = X509_get0_serialNumber(raw)
        let isNegative = ASN1_STRING_type(number) & V_ASN1_NEG != 0
        return (isNegative ? "-" : "") + Hex.text(Certificate.bytes(of: number)).uppercased()
    }

    /// The values of all UID attributes of the subject (RFC 4519 §2.39); `nil` for a value that isn't text.
    var subjectIDs: [String?] {
        let name = X509_get_subject_name(raw)
        var values: [String?] = []
        var index = X509_NAME_get_index_by_NID(name, NID_userId, -1)
        while index >= 0 {
            values.append(Certificate.text(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, index))))
            index = X509_NAME_get_index_by_NID(name, NID_userId, index)
        }
        return values
    }

    // Any of ASN.1's string types, as UTF-8.
    private static func text(_ string: UnsafePointer<ASN1_STRING>?) -> String? {
        ERR_clear_error()
        var start: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&start, string)
        guard count >= 0, let start else {
            ERR_clear_error()
            return nil
        }
        defer { CRYPTO_free(start, #file, Int32(#line)) }
        return String(validating: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    private static func bytes(of string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
        Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
    }

    // MARK: - Extensions

    /// The contents of all extensions with an object identifier (digits and periods); RFC 5280 §4.2 allows one.
    func extensions(_ identifier: String) -> [[UInt8]] {
        extensions().filter { $0.identifier == identifier }.map {
            Certificate.bytes(of: X509_EXTENSION_get_data($0.raw))
        }
    }

    /// The first critical extension that OpenSSL doesn't process and `known` doesn't list.
    func unhandledCriticalExtension(otherThan known: [String]) -> String? {
        extensions().first {
            X509_EXTENSION_get_critical($0.raw) != 0 && X509_supported_extension($0.raw) == 0
                && !known.contains($0.identifier)
        }?.identifier
    }

    private func extensions() -> [(identifier: String, raw: OpaquePointer)] {
        (0..<X509_get_ext_count(raw)).compactMap { index in
            guard let raw = X509_get_ext(raw, index) else { return nil }
            // Identifiers longer than 127 characters are cut; no known one is that long.
            let identifier = MynahTrust.text(capacity: 128) {
                OBJ_obj2txt($0, Int32($1), X509_EXTENSION_get_object(raw), 1) > 0
            }
            return (identifier ?? "", raw)
        }
    }
}
