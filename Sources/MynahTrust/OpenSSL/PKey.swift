internal import APNsRules
internal import COpenSSL

/// Owns one `EVP_PKEY` for the duration of one operation.
///
/// Keys are kept as bytes, so that threads share no OpenSSL object; making one takes a fifth of a verification.
struct PKey: ~Copyable {
    /// The algorithm of a key; only P-256 is used.
    enum Kind: Equatable {
        case p256
        case otherCurve(String)
        case otherAlgorithm(String)
    }

    let raw: OpaquePointer

    /// Takes ownership of a call's result; throws the call's error if it is `nil`.
    init(taking raw: OpaquePointer?, from call: String) throws(TrustError) {
        guard let raw else { throw .openSSL(call) }
        self.raw = raw
    }

    deinit { EVP_PKEY_free(raw) }

    static func generate() throws(TrustError) -> PKey {
        ERR_clear_error()
        return try PKey(taking: mynah_EVP_EC_gen("P-256"), from: "EVP_EC_gen")
    }

    /// Makes an RSA key, which takes some hundred milliseconds on a busy machine.
    static func generateRSA(bits: Int) throws(TrustError) -> PKey {
        ERR_clear_error()
        return try PKey(taking: mynah_EVP_RSA_gen(bits), from: "EVP_RSA_gen")
    }

    /// The length of the modulus of RSA, or of the order of a curve.
    var bitCount: Int { Int(EVP_PKEY_get_bits(raw)) }

    /// The private key in a PKCS#8 document (RFC 5958).
    static func pkcs8(_ der: [UInt8]) throws(TrustError) -> PKey {
        let document = try derDecoded(der, by: "d2i_PKCS8_PRIV_KEY_INFO") { d2i_PKCS8_PRIV_KEY_INFO(nil, $0, $1) }
        defer { PKCS8_PRIV_KEY_INFO_free(document) }
        return try PKey(taking: EVP_PKCS82PKEY(document), from: "EVP_PKCS82PKEY")
    }

    /// The first private key in a text, of any algorithm and any of PEM's forms (pem(3)), decrypted by the password, for
    /// which as many rounds are done as the text asks for.
    static func privateKey(pem: String, password: String) throws(TrustError) -> PKey {
        ERR_clear_error()
        let text = Array(pem.utf8)
        guard let bio = BIO_new(BIO_s_mem()) else { throw .openSSL("BIO_new") }
        defer { BIO_free(bio) }
        guard BIO_write(bio, text, Int32(text.count)) == Int32(text.count) else { throw .openSSL("BIO_write") }
        var password = password.utf8CString.map(\.self)
        return try PKey(taking: PEM_read_bio_PrivateKey(bio, nil, nil, &password), from: "PEM_read_bio_PrivateKey")
    }

    /// The public key in a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
    static func subjectPublicKeyInfo(_ der: [UInt8]) throws(TrustError) -> PKey {
        try PKey(taking: derDecoded(der, by: "d2i_PUBKEY") { d2i_PUBKEY(nil, $0, $1) }, from: "d2i_PUBKEY")
    }

    /// The public key with this point of P-256, uncompressed (SEC 1 §2.3.3).
    static func point(_ point: [UInt8]) throws(TrustError) -> PKey {
        ERR_clear_error()
        return try PKey(taking: mynah_EVP_PKEY_from_point("P-256", point, point.count), from: "EVP_PKEY_fromdata")
    }

    var kind: Kind {
        guard EVP_PKEY_is_a(raw, "EC") == 1 else {
            return .otherAlgorithm(EVP_PKEY_get0_type_name(raw).map { String(cString: $0) } ?? "unknown")
        }
        // The longest name of a curve in OpenSSL has 22 characters.
        let curve = text(capacity: 80) { EVP_PKEY_get_group_name(raw, $0, $1, nil) == 1 }
        return curve == "prime256v1" ? .p256 : .otherCurve(curve ?? "unnamed")
    }

    /// The public point of a P-256 key, uncompressed, 65 bytes; made from the coordinates, because OpenSSL returns the
    /// point compressed if it was read that way.
    func point() throws(TrustError) -> [UInt8] {
        ERR_clear_error()
        return try [0x04] + coordinate(OSSL_PKEY_PARAM_EC_PUB_X) + coordinate(OSSL_PKEY_PARAM_EC_PUB_Y)
    }

    /// The private number of a P-256 key, 32 bytes.
    func privateNumber() throws(TrustError) -> [UInt8] {
        ERR_clear_error()
        return try coordinate(OSSL_PKEY_PARAM_PRIV_KEY)
    }

    private func coordinate(_ name: String) throws(TrustError) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(raw, name, &number) == 1 else { throw .openSSL("EVP_PKEY_get_bn_param") }
        defer { BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: 32)
        guard BN_bn2binpad(number, &bytes, 32) == 32 else { throw .openSSL("BN_bn2binpad") }
        return bytes
    }

    func pkcs8() throws(TrustError) -> [UInt8] {
        ERR_clear_error()
        guard let document = EVP_PKEY2PKCS8(raw) else { throw .openSSL("EVP_PKEY2PKCS8") }
        defer { PKCS8_PRIV_KEY_INFO_free(document) }
        return try derEncoded("i2d_PKCS8_PRIV_KEY_INFO") { i2d_PKCS8_PRIV_KEY_INFO(document, $0) }
    }

    func subjectPublicKeyInfo() throws(TrustError) -> [UInt8] {
        ERR_clear_error()
        return try derEncoded("i2d_PUBKEY") { i2d_PUBKEY(raw, $0) }
    }

    func signature(of message: [UInt8], _ algorithm: ProviderToken.Algorithm) throws(TrustError) -> [UInt8] {
        ERR_clear_error()
        guard let context = EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit(context, nil, algorithm.digest, nil, raw) == 1 else {
            throw .openSSL("EVP_DigestSignInit")
        }
        // A signature over P-256 is at most 72 bytes.
        let signature = [UInt8](unsafeUninitializedCapacity: 80) { buffer, count in
            var length = buffer.count
            count = EVP_DigestSign(context, buffer.baseAddress, &length, message, message.count) == 1 ? length : 0
        }
        guard !signature.isEmpty else { throw .openSSL("EVP_DigestSign") }
        return signature
    }

    func verifies(
        _ signature: [UInt8], of message: [UInt8], _ algorithm: ProviderToken.Algorithm
    ) throws(TrustError) -> Bool {
        ERR_clear_error()
        guard let context = EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, algorithm.digest, nil, raw) == 1 else {
            throw .openSSL("EVP_DigestVerifyInit")
        }
        // 0 means a wrong signature, a negative number that r or s is out of range.
        let isGood = EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        if !isGood { ERR_clear_error() }
        return isGood
    }
}

extension ProviderToken.Algorithm {
    fileprivate var digest: OpaquePointer? { self == .es256 ? EVP_sha256() : EVP_sha512() }
}
