internal import COpenSSL

/// The content of a PKCS#12 archive: a certificate, its key and further certificates (RFC 7292).
struct PKCS12Archive {
    /// Why an archive can't be opened.
    enum Fault: Error {
        case notPKCS12
        case wrongPassword
        /// The archive is encrypted with an algorithm of OpenSSL's legacy provider, usually RC2 with 40 bits.
        case legacy
        case other(OpenSSLError)
    }

    /// The certificate of the key, DER.
    let certificate: [UInt8]?
    /// The key, PKCS#8.
    let key: [UInt8]?
    /// The other certificates, DER.
    let others: [[UInt8]]

    init(certificate: [UInt8]?, key: [UInt8]?, others: [[UInt8]]) {
        self.certificate = certificate
        self.key = key
        self.others = others
    }

    /// DER, encrypted with OpenSSL's default algorithms.
    func encoded(password: String, name: String) throws(OpenSSLError) -> [UInt8] {
        guard let key, let certificate else { preconditionFailure("an archive that is encoded has both") }
        return try PKCS12Archive.encoded(
            Certificate(der: certificate), PKey.pkcs8(key), CertificateStack.of(others), password, name)
    }

    private static func encoded(
        _ certificate: borrowing Certificate, _ key: borrowing PKey, _ others: borrowing CertificateStack,
        _ password: String, _ name: String
    ) throws(OpenSSLError) -> [UInt8] {
        OpenSSLError.clearQueue()
        // The zeros stand for OpenSSL's own choice of algorithms and rounds.
        guard let raw = PKCS12_create(password, name, key.raw, certificate.raw, others.raw, 0, 0, 0, 0, 0) else {
            throw OpenSSLError("PKCS12_create")
        }
        defer { PKCS12_free(raw) }
        return try derEncoded("i2d_PKCS12") { i2d_PKCS12(raw, $0) }
    }

    /// Opens an archive.
    ///
    /// - Parameter password: `nil` opens archives without a password or with an empty one.
    init(opening bytes: [UInt8], password: String?) throws(Fault) {
        do {
            self = try PKCS12Archive.opened(bytes, password, nil)
        } catch .legacy {
            let library = LegacyLibrary()
            guard let context = library.context else { throw .legacy }
            self = try PKCS12Archive.opened(bytes, password, context)
        }
    }

    private static func opened(
        _ bytes: [UInt8], _ password: String?, _ library: OpaquePointer?
    ) throws(Fault) -> PKCS12Archive {
        OpenSSLError.clearQueue()
        var raw = PKCS12_init_ex(NID_pkcs7_data, library, nil)
        let isRead = bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_PKCS12(&raw, &cursor, buffer.count) != nil
                && cursor == buffer.baseAddress.map { $0 + buffer.count }
        }
        // d2i frees what it was given when it fails, and then sets it to NULL.
        guard let raw else {
            OpenSSLError.clearQueue()
            throw .notPKCS12
        }
        defer { PKCS12_free(raw) }
        guard isRead else { throw .notPKCS12 }
        try checkPassword(raw, password)
        var key: OpaquePointer?
        var certificate: OpaquePointer?
        var others: OpaquePointer?
        OpenSSLError.clearQueue()
        guard PKCS12_parse(raw, password, &key, &certificate, &others) == 1 else {
            throw ERR_peek_error() == 0 ? .other(OpenSSLError("PKCS12_parse")) : fault(OpenSSLError("PKCS12_parse"))
        }
        do throws(OpenSSLError) {
            let others = try CertificateStack(taking: others)
            let keyDER = try key.map { (raw) throws(OpenSSLError) in try PKey(taking: raw, from: "PKCS12_parse").pkcs8()
            }
            let own = try certificate.map { (raw) throws(OpenSSLError) in try Certificate(taking: raw).der() }
            return PKCS12Archive(certificate: own, key: keyDER, others: try others.ders())
        } catch {
            throw .other(error)
        }
    }

    private static func checkPassword(_ raw: OpaquePointer, _ password: String?) throws(Fault) {
        // PKCS12_parse refuses an archive without a MAC.
        guard PKCS12_mac_present(raw) == 1 else { return }
        OpenSSLError.clearQueue()
        let isRight =
            if let password, !password.isEmpty {
                PKCS12_verify_mac(raw, password, -1) == 1
            } else {
                PKCS12_verify_mac(raw, nil, 0) == 1 || PKCS12_verify_mac(raw, "", 0) == 1
            }
        guard !isRight else { return }
        let error = OpenSSLError("PKCS12_verify_mac")
        throw error.isUnsupported ? .legacy : .wrongPassword
    }

    private static func fault(_ error: OpenSSLError) -> Fault {
        if error.isUnsupported { return .legacy }
        // Decrypting with a wrong key results in bad padding or in bytes that aren't ASN.1.
        return error.lines.contains { $0.contains("decrypt") || $0.contains("asn1") } ? .wrongPassword : .other(error)
    }
}

/// OpenSSL with its legacy algorithms, in a context of its own.
private struct LegacyLibrary: ~Copyable {
    /// `OSSL_LIB_CTX`; `nil` if the legacy algorithms aren't installed.
    let context: OpaquePointer?
    private let providers: [OpaquePointer]

    init() {
        let context = OSSL_LIB_CTX_new()
        // Loading a provider explicitly disables the default one, which has the remaining algorithms.
        let names: [String] = ["legacy", "default"]
        let loaded = names.compactMap { name in OSSL_PROVIDER_load(context, name) }
        self.providers = loaded
        guard loaded.count == names.count else {
            OpenSSLError.clearQueue()
            for provider in loaded { OSSL_PROVIDER_unload(provider) }
            OSSL_LIB_CTX_free(context)
            self.context = nil
            return
        }
        self.context = context
    }

    deinit {
        guard let context else { return }
        for provider in providers { OSSL_PROVIDER_unload(provider) }
        OSSL_LIB_CTX_free(context)
    }
}
