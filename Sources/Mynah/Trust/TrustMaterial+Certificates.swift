package import APNsRules
package import Logging
package import MynahTrust

extension TrustMaterial {
    /// Makes a provider certificate without recording it.
    ///
    /// - Throws: `TrustError`: with `badSetting` for an impossible order, else because the CA's key is not available.
    package func issue(_ order: CertificateOrder, at now: Instant) throws(TrustError) -> IssuedCertificate {
        let issued = try issueProvider(try order.request(now: now))
        return IssuedCertificate(
            certificate: CertificateRecord(identity: issued.identity, pem: issued.certificatePEM, issuedAt: now),
            authorityPEM: issued.authorityPEM, privateKeyPEM: issued.keyPEM,
            pkcs12: try issued.pkcs12(password: order.password), password: order.password)
    }
}

extension TrustMaterial {
    /// Logs warnings and notices about the state folder.
    package func logRemarks(to logger: Logger) {
        for warning in warnings { logger.warning("\(warning)") }
        for notice in notices { logger.info("\(notice)") }
    }
}
