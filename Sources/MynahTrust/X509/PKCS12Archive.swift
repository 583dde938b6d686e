internal import COpenSSL

/// The content of a PKCS#12 archive: a certificate, its key and further certificates (RFC 7292).
struct PKCS12Archive {
    let certificate: [UInt8]?
    let key: [UInt8]?
    /// The other certificates, DER.
    let others: [[UInt8]]

    /// The rounds of OpenSSL, and of Keychain Access, for keys and MAC.
    private static let rounds: Int32 = 2048

    /// Makes an archive in DER with what Keychain Access exports, because readers of providers know little else: a bag
    /// with the certificate and one with its key, both encrypted by 3DES, and a MAC by SHA-1.
    static func encode(
        certificate: [UInt8], key: [UInt8], password: String, name: String
    ) throws(TrustError) -> [UInt8] {
        let certificate = try Certificate(der: certificate)
        let key = try PKey.pkcs8(key)
        ERR_clear_error()
        let cipher = NID_pbe_WithSHA1And3_Key_TripleDES_CBC
        // -1 leaves the MAC out, which would have SHA-256.
        guard let raw = PKCS12_create(password, name, key.raw, certificate.raw, nil, cipher, cipher, rounds, -1, 0)
        else { throw .openSSL("PKCS12_create") }
        defer { PKCS12_free(raw) }
        guard PKCS12_set_mac(raw, password, -1, nil, 0, rounds, EVP_sha1()) == 1 else {
            throw .openSSL("PKCS12_set_mac")
        }
        return try derEncoded("i2d_PKCS12") { i2d_PKCS12(raw, $0) }
    }
}

extension PKCS12Archive {
    private static let exportAgain = "Export certificate and key again, as .p12 or PEM"

    /// Opens an archive; a `nil` password opens one with no or an empty password; an error is a clause about the file.
    init(opening bytes: [UInt8], password: String?) throws(TrustError) {
        if let archive = try PKCS12Archive.opened(bytes, password: password, library: nil) {
            self = archive
            return
        }
        let library = LegacyLibrary()
        guard let context = library.context else { throw PKCS12Archive.legacy }
        guard let archive = try PKCS12Archive.opened(bytes, password: password, library: context) else {
            throw PKCS12Archive.legacy
        }
        self = archive
    }

    /// An archive that was opened; `nil` if it is encrypted with an algorithm that the library doesn't have.
    private static func opened(
        _ bytes: [UInt8], password: String?, library: OpaquePointer?
    ) throws(TrustError) -> PKCS12Archive? {
        ERR_clear_error()
        var raw = PKCS12_init_ex(NID_pkcs7_data, library, nil)
        let isRead = bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_PKCS12(&raw, &cursor, buffer.count) != nil
                && cursor == buffer.baseAddress.map { $0 + buffer.count }
        }
        // On failure d2i frees its argument and sets it to NULL.
        guard let raw else {
            ERR_clear_error()
            throw notPKCS12
        }
        defer { PKCS12_free(raw) }
        guard isRead else { throw notPKCS12 }
        try KeyDerivation.check(mynah_rounds_of_PKCS12(raw))
        guard try isVerifiable(raw, password) else { return nil }
        var key: OpaquePointer?
        var certificate: OpaquePointer?
        var others: OpaquePointer?
        ERR_clear_error()
        guard PKCS12_parse(raw, password, &key, &certificate, &others) == 1 else {
            let error = TrustError.openSSL("PKCS12_parse")
            if isUnsupported(error) { return nil }
            // Decrypting with a wrong key results in bad padding or in bytes that aren't ASN.1.
            let isOfPassword = ["decrypt", "asn1"].contains { error.problem.contains($0) }
            throw isOfPassword ? wrongPassword(password) : unreadable(error)
        }
        do throws(TrustError) {
            let others = try CertificateStack(taking: others)
            let key = try key.map { (raw) throws(TrustError) in try PKey(taking: raw, from: "PKCS12_parse").pkcs8() }
            let certificate = try certificate.map { (raw) throws(TrustError) in try Certificate(taking: raw).der() }
            return PKCS12Archive(certificate: certificate, key: key, others: try others.ders())
        } catch {
            throw unreadable(error)
        }
    }

    /// Whether the library has the algorithm of an archive's MAC; throws if the MAC doesn't fit the password.
    private static func isVerifiable(_ raw: OpaquePointer, _ password: String?) throws(TrustError) -> Bool {
        // PKCS12_parse refuses an archive without a MAC.
        guard PKCS12_mac_present(raw) == 1 else { return true }
        ERR_clear_error()
        let isRight =
            if let password, !password.isEmpty {
                PKCS12_verify_mac(raw, password, -1) == 1
            } else {
                PKCS12_verify_mac(raw, nil, 0) == 1 || PKCS12_verify_mac(raw, "", 0) == 1
            }
        guard !isRight else { return true }
        guard !isUnsupported(.openSSL("PKCS12_verify_mac")) else { return false }
        throw wrongPassword(password)
    }

    private static func isUnsupported(_ error: TrustError) -> Bool {
        ["unsupported", "unknown cipher"].contains { error.problem.contains($0) }
    }

    // MARK: - Errors

    private static let notPKCS12 = TrustError.malformed(
        "is neither PKCS#12 nor PEM, nor a certificate in DER", remedy: exportAgain)

    /// The error of a file that is encrypted with an algorithm of OpenSSL's legacy provider, usually RC2 with 40 bits.
    private static let legacy = TrustError.malformed(
        "is PKCS#12 encrypted with an old algorithm of OpenSSL's legacy provider, which is not installed",
        remedy: "Convert it where it is installed: `openssl pkcs12 -legacy -in FILE -nodes -out FILE.pem`")

    private static func wrongPassword(_ password: String?) -> TrustError {
        TrustError(
            .badSetting,
            "is PKCS#12 with a \(password == nil ? "password, but none was given" : "different password")",
            remedy: "Give its password")
    }

    private static func unreadable(_ error: TrustError) -> TrustError {
        .malformed("is PKCS#12 that OpenSSL cannot open (\(error.problem))", remedy: exportAgain)
    }
}

/// A separate OpenSSL context with the legacy algorithms.
private struct LegacyLibrary: ~Copyable {
    /// `OSSL_LIB_CTX`; `nil` if the legacy algorithms aren't installed.
    var context: OpaquePointer? { providers.count == LegacyLibrary.names.count ? library : nil }

    // Loading a provider explicitly disables the default one, which has the remaining algorithms.
    private static let names = ["legacy", "default"]
    private let library: OpaquePointer?
    private let providers: [OpaquePointer]

    init() {
        let library = OSSL_LIB_CTX_new()
        self.library = library
        self.providers = LegacyLibrary.names.compactMap { OSSL_PROVIDER_load(library, $0) }
        ERR_clear_error()
    }

    deinit {
        for provider in providers { OSSL_PROVIDER_unload(provider) }
        OSSL_LIB_CTX_free(library)
    }
}
