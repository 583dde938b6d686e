internal import APNsRules
internal import MynahTrust

/// Why a certificate can't be issued or revoked.
package struct CertificateFailure: Error, Sendable, CustomStringConvertible {
    /// Whether another order could be met; else it is the server's files that are wrong.
    package let isCallersFault: Bool
    /// One or two sentences.
    package let description: String

    init(_ error: TrustError) {
        self.isCallersFault = error.code == .badSetting
        self.description = error.description
    }
}

extension Server {
    /// The provider certificates that this server's CA issued, the oldest first, revoked ones too.
    ///
    /// Those of commands that share the state folder are among them.
    ///
    /// - Throws: ``CertificateFailure``.
    package func certificateRecords() async throws -> [CertificateRecord] {
        try await reporting { try await certificates.certificates() }
    }

    /// Issues a provider certificate, valid from the server's time on; it is believed at once.
    ///
    /// - Throws: ``CertificateFailure``.
    package func issueCertificate(_ order: CertificateOrder) async throws -> IssuedCertificate {
        let now = now
        return try await reporting { try await certificates.issue(order, at: now) }
    }

    /// Revokes a provider certificate: when this returns, handshakes with it fail, and pushes on its open connections
    /// are refused with BadCertificate.
    ///
    /// - Returns: the certificate; `nil` when this server's CA issued none of this serial number.
    /// - Throws: ``CertificateFailure``.
    package func revokeCertificate(serialNumber: String) async throws -> CertificateRecord? {
        let now = now
        return try await reporting { try await certificates.revoke(serialNumber, at: now) }
    }

    private func reporting<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as TrustError {
            throw CertificateFailure(error)
        }
    }
}
