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
        // What was noted in a shared order; its revocations are in the authorities.
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
        self.authentication = authentication
        ownKeys = keys.keys
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
    ///
    /// The topics of the certificate are read by `ProviderCertificate`, and hold for each push by `TopicCheck`.
    func judgeCertificate(chain: [[UInt8]], at now: Instant) -> CertificateVerdict {
        authorities.verdict(on: chain, at: now, authentication: authentication)
    }

    /// Records a token's use on any connection (`--token-updates key`); returns `false` if it changed too early.
    func recordUse(of authorization: AuthorizationValue, ofKey keyID: String, at now: Instant) -> Bool {
        state.withLock { $0.updates.recordUse(of: authorization, ofKey: keyID, at: now) }
    }

    var keys: SigningKeyRing { state.withLock { $0.keys } }
    /// The authorities in force, with the certificates that they revoked.
    var authorities: ProviderAuthorities { state.withLock { $0.authorities } }

    /// Changes the key with an id; takes the same time however many keys there are.
    func changeKey<Answer: Sendable, Failure: Error>(
        _ keyID: String, _ change: (inout SigningKeyRing) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        try state.withLock { state throws(Failure) in
            let before = state.keys[keyID]
            let answer = try change(&state.keys)
            let now = state.keys[keyID]
            if let before, now?.publicKey != before.publicKey || now?.revokedAt != nil { state.updates.forget(keyID) }
            TrustStore.forgetVerdicts(&state)
            return answer
        }
    }

    /// Keeps the private half of a key that has just been made known, unless another one has its id by now.
    func keepPrivateHalf(of key: SigningKey) {
        state.withLock { state in
            guard let known = state.keys[key.keyID], known.publicKey == key.publicKey else { return }
            state.keys[key.keyID] = known.withPrivateHalf(of: key)
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
            for item in certificates.items { TrustStore.addCertificate(item, &state) }
        }
    }

    /// Continues with the keys of another start, in place of the keys of the start before.
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
        state.keysAtStart = withPrivateHalves(keys.atStart)
        state.keys = withPrivateHalves(keys.now)
        TrustStore.forgetVerdicts(&state)
    }

    private static func forgetVerdicts(_ state: inout State) {
        state.verdicts.removeAll(keepingCapacity: true)
        state.generation += 1
    }

    /// Replaces the CAs of provider certificates; revocations stay.
    func changeAuthorities(_ authorities: ProviderAuthorities) {
        state.withLock { state in
            state.authorities = authorities
            for item in state.certificates.items { _ = state.authorities.revoke(item) }
            state.generation += 1
        }
    }

    /// Has revoked certificates refused; returns whether one of them is newly revoked.
    func revoke(_ items: [CertificateLedger.Item]) -> Bool {
        state.withLock { state in
            let isNew = items.reduce(false) { state.authorities.revoke($1) || $0 }
            if isNew { state.generation += 1 }
            return isNew
        }
    }

    /// The provider certificates that were noted in a shared order (``NoteCertificate``); without one, none.
    var certificates: CertificateLedger { state.withLock { $0.certificates } }

    /// The certificates that changed after `count` changes of ``certificates``, how many changes there are now, and
    /// which of `items` were not noted.
    func certificates(
        after count: Int, besides items: [CertificateLedger.Item]
    ) -> (changed: [CertificateLedger.Item], count: Int, unknown: [CertificateLedger.Item]) {
        state.withLock { state in
            let known = state.certificates
            return (known.changes(after: count), known.changeCount, items.filter { !known.has($0) })
        }
    }

    /// Records a certificate that was issued or revoked.
    func addCertificate(_ certificate: CertificateLedger.Item) {
        state.withLock { TrustStore.addCertificate(certificate, &$0) }
    }

    private static func addCertificate(_ certificate: CertificateLedger.Item, _ state: inout State) {
        state.certificates.add(certificate)
        if state.authorities.revoke(certificate) { state.generation += 1 }
    }
}
