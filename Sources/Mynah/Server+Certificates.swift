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
    package func providerCertificates() async throws(CertificateFailure) -> [CertificateRecord] {
        do {
            return try await certificates.certificates()
        } catch {
            throw CertificateFailure(error)
        }
    }

    /// Issues a provider certificate, valid from the server's time on; it is believed at once.
    package func issueCertificate(_ order: CertificateOrder) async throws(CertificateFailure) -> IssuedCertificate {
        do {
            return try await certificates.issue(order, at: now)
        } catch {
            throw CertificateFailure(error)
        }
    }

    /// Revokes a provider certificate: from then on handshakes with it fail, and pushes on its open connections are
    /// refused with BadCertificate.
    ///
    /// - Returns: the certificate; `nil` when this server's CA issued none of this serial number.
    package func revokeCertificate(
        serialNumber: String
    ) async throws(CertificateFailure) -> CertificateRecord? {
        do {
            return try await certificates.revoke(serialNumber, at: now)
        } catch {
            throw CertificateFailure(error)
        }
    }
}
