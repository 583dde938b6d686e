internal import COpenSSL

/// What OpenSSL had to say about a call that failed: every line of its error queue.
package struct OpenSSLError: Error, Sendable, CustomStringConvertible {
    /// One line for each error, the oldest first; empty when the queue was.
    package let lines: [String]

    /// The lines in one sentence.
    package var description: String { lines.isEmpty ? "OpenSSL gave no reason" : lines.joined(separator: "; ") }

    /// Takes everything out of this thread's error queue.
    static func drain() -> OpenSSLError {
        var lines: [String] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { break }
            if let reason = ERR_reason_error_string(code) {
                lines.append(String(cString: reason))
            } else {
                lines.append("error \(code)")
            }
        }
        return OpenSSLError(lines: lines)
    }
}
