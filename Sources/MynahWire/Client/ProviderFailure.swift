/// Why a provider has no connection, or a push no answer, as a clause.
package struct ProviderFailure: Error, CustomStringConvertible {
    package let problem: String
    /// Whether the server refused the client's certificate, or misses one; not told of a single push.
    package let concernsCertificate: Bool
    package var description: String { problem }

    init(_ problem: String, concernsCertificate: Bool = false) {
        self.problem = problem
        self.concernsCertificate = concernsCertificate
    }

    static func unsent(_ error: HTTP2Error) -> ProviderFailure { .init("the request can't be sent: \(error.text)") }
}
