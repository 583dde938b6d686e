internal import APNsRules
internal import MynahTrust
internal import Synchronization

/// Judges credentials: provider tokens, each once, the verdict kept by the token's exact bytes (`architecture.md`,
/// caches), and client certificates.
///
/// A verdict says nothing about age, so it stays right for as long as keys and authorities stay the same. Both are
/// replaced at run time; whoever keeps a verdict beside this store gives it up when ``LoopState/trustGeneration``
/// moves on.
final class TrustStore: Sendable {
    /// Verdicts kept; a provider with more tokens than that in use has each verified again now and then.
    private static let verdictsMax = 4096

    private struct State {
        var keys: SigningKeyRing
        var authorities: ProviderAuthorities
        // Counts the changes of both, so that a verdict that was found before a change is not kept after it.
        var generation: UInt64 = 0
        var verdicts: [[UInt8]: JudgedCredential] = [:]
        var updates = KeyTokenUpdates()
    }

    // To which a reset returns.
    private let keysAtStart: SigningKeyRing
    private let state: Mutex<State>
    private let authentication: TokenAuthentication

    init(
        keys: SigningKeyRing, authorities: ProviderAuthorities = ProviderAuthorities(),
        authentication: TokenAuthentication
    ) {
        self.keysAtStart = keys
        self.state = Mutex(State(keys: keys, authorities: authorities))
        self.authentication = authentication
    }

    // MARK: Judging

    /// The credential behind an `authorization` value.
    func judge(_ authorization: AuthorizationValue) -> JudgedCredential {
        let (known, keys, generation) = state.withLock {
            ($0.verdicts[authorization.bytes], $0.keys, $0.generation)
        }
        if let known { return known }
        // Outside the lock: a signature costs as much as a hundred pushes.
        let judged = JudgedCredential(
            authorization: authorization, verdict: keys.verdict(on: authorization, authentication: authentication))
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.verdicts.count >= TrustStore.verdictsMax { state.verdicts.removeAll(keepingCapacity: true) }
            state.verdicts[authorization.bytes] = judged
        }
        return judged
    }

    /// The credential of a connection with a client certificate; the `authorization` value is kept for the journal
    /// and counts for nothing.
    func judge(_ certificate: CertificateIdentity, with authorization: AuthorizationValue?) -> JudgedCredential {
        JudgedCredential(
            authorization: authorization,
            verdict: authorities.isRevoked(certificate) ? .revokedCertificate(certificate) : .certificate(certificate))
    }

    /// What is to be said of a client's chain in its handshake, DER, its own certificate first.
    func judgeCertificate(chain: [[UInt8]], at now: Instant) -> CertificateVerdict {
        authorities.verdict(on: chain, at: now)
    }

    /// Notes a token's use among all connections of its key (`--token-updates key`).
    func noteUse(_ authorization: AuthorizationValue, ofKey keyID: String, at now: Instant) -> Bool {
        state.withLock { $0.updates.use(authorization, ofKey: keyID, at: now) }
    }

    // MARK: Changing

    /// The keys in force.
    var keys: SigningKeyRing { state.withLock { $0.keys } }

    /// The authorities in force, and the certificates of theirs that were revoked.
    var authorities: ProviderAuthorities { state.withLock { $0.authorities } }

    /// Replaces the keys by what `change` makes of them, or leaves them when it throws.
    ///
    /// Under the lock, so that of two changes at once none is lost.
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

    /// Restores the keys of the start and forgets how often tokens of any key have changed; returns how many other keys
    /// there were.
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

    /// Replaces the authorities.
    func changeAuthorities(_ authorities: ProviderAuthorities) {
        state.withLock { state in
            state.authorities = authorities
            state.generation += 1
        }
    }
}
