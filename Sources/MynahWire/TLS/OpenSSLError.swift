internal import COpenSSL

/// An error of OpenSSL: every line of its error queue after a call that failed.
package struct OpenSSLError: Error, Sendable, CustomStringConvertible {
    /// A line for each error, the oldest first; empty if the queue was.
    let lines: [String]
    /// The reason codes of OpenSSL's TLS library (`SSL_R_…`) among the errors, in the order of the lines.
    var reasons: [Int32] = []
    /// What of a client's context can't be used, such as "the CA"; `nil` for an error of anything else.
    private(set) var part: String?

    /// The alert that the peer sent, if one is the cause (RFC 8446 §6): its reason is its number plus an offset.
    var alert: ReceivedAlert? {
        reasons.lazy.compactMap { UInt8(exactly: $0 - Int32(SSL_AD_REASON_OFFSET)) }.last.map(ReceivedAlert.init)
    }

    /// Whether the certificate of the peer can't be verified.
    var concernsVerification: Bool { reasons.contains(Int32(SSL_R_CERTIFICATE_VERIFY_FAILED)) }
    /// Whether what came was no record of TLS.
    var concernsProtocol: Bool { reasons.contains(Int32(SSL_R_WRONG_VERSION_NUMBER)) }

    package var description: String {
        let reason = lines.isEmpty ? "OpenSSL gave no reason" : lines.joined(separator: "; ")
        return part.map { "\($0) can't be used: \(reason)" } ?? reason
    }

    /// This error with the part of a client's context that it is about.
    func of(_ part: String) -> OpenSSLError {
        var error = self
        error.part = part
        return error
    }

    /// Takes everything out of this thread's error queue.
    static func drain() -> OpenSSLError {
        var codes: [UInt] = []
        while case let code = ERR_get_error(), code != 0 { codes.append(code) }
        return OpenSSLError(
            lines: codes.map { code in ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)" },
            reasons: codes.filter { ERR_GET_LIB($0) == ERR_LIB_SSL }.map { ERR_GET_REASON($0) })
    }

    /// Throws the errors of a call that did not return 1.
    static func check(_ result: Int32) throws(OpenSSLError) { if result != 1 { throw drain() } }

    /// Returns the result of a call, or throws its errors if it is `nil`.
    static func require<Result>(_ result: Result?) throws(OpenSSLError) -> Result {
        guard let result else { throw drain() }
        return result
    }
}

/// An alert that the peer sent (RFC 8446 §6).
struct ReceivedAlert: Hashable, Sendable {
    let number: UInt8

    /// The alert's name in words, such as "certificate expired".
    var text: String { SSL_alert_desc_string_long(Int32(number)).map { String(cString: $0) } ?? "\(number)" }

    /// Whether the peer refuses a certificate, or misses one (RFC 8446 §6.2).
    var concernsCertificate: Bool {
        switch Int32(number) {
        case SSL_AD_BAD_CERTIFICATE, SSL_AD_UNSUPPORTED_CERTIFICATE, SSL_AD_CERTIFICATE_REVOKED,
            SSL_AD_CERTIFICATE_EXPIRED, SSL_AD_CERTIFICATE_UNKNOWN, SSL_AD_UNKNOWN_CA, SSL_AD_ACCESS_DENIED,
            SSL_AD_CERTIFICATE_REQUIRED:
            true
        default: false
        }
    }
}
