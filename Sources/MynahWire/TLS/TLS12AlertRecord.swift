internal import APNsRules
internal import COpenSSL

/// The numbers of a TLS record (RFC 5246 §6.2.1, RFC 8446 §5.1).
enum TLSRecord {
    /// The type of a record that carries a handshake message, with which every TLS client begins.
    static let handshake: UInt8 = 22
    /// The type of a record that carries an alert, and the version in a record's header: TLS 1.2, in TLS 1.3 too.
    static let alertHead: [UInt8] = [21, 3, 3]
}

extension TLSAlert {
    /// The alert's level (1 if it ends the connection in order, else 2; RFC 8446 §6, §6.1) and number.
    var bytes: [UInt8] { [self == .closeNotify || self == .userCanceled ? 1 : 2, rawValue] }
}

/// The record of any alert after the server's Finished in TLS 1.2 (RFC 5246 §6.2.3.3, §7.2), encrypted here with the
/// session's keys because OpenSSL doesn't let us choose an alert there.
enum TLS12AlertRecord {
    /// The suites for which the record can be made, as an OpenSSL cipher list: AEAD only (RFC 5288, RFC 7905).
    static let suites = "AESGCM:CHACHA20"

    private struct Suite {
        let cipher: OpaquePointer
        let keyBytes: Int
        /// Bytes of the nonce in the key block; the others are in the record.
        let fixedNonceBytes: Int
    }

    private static let nonceBytes = 12
    private static let tagBytes = 16
    private static let randomBytes = 32
    private static let masterSecretBytes = 48
    /// The server's Finished was record 0 under its keys.
    private static let sequence: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

    /// The whole record; `nil` if the session isn't TLS 1.2 or has another suite.
    static func bytes(_ alert: TLSAlert, _ ssl: OpaquePointer) -> [UInt8]? {
        guard SSL_version(ssl) == TLS1_2_VERSION, let suite = suite(ssl), let block = keyBlock(ssl, suite)
        else { return nil }
        let key = Array(block[suite.keyBytes..<(2 * suite.keyBytes)])
        let nonceStart = 2 * suite.keyBytes + suite.fixedNonceBytes
        let fixed = Array(block[nonceStart..<(nonceStart + suite.fixedNonceBytes)])
        let hasExplicitNonce = suite.fixedNonceBytes < nonceBytes
        let padded = [UInt8](repeating: 0, count: nonceBytes - sequence.count) + sequence
        let nonce = hasExplicitNonce ? fixed + sequence : zip(fixed, padded).map { $0 ^ $1 }
        let associated = sequence + TLSRecord.alertHead + [0, UInt8(alert.bytes.count)]
        guard let sealed = seal(alert.bytes, suite, key: key, nonce: nonce, associated: associated) else { return nil }
        let content = (hasExplicitNonce ? sequence : []) + sealed
        return TLSRecord.alertHead + [0, UInt8(content.count)] + content
    }

    private static func suite(_ ssl: OpaquePointer) -> Suite? {
        switch SSL_CIPHER_get_cipher_nid(SSL_get_current_cipher(ssl)) {
        case NID_aes_128_gcm: Suite(cipher: EVP_aes_128_gcm(), keyBytes: 16, fixedNonceBytes: 4)
        case NID_aes_256_gcm: Suite(cipher: EVP_aes_256_gcm(), keyBytes: 32, fixedNonceBytes: 4)
        case NID_chacha20_poly1305: Suite(cipher: EVP_chacha20_poly1305(), keyBytes: 32, fixedNonceBytes: 12)
        default: nil
        }
    }

    /// Keys and nonces of both sides: the client's, the server's (RFC 5246 §6.3).
    private static func keyBlock(_ ssl: OpaquePointer, _ suite: Suite) -> [UInt8]? {
        var secret = [UInt8](repeating: 0, count: masterSecretBytes)
        var server = [UInt8](repeating: 0, count: randomBytes)
        var client = [UInt8](repeating: 0, count: randomBytes)
        guard let digest = SSL_CIPHER_get_handshake_digest(SSL_get_current_cipher(ssl)),
            let name = EVP_MD_get0_name(digest),
            SSL_SESSION_get_master_key(SSL_get_session(ssl), &secret, secret.count) == secret.count,
            SSL_get_server_random(ssl, &server, server.count) == server.count,
            SSL_get_client_random(ssl, &client, client.count) == client.count
        else { return nil }
        let seed = Array("key expansion".utf8) + server + client
        var block = [UInt8](repeating: 0, count: 2 * (suite.keyBytes + suite.fixedNonceBytes))
        let result = mynah_TLS12_PRF(name, secret, secret.count, seed, seed.count, &block, block.count)
        return result == 1 ? block : nil
    }

    private static func seal(
        _ text: [UInt8], _ suite: Suite, key: [UInt8], nonce: [UInt8], associated: [UInt8]
    ) -> [UInt8]? {
        guard let context = EVP_CIPHER_CTX_new() else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: text.count)
        var tag = [UInt8](repeating: 0, count: tagBytes)
        var count: Int32 = 0
        guard EVP_EncryptInit_ex(context, suite.cipher, nil, key, nonce) == 1,
            EVP_EncryptUpdate(context, nil, &count, associated, Int32(associated.count)) == 1,
            EVP_EncryptUpdate(context, &sealed, &count, text, Int32(text.count)) == 1,
            EVP_EncryptFinal_ex(context, nil, &count) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
        else { return nil }
        return sealed + tag
    }
}
