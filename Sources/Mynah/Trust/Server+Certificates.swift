internal import APNsRules
internal import MynahTrust

/// Why a certificate can't be issued or revoked.
package struct CertificateFailure: Error, Sendable, CustomStringConvertible {
    /// Whether the order is at fault; else the server's files are.
    package let isCallersFault: Bool
    /// One or two sentences.
    package let description: String

    init(_ error: TrustError) {
        self.isCallersFault = error.code == .badSetting
        self.description = error.description
    }
}

/// Provider certificates; all calls throw ``CertificateFailure``.
extension Server {
    /// The provider certificates that this server's CA issued, also by commands that share its state folder, the oldest
    /// first, including revoked ones.
    package func certificateRecords() async throws -> [CertificateRecord] {
        try await reporting { try await certificates.certificates() }
    }

    /// Issues a provider certificate, valid from the server's time on.
    package func issueCertificate(_ order: CertificateOrder) async throws -> IssuedCertificate {
        let now = now
        return try await reporting { try await certificates.issue(order, at: now) }
    }

    /// Revokes a provider certificate: when this returns, handshakes with it fail, and pushes on its open connections
    /// are refused with BadCertificate.
    ///
    /// - Returns: The certificate; `nil` if this server's CA issued none with this serial number.
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
