internal import COpenSSL

/// What OpenSSL had to say about a call that failed: every line of its error queue.
package struct OpenSSLError: Error, Sendable, CustomStringConvertible {
    /// One line for each error, the oldest first; empty when the queue was.
    package let lines: [String]
    /// The alert that the peer sent, when that is what went wrong (RFC 8446 §6).
    package let alert: ReceivedAlert?
    /// The numbers of OpenSSL's TLS library (`SSL_R_…`) among the errors, in the order of the lines.
    let reasons: [Int32]

    init(lines: [String], alert: ReceivedAlert? = nil, reasons: [Int32] = []) {
        self.lines = lines
        self.alert = alert
        self.reasons = reasons
    }

    /// The lines in one sentence.
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
            // A received alert is a reason of its own: its number and an offset.
            if let number = UInt8(exactly: reason - Int32(SSL_AD_REASON_OFFSET)) {
                alert = ReceivedAlert(number: number)
            }
        }
        return OpenSSLError(lines: lines, alert: alert, reasons: reasons)
    }
}

/// An alert of TLS (RFC 8446 §6).
package struct ReceivedAlert: Hashable, Sendable {
    /// Its number in the protocol.
    package let number: UInt8

    /// What it says in words: "certificate expired".
    package var text: String { SSL_alert_desc_string_long(Int32(number)).map { String(cString: $0) } ?? "\(number)" }

    /// Whether it says what is wrong with a certificate that the peer was shown, or that one was wanted
    /// (RFC 8446 §6.2).
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
