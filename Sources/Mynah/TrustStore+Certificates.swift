internal import APNsRules
internal import MynahTrust

extension TrustStore {
    /// What is to be said of a client's chain in its handshake, DER, its own certificate first.
    func judgeCertificate(chain: [[UInt8]], at now: Instant) -> CertificateVerdict {
        ProviderAuthorities().verdict(on: chain, at: now)
    }
}
