internal import COpenSSL

/// What a key is derived from a password by, in files that may ask for any number of rounds.
enum KeyDerivation {
    /// The most rounds that a file may ask for, in all its parts together.
    ///
    /// So many rounds take some seconds. OpenSSL writes 2,048, and recommendations for stored passwords are below a
    /// million.
    static let roundsMax: Int64 = 5_000_000

    /// Throws for more; the rounds are not done then.
    static func check(_ rounds: Int64) throws(TrustError) {
        // What was no DER has left errors.
        ERR_clear_error()
        guard rounds > roundsMax else { return }
        throw .malformed(
            "asks for \(rounds) rounds to derive the key of its password: expected at most \(roundsMax)",
            remedy: "Export it again with fewer")
    }

    /// Throws for an encrypted key, PKCS#8 in DER, that asks for more.
    static func check(encryptedKey der: [UInt8]) throws(TrustError) { try check(mynah_rounds_of_PKCS8(der, der.count)) }
}
