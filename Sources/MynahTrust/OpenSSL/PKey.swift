internal import COpenSSL

/// The hash under an ECDSA signature.
enum SignatureHash: Sendable {
    case sha256
    case sha512
}

/// Owns one `EVP_PKEY` for the length of one operation.
///
/// Keys are kept as bytes and become a C object only here, so that threads share none of OpenSSL's objects. Making one
/// from a point takes a fifth of the time of the verification that follows.
struct PKey: ~Copyable {
    /// The algorithm of a key; only P-256 is used.
    enum Kind: Equatable {
        case p256
        case otherCurve(String)
        case otherAlgorithm(String)
    }

    let raw: OpaquePointer

    deinit { EVP_PKEY_free(raw) }

    /// Takes ownership of a call's result; `nil` is that call's failure.
    init(taking raw: OpaquePointer?, from call: String) throws(OpenSSLError) {
        guard let raw else { throw OpenSSLError(call) }
        self.raw = raw
    }

    /// A new key pair on P-256.
    static func generate() throws(OpenSSLError) -> PKey {
        OpenSSLError.clearQueue()
        return try PKey(taking: mynah_EVP_EC_gen("P-256"), from: "EVP_EC_gen")
    }

    /// The private key in a PKCS#8 document (RFC 5958).
    static func pkcs8(_ der: [UInt8]) throws(OpenSSLError) -> PKey {
        OpenSSLError.clearQueue()
        let document = der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_PKCS8_PRIV_KEY_INFO(nil, &cursor, buffer.count)
        }
        guard let document else { throw OpenSSLError("d2i_PKCS8_PRIV_KEY_INFO") }
        defer { PKCS8_PRIV_KEY_INFO_free(document) }
        return try PKey(taking: EVP_PKCS82PKEY(document), from: "EVP_PKCS82PKEY")
    }

    /// The first private key in a text, of any algorithm and any of PEM's forms (pem(3)).
    ///
    /// - Parameter password: Decrypts the key; OpenSSL doesn't ask on the terminal.
    static func privateKey(pem: String, password: String) throws(OpenSSLError) -> PKey {
        OpenSSLError.clearQueue()
        let text = Array(pem.utf8)
        guard let bio = BIO_new(BIO_s_mem()) else { throw OpenSSLError("BIO_new") }
        defer { BIO_free(bio) }
        guard BIO_write(bio, text, Int32(text.count)) == Int32(text.count) else { throw OpenSSLError("BIO_write") }
        var password = password.utf8CString.map(\.self)
        return try PKey(taking: PEM_read_bio_PrivateKey(bio, nil, nil, &password), from: "PEM_read_bio_PrivateKey")
    }

    /// The public key in a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
    static func subjectPublicKeyInfo(_ der: [UInt8]) throws(OpenSSLError) -> PKey {
        OpenSSLError.clearQueue()
        let raw = der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_PUBKEY(nil, &cursor, buffer.count)
        }
        return try PKey(taking: raw, from: "d2i_PUBKEY")
    }

    /// The public key with this point of P-256, uncompressed (SEC 1 §2.3.3).
    static func point(_ point: [UInt8]) throws(OpenSSLError) -> PKey {
        OpenSSLError.clearQueue()
        let raw = mynah_EVP_PKEY_from_point("P-256", point, point.count)
        return try PKey(taking: raw, from: "EVP_PKEY_fromdata")
    }

    /// Algorithm and curve.
    var kind: Kind {
        guard EVP_PKEY_is_a(raw, "EC") == 1 else {
            return .otherAlgorithm(EVP_PKEY_get0_type_name(raw).map { String(cString: $0) } ?? "unknown")
        }
        // The longest name of a curve in OpenSSL has 22 characters.
        var length = 0
        let name = [CChar](unsafeUninitializedCapacity: 80) { buffer, count in
            count = EVP_PKEY_get_group_name(raw, buffer.baseAddress, buffer.count, &length) == 1 ? length : 0
        }
        let text = String(decoding: name.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text == "prime256v1" ? .p256 : .otherCurve(text.isEmpty ? "unnamed" : text)
    }

    /// The public point of a P-256 key, uncompressed: 65 bytes.
    ///
    /// Made from the coordinates, because OpenSSL returns the point compressed if it was read so.
    func point() throws(OpenSSLError) -> [UInt8] {
        OpenSSLError.clearQueue()
        return try [0x04] + coordinate(OSSL_PKEY_PARAM_EC_PUB_X) + coordinate(OSSL_PKEY_PARAM_EC_PUB_Y)
    }

    private func coordinate(_ name: String) throws(OpenSSLError) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(raw, name, &number) == 1 else { throw OpenSSLError("EVP_PKEY_get_bn_param") }
        defer { BN_free(number) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            count = BN_bn2binpad(number, buffer.baseAddress, 32) == 32 ? 32 : 0
        }
        guard bytes.count == 32 else { throw OpenSSLError("BN_bn2binpad") }
        return bytes
    }

    /// The private key as PKCS#8.
    func pkcs8() throws(OpenSSLError) -> [UInt8] {
        OpenSSLError.clearQueue()
        guard let document = EVP_PKEY2PKCS8(raw) else { throw OpenSSLError("EVP_PKEY2PKCS8") }
        defer { PKCS8_PRIV_KEY_INFO_free(document) }
        return try derEncoded("i2d_PKCS8_PRIV_KEY_INFO") { i2d_PKCS8_PRIV_KEY_INFO(document, $0) }
    }

    /// The public key as SubjectPublicKeyInfo.
    func subjectPublicKeyInfo() throws(OpenSSLError) -> [UInt8] {
        OpenSSLError.clearQueue()
        return try derEncoded("i2d_PUBKEY") { i2d_PUBKEY(raw, $0) }
    }

    /// An ECDSA signature in DER.
    func signature(of message: [UInt8], hash: SignatureHash) throws(OpenSSLError) -> [UInt8] {
        OpenSSLError.clearQueue()
        guard let context = EVP_MD_CTX_new() else { throw OpenSSLError("EVP_MD_CTX_new") }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit(context, nil, PKey.digest(hash), nil, raw) == 1 else {
            throw OpenSSLError("EVP_DigestSignInit")
        }
        // A signature over P-256 is at most 72 bytes.
        let signature = [UInt8](unsafeUninitializedCapacity: 80) { buffer, count in
            var length = buffer.count
            count = EVP_DigestSign(context, buffer.baseAddress, &length, message, message.count) == 1 ? length : 0
        }
        guard !signature.isEmpty else { throw OpenSSLError("EVP_DigestSign") }
        return signature
    }

    /// Whether a signature in DER is this key's over the message.
    func verifies(_ signature: [UInt8], of message: [UInt8], hash: SignatureHash) throws(OpenSSLError) -> Bool {
        OpenSSLError.clearQueue()
        guard let context = EVP_MD_CTX_new() else { throw OpenSSLError("EVP_MD_CTX_new") }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, PKey.digest(hash), nil, raw) == 1 else {
            throw OpenSSLError("EVP_DigestVerifyInit")
        }
        // 0 means a wrong signature, a negative number that r or s is out of range.
        let isGood = EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        if !isGood { OpenSSLError.clearQueue() }
        return isGood
    }

    private static func digest(_ hash: SignatureHash) -> OpaquePointer? {
        switch hash {
        case .sha256: EVP_sha256()
        case .sha512: EVP_sha512()
        }
    }
}
