internal import APNsRules
internal import MynahTrust
internal import Synchronization

/// Judges credentials: client certificates and provider tokens; verdicts on tokens are cached by their exact bytes
/// until keys or authorities change, and copies elsewhere are valid for one ``LoopState/trustGeneration``.
final class TrustStore: Sendable {
    /// The most cached verdicts; beyond them all are verified again.
    private static let verdictsMax = 4096

    private struct State {
        var keysAtStart: SigningKeyRing
        var keys: SigningKeyRing
        var authorities: ProviderAuthorities
        // Of all servers of a cluster; its revocations are in the authorities.
        var certificates = CertificateLedger()
        // Counts the changes of both, so that a verdict from before a change is not cached after it.
        var generation: UInt64 = 0
        var verdicts: [[UInt8]: JudgedCredential] = [:]
        var updates = KeyTokenUpdates()
    }

    private let state: Mutex<State>
    /// The keys that this process was given, with their private halves.
    let ownKeys: [SigningKey]
    private let authentication: TokenAuthentication

    init(
        keys: SigningKeyRing, authorities: ProviderAuthorities = ProviderAuthorities(),
        authentication: TokenAuthentication
    ) {
        (self.authentication, ownKeys) = (authentication, keys.keys)
        self.state = Mutex(State(keysAtStart: keys, keys: keys, authorities: authorities))
    }

    func judge(_ authorization: AuthorizationValue) -> JudgedCredential {
        let (known, keys, generation) = state.withLock { ($0.verdicts[authorization.bytes], $0.keys, $0.generation) }
        if let known { return known }
        // Outside the lock: verifying a signature takes as long as a hundred pushes.
        let judged = JudgedCredential(
            authorization: authorization, verdict: keys.verdict(on: authorization, authentication: authentication))
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.verdicts.count >= TrustStore.verdictsMax { state.verdicts.removeAll(keepingCapacity: true) }
            state.verdicts[authorization.bytes] = judged
        }
        return judged
    }

    /// Judges a client certificate; the `authorization` value is only kept for the journal.
    func judge(_ certificate: CertificateIdentity, with authorization: AuthorizationValue?) -> JudgedCredential {
        JudgedCredential(
            authorization: authorization,
            verdict: authorities.isRevoked(certificate) ? .revokedCertificate(certificate) : .certificate(certificate))
    }

    /// Judges a client's chain in its handshake: DER, its own certificate first.
    func judgeCertificate(chain: [[UInt8]], at now: Instant) -> CertificateVerdict {
        authorities.verdict(on: chain, at: now)
    }

    /// Notes a token's use on any connection (`--token-updates key`); returns `false` if it changed too early.
    func noteUse(_ authorization: AuthorizationValue, ofKey keyID: String, at now: Instant) -> Bool {
        state.withLock { $0.updates.use(authorization, ofKey: keyID, at: now) }
    }

    var keys: SigningKeyRing { state.withLock { $0.keys } }
    /// The authorities in force, with the certificates that they revoked.
    var authorities: ProviderAuthorities { state.withLock { $0.authorities } }

    func changeKeys<Answer: Sendable, Failure: Error>(
        _ change: (inout SigningKeyRing) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        try state.withLock { state throws(Failure) in
            let before = state.keys
            let answer = try change(&state.keys)
            for key in before.keys {
                let now = state.keys[key.keyID]
                if now?.publicKey != key.publicKey || now?.revokedAt != nil { state.updates.forget(key.keyID) }
            }
            TrustStore.forgetVerdicts(&state)
            return answer
        }
    }

    /// Keeps the private half of a key that has just been made known, unless another one has its id by now.
    func keepPrivateHalf(of key: SigningKey) {
        state.withLock { state in
            guard let known = state.keys[key.keyID], known.publicKey == key.publicKey else { return }
            state.keys = state.keys.adding(known.withPrivateHalf(of: key))
        }
    }

    /// Restores the keys of the start and forgets the changes of tokens; returns how many other keys there were.
    func resetKeys() -> Int {
        state.withLock { state in
            let others = state.keys.keys.count { state.keysAtStart[$0.keyID] == nil }
            state.keys = state.keysAtStart
            state.updates = KeyTokenUpdates()
            TrustStore.forgetVerdicts(&state)
            return others
        }
    }

    /// The public halves of the keys, which are what a snapshot has.
    var publicKeys: PublicKeys { state.withLock { PublicKeys(atStart: $0.keysAtStart, now: $0.keys) } }

    /// Goes on with the keys of a snapshot, with the private halves that are known here, and with its certificates.
    func restore(_ keys: PublicKeys, _ certificates: CertificateLedger) {
        state.withLock { state in
            adopt(keys, &state)
            state.certificates = certificates
            state.authorities = state.authorities.revoking(certificates)
        }
    }

    /// Goes on with the keys of another start, in place of those of the one before.
    func start(with keys: [SigningKey]) {
        state.withLock { state in
            adopt(PublicKeys(atStart: state.keysAtStart, now: state.keys).started(with: keys), &state)
        }
    }

    private func adopt(_ keys: PublicKeys, _ state: inout State) {
        let known = ownKeys + state.keysAtStart.keys + state.keys.keys
        func withPrivateHalves(_ keys: [SigningKey]) -> SigningKeyRing {
            SigningKeyRing(
                keys.map { key in
                    let own = known.last { $0.publicKey == key.publicKey && $0.privateKey != nil }
                    return own.map { key.withPrivateHalf(of: $0) } ?? key
                })
        }
        (state.keysAtStart, state.keys) = (withPrivateHalves(keys.atStart), withPrivateHalves(keys.now))
        TrustStore.forgetVerdicts(&state)
    }

    private static func forgetVerdicts(_ state: inout State) {
        state.verdicts.removeAll(keepingCapacity: true)
        state.generation += 1
    }

    func changeAuthorities(_ authorities: ProviderAuthorities) {
        state.withLock { state in
            state.authorities = authorities.revoking(state.certificates)
            state.generation += 1
        }
    }

    /// The provider certificates that servers of the cluster have issued or revoked; without one, none.
    var certificates: CertificateLedger { state.withLock { $0.certificates } }

    /// Notes a certificate that a server of the cluster has issued or revoked.
    func note(_ certificate: CertificateLedger.Item) {
        state.withLock { state in
            state.certificates.add(certificate)
            state.authorities = state.authorities.revoking(state.certificates)
            state.generation += 1
        }
    }
}
