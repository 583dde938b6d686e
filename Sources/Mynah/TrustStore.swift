internal import APNsRules
internal import MynahTrust
internal import Synchronization

/// Judges provider tokens, each once: the verdict is kept by the token's exact bytes (`architecture.md`, caches).
///
/// A verdict says nothing about age, so it stays right for as long as the keys stay the same.
final class TrustStore: Sendable {
    /// Verdicts kept; a provider with more tokens than that in use has each verified again now and then.
    private static let verdictsMax = 4096

    private struct State {
        var keys: SigningKeyRing
        var verdicts: [[UInt8]: JudgedCredential] = [:]
        var updatesOfKey: [String: TokenUpdates] = [:]
    }

    private let state: Mutex<State>
    private let authentication: TokenAuthentication

    init(keys: SigningKeyRing, authentication: TokenAuthentication) {
        self.state = Mutex(State(keys: keys))
        self.authentication = authentication
    }

    /// The credential behind an `authorization` value.
    func judge(_ authorization: AuthorizationValue) -> JudgedCredential {
        let (known, keys) = state.withLock { ($0.verdicts[authorization.bytes], $0.keys) }
        if let known { return known }
        // Outside the lock: a signature costs as much as a hundred pushes.
        let judged = JudgedCredential(
            authorization: authorization, verdict: keys.verdict(on: authorization, authentication: authentication))
        state.withLock { state in
            if state.verdicts.count >= TrustStore.verdictsMax { state.verdicts.removeAll(keepingCapacity: true) }
            state.verdicts[authorization.bytes] = judged
        }
        return judged
    }

    /// Notes a token's use among all connections of its key (`--token-updates key`).
    func noteUse(_ authorization: AuthorizationValue, ofKey keyID: String, at now: Instant) -> Bool {
        state.withLock { $0.updatesOfKey[keyID, default: TokenUpdates()].use(authorization, at: now) }
    }
}
