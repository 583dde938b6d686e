/// A fault in trust material or in a setting for it, with a remedy for the user.
package struct TrustError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of fault; tests and exit codes compare this, people read ``description``.
    package enum Code: String, Sendable {
        /// A file or folder that can't be read.
        case unreadable
        /// A file or folder that can't be written.
        case unwritable
        /// A file with unexpected content: not PEM, not a key, another algorithm.
        case malformed
        /// The name of a key file that lacks the key id.
        case badFileName
        /// A setting that is missing or has an impossible value.
        case badSetting
        /// A certificate outside its validity period.
        case expired
        /// Files that don't belong together: a key and another's certificate, a certificate and another CA.
        case mismatch
        /// OpenSSL itself failed.
        case cryptography
    }

    package let code: Code
    /// The file or folder as the user named it, if the fault is in one.
    package let file: String?
    /// A clause without a full stop.
    package let problem: String
    /// A clause without a full stop; may be empty.
    package let remedy: String

    package init(_ code: Code, file: String? = nil, _ problem: String, remedy: String) {
        self.code = code
        self.file = file
        self.problem = problem
        self.remedy = remedy
    }

    package var description: String {
        let subject = file.map { "\($0): " } ?? ""
        return remedy.isEmpty ? "\(subject)\(problem)." : "\(subject)\(problem). \(remedy)."
    }

    /// The same fault, in a file.
    func inFile(_ file: String) -> TrustError {
        TrustError(code, file: file, problem, remedy: remedy)
    }
}
