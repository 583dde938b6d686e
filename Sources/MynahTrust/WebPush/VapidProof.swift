package import APNsRules
internal import COpenSSL

extension VapidProof {
    /// Verifies by OpenSSL.
    package static func verify(_ signature: [UInt8], _ signed: [UInt8], _ key: [UInt8]) -> VapidProof {
        guard let key = try? P256PublicKey(point: key) else { return .notOnCurve }
        return (try? key.verifies(signature, of: signed, .es256)) == true ? .valid : .wrong
    }
}

/// Random bytes of OpenSSL's generator.
func randomBytes(_ count: Int) throws(TrustError) -> [UInt8] {
    ERR_clear_error()
    var bytes = [UInt8](repeating: 0, count: count)
    guard RAND_bytes(&bytes, Int32(count)) == 1 else { throw .openSSL("RAND_bytes") }
    return bytes
}
