public import APNsRules

/// A certificate that a provider uses instead of tokens (`ProviderAPI#Certificates`).
public struct ProviderCertificate: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// Its serial number, by which it is revoked.
    public let serialNumber: String
    /// The certificate and the CA's, PEM.
    public let chainPEM: String
    /// Its key, `PRIVATE KEY` in PEM, not encrypted.
    public let keyPEM: String
    /// All of it as a PKCS #12 file.
    public let pkcs12: [UInt8]
    /// The password of that file.
    public let password: String

    /// Its serial number; never the key.
    public var description: String { "provider certificate \(serialNumber)" }
    /// Its serial number, for `dump` and debuggers alike.
    public var customMirror: Mirror { Mirror(self, children: ["serialNumber": serialNumber]) }
}

extension MynahServer {
    /// Issues a provider certificate, which is trusted at once.
    ///
    /// - Parameters:
    ///   - topics: The app's bundle id first.
    ///   - environment: Where it is valid.
    ///   - isExpired: Whether it is expired already, for handshakes that must fail.
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
    public func revokeCertificate(_ certificate: ProviderCertificate) async throws(MynahError) {
        let server = try changeable()
        let serialNumber = certificate.serialNumber
        let revoked = try await MynahError.converting {
            try await server.revokeCertificate(serialNumber: serialNumber) != nil
        }
        guard revoked else { throw MynahError(.notFound, "there is no certificate \(serialNumber)") }
    }
}
