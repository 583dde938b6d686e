/// A fault in trust material or in a setting for it, with a remedy for the user.
package struct TrustError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of fault, on which exit codes depend.
    package enum Code: String, Sendable {
        case unreadable
        case unwritable
        /// No space is left on the disk, or in the user's quota.
        case full
        /// A file with unexpected content: not PEM, not a key, another algorithm.
        case malformed
        case badFileName
        case badSetting
        case expired
        /// Files that don't belong together, such as a key and the certificate of another key.
        case mismatch
        /// No key that is known decrypts a message.
        case unknownKeys
        case cryptography
    }

    package let code: Code
    /// The file or folder as the user named it, if the fault is in one.
    package let file: String?
    /// A clause without a full stop.
    package let problem: String
    /// A clause without a full stop; may be empty.
    package let remedy: String

    package init(_ code: Code, file: String? = nil, _ problem: String, remedy: String = "") {
        self.code = code
        self.file = file
        self.problem = problem
        self.remedy = remedy
    }

    package var description: String {
        let subject = file.map { "\($0): " } ?? (code == .cryptography ? "OpenSSL failed: " : "")
        return remedy.isEmpty ? "\(subject)\(problem)." : "\(subject)\(problem). \(remedy)."
    }

    static func malformed(_ problem: String, remedy: String = "") -> TrustError {
        TrustError(.malformed, problem, remedy: remedy)
    }

    package func inFile(_ file: String?, remedy: String? = nil) -> TrustError {
        TrustError(code, file: file, problem, remedy: remedy ?? self.remedy)
    }

    /// The error with a remedy, unless it has one.
    func withRemedy(_ remedy: String) -> TrustError {
        self.remedy.isEmpty ? TrustError(code, file: file, problem, remedy: remedy) : self
    }
}

/// Evaluates an expression and converts its error.
func attempt<Value: ~Copyable, Other: Error>(
    _ value: @autoclosure () throws(TrustError) -> Value, orThrow other: (TrustError) -> Other
) throws(Other) -> Value {
    do { return try value() } catch { throw other(error) }
}
