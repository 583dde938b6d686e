internal import APNsRules
internal import COpenSSL

/// The key and nonce of one encrypted message, derived by both sides alike (RFC 8291 §3.4, RFC 8188 §2.2).
struct MessageKeys {
    private static let keyBytes = 16
    private static let nonceBytes = 12
    static let tagBytes = 16

    private let key: [UInt8]
    private let nonce: [UInt8]

    /// Derives them from what both sides know.
    ///
    /// - Parameter agreed: the result of ECDH with the private key of one side and the public key of the other.
    init(
        agreed: [UInt8], receiver: [UInt8], sender: [UInt8], authenticationSecret: [UInt8], salt: [UInt8],
        encoding: WebPushEncoding
    ) throws(TrustError) {
        let extracted = try MessageKeys.hmac(key: authenticationSecret, agreed)
        let purpose: [UInt8]
        let context: [UInt8]
        switch encoding {
        case .aes128gcm:
            purpose = Array("WebPush: info".utf8) + [0] + receiver + sender
            context = []
        case .aesgcm:
            purpose = Array("Content-Encoding: auth".utf8) + [0]
            // Each key with its length in two bytes.
            let length: [UInt8] = [0, UInt8(WebPushLimits.pointBytes)]
            context = Array("P-256".utf8) + [0] + length + receiver + length + sender
        }
        try self.init(material: MessageKeys.expand(extracted, purpose), salt: salt, encoding, context: context)
    }

    /// Derives them from keying material (RFC 8188 §2.2).
    init(
        material: [UInt8], salt: [UInt8], _ encoding: WebPushEncoding = .aes128gcm, context: [UInt8] = []
    ) throws(TrustError) {
        let pseudorandom = try MessageKeys.hmac(key: salt, material)
        func derive(_ name: String) throws(TrustError) -> [UInt8] {
            try MessageKeys.expand(pseudorandom, Array("Content-Encoding: \(name)".utf8) + [0] + context)
        }
        key = Array(try derive(encoding.rawValue).prefix(MessageKeys.keyBytes))
        nonce = Array(try derive("nonce").prefix(MessageKeys.nonceBytes))
    }

    /// The first block of HKDF-Expand with SHA-256, 32 bytes (RFC 5869 §2.3); nothing here needs a second.
    private static func expand(_ key: [UInt8], _ purpose: [UInt8]) throws(TrustError) -> [UInt8] {
        try hmac(key: key, purpose + [1])
    }

    private static func hmac(key: [UInt8], _ message: [UInt8]) throws(TrustError) -> [UInt8] {
        ERR_clear_error()
        var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, &count) != nil else {
            throw .openSSL("HMAC")
        }
        return Array(code.prefix(Int(count)))
    }

    /// Encrypts one record, and appends the tag.
    func seal(_ text: [UInt8]) throws(TrustError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: MessageKeys.tagBytes)
        guard let sealed = try transform(text, tag: &tag, isSealing: true) else { throw .openSSL("EVP_CipherFinal_ex") }
        return sealed + tag
    }

    /// Decrypts one record with its tag at the end; `nil` if the tag isn't right by these keys.
    func open(_ record: [UInt8]) throws(TrustError) -> [UInt8]? {
        guard record.count >= MessageKeys.tagBytes else { return nil }
        var tag = Array(record.suffix(MessageKeys.tagBytes))
        return try transform(record.dropLast(MessageKeys.tagBytes), tag: &tag, isSealing: false)
    }

    /// Encrypts a text and sets its tag, or decrypts a text if its tag is right.
    private func transform(_ text: [UInt8], tag: inout [UInt8], isSealing: Bool) throws(TrustError) -> [UInt8]? {
        ERR_clear_error()
        guard let context = EVP_CIPHER_CTX_new() else { throw .openSSL("EVP_CIPHER_CTX_new") }
        defer { EVP_CIPHER_CTX_free(context) }
        let tagBytes = Int32(tag.count)
        var result = [UInt8](repeating: 0, count: text.count)
        var count: Int32 = 0
        guard EVP_CipherInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce, isSealing ? 1 : 0) == 1,
            EVP_CipherUpdate(context, &result, &count, text, Int32(text.count)) == 1,
            isSealing || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tagBytes, &tag) == 1
        else { throw .openSSL("EVP_CipherUpdate") }
        guard EVP_CipherFinal_ex(context, nil, &count) == 1 else { return nil }
        guard !isSealing || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tagBytes, &tag) == 1 else {
            throw .openSSL("EVP_CIPHER_CTX_ctrl")
        }
        return result
    }
}

extension PKey {
    /// The secret that this private key and a public one agree on (SP 800-56A §5.7.1.2): 32 bytes.
    func agree(with other: borrowing PKey) throws(TrustError) -> [UInt8] {
        ERR_clear_error()
        guard let context = EVP_PKEY_CTX_new(raw, nil) else { throw .openSSL("EVP_PKEY_CTX_new") }
        defer { EVP_PKEY_CTX_free(context) }
        var secret = [UInt8](repeating: 0, count: 32)
        var count = secret.count
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, other.raw) == 1,
            EVP_PKEY_derive(context, &secret, &count) == 1, count == secret.count
        else { throw .openSSL("EVP_PKEY_derive") }
        return secret
    }
}
