internal import APNsRules
internal import COpenSSL
internal import Glibc

/// Owns one `X509` for the length of one operation; only the files of this type know the C type.
///
/// Certificates are kept as DER or PEM.
struct Certificate: ~Copyable {
    let raw: OpaquePointer

    /// Takes ownership of an `X509`.
    init(taking raw: OpaquePointer) {
        self.raw = raw
    }

    deinit { X509_free(raw) }

    // MARK: - Reading and writing

    /// Reads DER; bytes after the certificate are refused.
    init(der: [UInt8]) throws(OpenSSLError) {
        OpenSSLError.clearQueue()
        let (raw, rest) = der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            let raw = d2i_X509(nil, &cursor, buffer.count)
            let read = cursor.flatMap { cursor in buffer.baseAddress.map { cursor - $0 } } ?? 0
            return (raw, buffer.count - read)
        }
        guard let raw else { throw OpenSSLError("d2i_X509") }
        guard rest == 0 else {
            X509_free(raw)
            throw OpenSSLError("d2i_X509 (\(rest) bytes too many)")
        }
        self.raw = raw
    }

    /// The certificate in DER.
    func der() throws(OpenSSLError) -> [UInt8] {
        let raw = raw
        return try derEncoded("i2d_X509") { i2d_X509(raw, $0) }
    }

    /// The certificate's public key as SubjectPublicKeyInfo.
    func subjectPublicKeyInfo() throws(OpenSSLError) -> [UInt8] {
        let key = X509_get_X509_PUBKEY(raw)
        return try derEncoded("i2d_X509_PUBKEY") { i2d_X509_PUBKEY(key, $0) }
    }

    func notBefore() throws(OpenSSLError) -> Instant { try Certificate.instant(X509_get0_notBefore(raw)) }

    func notAfter() throws(OpenSSLError) -> Instant { try Certificate.instant(X509_get0_notAfter(raw)) }

    private static func instant(_ time: UnsafePointer<ASN1_TIME>?) throws(OpenSSLError) -> Instant {
        OpenSSLError.clearQueue()
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { throw OpenSSLError("ASN1_TIME_to_tm") }
        return Instant(seconds: Int64(timegm(&parts)))
    }

    /// Whether the certificate may sign others.
    var isAuthority: Bool { X509_check_ca(raw) > 0 }

    /// Whether the certificate has exactly this name; a wildcard matches only itself.
    func holds(_ name: CertificateName) -> Bool {
        switch name {
        case .dns(let text):
            let flags = UInt32(X509_CHECK_FLAG_NO_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)
            return X509_check_host(raw, text, text.utf8.count, flags, nil) == 1
        case .address(let bytes):
            return X509_check_ip(raw, bytes, bytes.count, 0) == 1
        }
    }

    // MARK: - Making

    /// Makes a self-signed certificate.
    static func selfSigned(_ profile: CertificateProfile, key: P256PrivateKey) throws(OpenSSLError) -> Certificate {
        try make(
            profile, subjectKey: PKey.point(key.publicKey.point).subjectPublicKeyInfo(), issuer: nil, key: key.pkcs8)
    }

    /// Makes a certificate for another key, signed by this one's.
    func issue(
        _ profile: CertificateProfile, for subject: P256PublicKey, signedWith key: P256PrivateKey
    ) throws(OpenSSLError) -> Certificate {
        try issue(profile, for: PKey.point(subject.point).subjectPublicKeyInfo(), signedWith: key.pkcs8)
    }

    /// Makes a certificate for a key of any algorithm (SubjectPublicKeyInfo), signed by this one's (PKCS#8).
    func issue(
        _ profile: CertificateProfile, for subjectKey: [UInt8], signedWith key: [UInt8]
    ) throws(OpenSSLError) -> Certificate {
        try Certificate.make(profile, subjectKey: subjectKey, issuer: raw, key: key)
    }

    /// - Parameters:
    ///   - subjectKey: SubjectPublicKeyInfo of any algorithm.
    ///   - issuer: The signer's certificate; `nil` for a self-signed one.
    ///   - key: The signer's key: PKCS#8, of any algorithm.
    private static func make(
        _ profile: CertificateProfile, subjectKey: [UInt8], issuer: OpaquePointer?, key: [UInt8]
    ) throws(OpenSSLError) -> Certificate {
        OpenSSLError.clearQueue()
        guard let raw = X509_new() else { throw OpenSSLError("X509_new") }
        let certificate = Certificate(taking: raw)
        guard X509_set_version(raw, Int(X509_VERSION_3)) == 1 else { throw OpenSSLError("X509_set_version") }
        try setRandomSerialNumber(of: raw)
        for (name, value) in profile.subject {
            // Not MBSTRING_UTF8, which enforces X.520's bounds (64 characters for CN); Apple ignores those.
            let added = X509_NAME_add_entry_by_txt(
                X509_get_subject_name(raw), name, V_ASN1_UTF8STRING, value, Int32(value.utf8.count), -1, 0)
            guard added == 1 else { throw OpenSSLError("X509_NAME_add_entry_by_txt") }
        }
        guard X509_set_issuer_name(raw, X509_get_subject_name(issuer ?? raw)) == 1 else {
            throw OpenSSLError("X509_set_issuer_name")
        }
        guard ASN1_TIME_set(X509_getm_notBefore(raw), time_t(profile.notBefore.milliseconds / 1000)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(raw), time_t(profile.notAfter.milliseconds / 1000)) != nil
        else { throw OpenSSLError("ASN1_TIME_set") }
        try setPublicKey(of: raw, subjectKey)
        for (name, value) in profile.extensions { try add(name, value, to: raw, issuer: issuer ?? raw) }
        try sign(raw, with: key)
        return certificate
    }

    // 16 random bytes, positive and never all zero: a CA must not repeat a serial number (RFC 5280 §4.1.2.2).
    private static func setRandomSerialNumber(of raw: OpaquePointer) throws(OpenSSLError) {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard RAND_bytes(&bytes, Int32(bytes.count)) == 1 else { throw OpenSSLError("RAND_bytes") }
        bytes[0] = bytes[0] & 0x7F | 0x40
        guard let number = BN_bin2bn(bytes, Int32(bytes.count), nil) else { throw OpenSSLError("BN_bin2bn") }
        defer { BN_free(number) }
        guard BN_to_ASN1_INTEGER(number, X509_get_serialNumber(raw)) != nil else {
            throw OpenSSLError("BN_to_ASN1_INTEGER")
        }
    }

    private static func setPublicKey(of raw: OpaquePointer, _ der: [UInt8]) throws(OpenSSLError) {
        let key = der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_PUBKEY(nil, &cursor, buffer.count)
        }
        defer { EVP_PKEY_free(key) }
        guard key != nil, X509_set_pubkey(raw, key) == 1 else { throw OpenSSLError("X509_set_pubkey") }
    }

    private static func add(
        _ name: String, _ value: String, to raw: OpaquePointer, issuer: OpaquePointer
    ) throws(OpenSSLError) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, raw, nil, nil, 0)
        guard let made = X509V3_EXT_conf(nil, &context, name, value) else {
            throw OpenSSLError("X509V3_EXT_conf \(name)")
        }
        defer { X509_EXTENSION_free(made) }
        guard X509_add_ext(raw, made, -1) == 1 else { throw OpenSSLError("X509_add_ext") }
    }

    private static func sign(_ raw: OpaquePointer, with key: [UInt8]) throws(OpenSSLError) {
        let signingKey = key.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_AutoPrivateKey(nil, &cursor, buffer.count)
        }
        defer { EVP_PKEY_free(signingKey) }
        guard signingKey != nil, X509_sign(raw, signingKey, EVP_sha256()) > 0 else { throw OpenSSLError("X509_sign") }
    }
}
