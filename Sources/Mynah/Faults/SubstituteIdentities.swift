internal import APNsRules
internal import MynahTrust
internal import MynahWire
internal import Synchronization

/// The certificates that faults present instead of the server's, the same on every loop, each made on first use.
final class SubstituteIdentities: Sendable {
    private let trust: TrustMaterial
    private let clientCAsPEM: [UInt8]
    private let made = Mutex<[WireTLSFault.Certificate: TLSIdentity]>([:])
    init(_ trust: TrustMaterial, clientCAsPEM: [UInt8]) {
        self.trust = trust
        self.clientCAsPEM = clientCAsPEM
    }

    /// An identity that asks for the same client certificates as the server's; throws if the CA's key is not available.
    func identity(_ kind: WireTLSFault.Certificate) throws -> TLSIdentity {
        if let identity = made.withLock({ $0[kind] }) { return identity }
        let substitute = try trust.makeSubstitute(kind, now: WallClock.now())
        let identity = TLSIdentity(
            chainPEM: Array(substitute.chainPEM.utf8), hostChainPEM: Array(substitute.hostChainPEM.utf8),
            keyPEM: Array(substitute.keyPEM.utf8), clientCAsPEM: clientCAsPEM)
        return made.withLock { made in
            // Another loop may have made the identity meanwhile.
            let first = made[kind] ?? identity
            made[kind] = first
            return first
        }
    }
}
