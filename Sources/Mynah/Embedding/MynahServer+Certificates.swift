public import APNsRules

/// A certificate that a provider shows instead of tokens (`ProviderAPI#Certificates`).
public struct ProviderCertificate: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// What names it when it is revoked.
    public let serialNumber: String
    /// The certificate, and the CA's behind it; PEM.
    public let chainPEM: String
    /// Its key, `PRIVATE KEY` in PEM, not encrypted.
    public let keyPEM: String
    /// All of it as a PKCS #12 file.
    public let pkcs12: [UInt8]
    /// What that file is encrypted with.
    public let password: String

    /// Its serial number; never the key.
    public var description: String { "provider certificate \(serialNumber)" }
    /// Its serial number, for `dump` and debuggers alike.
    public var customMirror: Mirror { Mirror(self, children: ["serialNumber": serialNumber]) }
}

extension MynahServer {
    /// Issues a provider certificate, which is believed at once.
    ///
    /// - Parameters:
    ///   - topics: The app's bundle id first.
    ///   - environment: Where it is good.
    ///   - isExpired: Whether its time is over already, for handshakes that must fail.
    /// - Throws: ``MynahError`` for topics that no certificate can have.
    public func issueCertificate(
        topics: String..., environment: EnvironmentScope = .both, isExpired: Bool = false
    ) async throws(MynahError) -> ProviderCertificate {
        let server = try changeable()
        var order = CertificateOrder(topics: topics)
        order.environment = environment
        order.isExpired = isExpired
        let issued = try await MynahError.converting { [order] in try await server.issueCertificate(order) }
        return ProviderCertificate(
            serialNumber: issued.certificate.identity.serialNumber,
            chainPEM: issued.certificate.pem + issued.authorityPEM, keyPEM: issued.privateKeyPEM,
            pkcs12: issued.pkcs12, password: issued.password)
    }

    /// Revokes a provider certificate: handshakes with it fail, and pushes on its open connections are refused.
    ///
    /// - Throws: ``MynahError`` when this server issued none of this serial number.
    public func revokeCertificate(_ certificate: ProviderCertificate) async throws(MynahError) {
        let server = try changeable()
        let serialNumber = certificate.serialNumber
        let revoked = try await MynahError.converting {
            try await server.revokeCertificate(serialNumber: serialNumber) != nil
        }
        guard revoked else { throw MynahError(.notFound, "there is no certificate \(serialNumber)") }
    }
}
