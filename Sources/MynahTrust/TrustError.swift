/// Why trust material cannot be had: one thing that the user can put right.
package struct TrustError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of fault it is; tests and exit codes compare this, people read ``description``.
    package enum Code: String, Sendable {
        /// A file or folder that cannot be read.
        case unreadable
        /// A file or folder that cannot be written.
        case unwritable
        /// A file that is not what its name says: no PEM, no key, another algorithm.
        case malformed
        /// A file whose name does not tell the key id.
        case badFileName
        /// A setting that is missing or has an impossible value.
        case badSetting
        /// A certificate that is not valid at the time of asking.
        case expired
        /// Files that do not belong together: a key and another's certificate, a leaf and another CA.
        case mismatch
        /// OpenSSL itself failed.
        case cryptography
    }

    /// The kind of fault.
    package let code: Code
    /// The file or folder, as it was named; `nil` where the fault is in no file.
    package let file: String?
    /// What is wrong, without a full stop.
    package let problem: String
    /// What to do about it, without a full stop.
    package let remedy: String

    /// An error; `problem` and `remedy` are clauses without a full stop.
    package init(_ code: Code, file: String? = nil, _ problem: String, remedy: String) {
        self.code = code
        self.file = file
        self.problem = problem
        self.remedy = remedy
    }

    /// One or two sentences.
    package var description: String {
        let subject = file.map { "\($0): " } ?? ""
        return remedy.isEmpty ? "\(subject)\(problem)." : "\(subject)\(problem). \(remedy)."
    }
}

extension TrustError {
    /// OpenSSL failed where nothing that the user gave can be the cause.
    init(_ error: OpenSSLError) {
        self.init(.cryptography, "OpenSSL failed: \(error)", remedy: "")
    }

    /// The same fault, in a file.
    func inFile(_ file: String) -> TrustError {
        TrustError(code, file: file, problem, remedy: remedy)
    }
}
