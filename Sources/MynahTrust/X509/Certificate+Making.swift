internal import APNsRules
internal import COpenSSL
internal import MynahSystem

/// Making certificates.
extension Certificate {
    static func selfSigned(_ profile: CertificateProfile, key: P256PrivateKey) throws(TrustError) -> Certificate {
        try make(profile, subjectKey: key.publicKey.subjectPublicKeyInfo, issuer: nil, key: key.pkcs8)
    }

    /// Makes a certificate for a key of any algorithm (SubjectPublicKeyInfo), signed by this one's `key` (PKCS#8).
    func issue(
        _ profile: CertificateProfile, for subjectKey: [UInt8], signedWith key: [UInt8]
    ) throws(TrustError) -> Certificate {
        try Certificate.make(profile, subjectKey: subjectKey, issuer: raw, key: key)
    }

    /// Makes a certificate for `subjectKey`, signed with the issuer's `key`; without an issuer it is self-signed.
    private static func make(
        _ profile: CertificateProfile, subjectKey: [UInt8], issuer: OpaquePointer?, key: [UInt8]
    ) throws(TrustError) -> Certificate {
        ERR_clear_error()
        guard let raw = X509_new() else { throw .openSSL("X509_new") }
        let certificate = Certificate(taking: raw)
        guard X509_set_version(raw, Int(X509_VERSION_3)) == 1 else { throw .openSSL("X509_set_version") }
        try setRandomSerialNumber(of: raw)
        for (name, value) in profile.subject {
            // Not MBSTRING_UTF8, which enforces X.520's bounds (64 characters for CN); Apple ignores those.
            let added = X509_NAME_add_entry_by_txt(
                X509_get_subject_name(raw), name, V_ASN1_UTF8STRING, value, Int32(value.utf8.count), -1, 0)
            guard added == 1 else { throw .openSSL("X509_NAME_add_entry_by_txt") }
        }
        guard X509_set_issuer_name(raw, X509_get_subject_name(issuer ?? raw)) == 1 else {
            throw .openSSL("X509_set_issuer_name")
        }
        guard ASN1_TIME_set(X509_getm_notBefore(raw), time_t(profile.notBefore.milliseconds / 1000)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(raw), time_t(profile.notAfter.milliseconds / 1000)) != nil
        else { throw .openSSL("ASN1_TIME_set") }
        try PKey.subjectPublicKeyInfo(subjectKey).become(subjectOf: raw)
        for (name, value) in profile.extensions { try add(name, value, to: raw, issuer: issuer ?? raw) }
        try PKey.pkcs8(key).sign(raw)
        return certificate
    }

    // 16 random bytes, positive and never all zero: a CA must not repeat a serial number (RFC 5280 §4.1.2.2).
    private static func setRandomSerialNumber(of raw: OpaquePointer) throws(TrustError) {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard RAND_bytes(&bytes, Int32(bytes.count)) == 1 else { throw .openSSL("RAND_bytes") }
        bytes[0] = bytes[0] & 0x7F | 0x40
        guard let number = BN_bin2bn(bytes, Int32(bytes.count), nil) else { throw .openSSL("BN_bin2bn") }
        defer { BN_free(number) }
        guard BN_to_ASN1_INTEGER(number, X509_get_serialNumber(raw)) != nil else {
            throw .openSSL("BN_to_ASN1_INTEGER")
        }
    }

    private static func add(
        _ name: String, _ value: String, to raw: OpaquePointer, issuer: OpaquePointer
    ) throws(TrustError) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, raw, nil, nil, 0)
        guard let made = X509V3_EXT_conf(nil, &context, name, value) else { throw .openSSL("X509V3_EXT_conf \(name)") }
        defer { X509_EXTENSION_free(made) }
        guard X509_add_ext(raw, made, -1) == 1 else { throw .openSSL("X509_add_ext") }
    }
}

extension PKey {
    fileprivate func become(subjectOf certificate: OpaquePointer) throws(TrustError) {
        guard X509_set_pubkey(certificate, raw) == 1 else { throw .openSSL("X509_set_pubkey") }
    }

    fileprivate func sign(_ certificate: OpaquePointer) throws(TrustError) {
        guard X509_sign(certificate, raw, EVP_sha256()) > 0 else { throw .openSSL("X509_sign") }
    }
}
