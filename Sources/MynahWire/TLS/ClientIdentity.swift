/// The certificate of a provider and its key (`ProviderAPI#Certificates`).
package struct ClientIdentity: Sendable {
    /// The certificate, then its intermediates; PEM.
    package let chainPEM: [UInt8]
    /// The certificate's key; PEM, not encrypted.
    package let keyPEM: [UInt8]

    /// An identity in PEM.
    package init(chainPEM: [UInt8], keyPEM: [UInt8]) {
        self.chainPEM = chainPEM
        self.keyPEM = keyPEM
    }
}

/// A version of TLS that APNs speaks (`ProviderAPI#TLS`).
package enum TLSVersion: String, Sendable, CaseIterable {
    /// RFC 5246.
    case tls12 = "1.2"
    /// RFC 8446.
    case tls13 = "1.3"
}
