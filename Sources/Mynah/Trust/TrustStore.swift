internal import APNsRules
internal import MynahTrust
internal import Synchronization

/// Judges credentials: client certificates and provider tokens; verdicts on tokens are cached by their exact bytes
/// until keys or authorities change, and copies elsewhere are valid for one ``LoopState/trustGeneration``.
final class TrustStore: Sendable {
    /// The most cached verdicts; beyond them all are verified again.
    private static let verdictsMax = 4096

    private struct State {
        var keys: SigningKeyRing
        var authorities: ProviderAuthorities
        // Counts the changes of both, so that a verdict from before a change is not cached after it.
        var generation: UInt64 = 0
        var verdicts: [[UInt8]: JudgedCredential] = [:]
        var updates = KeyTokenUpdates()
    }

    private let keysAtStart: SigningKeyRing
    private let state: Mutex<State>
    private let authentication: TokenAuthentication

    init(
        keys: SigningKeyRing, authorities: ProviderAuthorities = ProviderAuthorities(),
        authentication: TokenAuthentication
    ) {
        (keysAtStart, self.authentication) = (keys, authentication)
        self.state = Mutex(State(keys: keys, authorities: authorities))
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

    /// Restores the keys of the start and forgets the changes of tokens; returns how many other keys there were.
    func resetKeys() -> Int {
        state.withLock { state in
            let others = state.keys.keys.count { keysAtStart[$0.keyID] == nil }
            state.keys = keysAtStart
            state.updates = KeyTokenUpdates()
            TrustStore.forgetVerdicts(&state)
            return others
        }
    }

    private static func forgetVerdicts(_ state: inout State) {
        state.verdicts.removeAll(keepingCapacity: true)
        state.generation += 1
    }

    func changeAuthorities(_ authorities: ProviderAuthorities) {
        state.withLock { state in
            state.authorities = authorities
            state.generation += 1
        }
    }
}
