internal import COpenSSL

/// An error of OpenSSL: every line of its error queue after a call that failed.
package struct OpenSSLError: Error, Sendable, CustomStringConvertible {
    /// One line for each error, the oldest first; empty when the queue was.
    package let lines: [String]
    /// The alert that the peer sent, if one is the cause (RFC 8446 §6).
    package let alert: ReceivedAlert?
    /// The numbers of OpenSSL's TLS library (`SSL_R_…`) among the errors, in the order of the lines.
    let reasons: [Int32]

    init(lines: [String], alert: ReceivedAlert? = nil, reasons: [Int32] = []) {
        self.lines = lines
        self.alert = alert
        self.reasons = reasons
    }

    /// The lines, separated by semicolons.
    package var description: String { lines.isEmpty ? "OpenSSL gave no reason" : lines.joined(separator: "; ") }

    /// Takes everything out of this thread's error queue.
    static func drain() -> OpenSSLError {
        var lines: [String] = []
        var alert: ReceivedAlert?
        var reasons: [Int32] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { break }
            if let reason = ERR_reason_error_string(code) {
                lines.append(String(cString: reason))
            } else {
                lines.append("error \(code)")
            }
            guard ERR_GET_LIB(code) == ERR_LIB_SSL else { continue }
            let reason = ERR_GET_REASON(code)
            reasons.append(reason)
            // The reason of a received alert is its number plus an offset.
            if let number = UInt8(exactly: reason - Int32(SSL_AD_REASON_OFFSET)) {
                alert = ReceivedAlert(number: number)
            }
        }
        return OpenSSLError(lines: lines, alert: alert, reasons: reasons)
    }
}

/// An alert that the peer sent (RFC 8446 §6).
package struct ReceivedAlert: Hashable, Sendable {
    /// Its number in the protocol.
    package let number: UInt8

    /// Its name in words, such as "certificate expired".
    package var text: String { SSL_alert_desc_string_long(Int32(number)).map { String(cString: $0) } ?? "\(number)" }

    /// Whether the peer refuses a certificate, or misses one (RFC 8446 §6.2).
    package var concernsCertificate: Bool {
        switch Int32(number) {
        case SSL_AD_BAD_CERTIFICATE, SSL_AD_UNSUPPORTED_CERTIFICATE, SSL_AD_CERTIFICATE_REVOKED,
            SSL_AD_CERTIFICATE_EXPIRED, SSL_AD_CERTIFICATE_UNKNOWN, SSL_AD_UNKNOWN_CA, SSL_AD_ACCESS_DENIED,
            SSL_AD_CERTIFICATE_REQUIRED:
            true
        default: false
        }
    }
}
