/// The order of APNs' rules: the first one that a request breaks decides the answer (`ProviderAPI#Order-of-checks`).
///
/// `MynahCore` later checks the rules that need the device table (a token's environment and topic, unregistration).
package enum Admission {
    /// Judges a request; throws the refusal of the first rule that it breaks.
    ///
    /// A valid token is recorded in `trust` even if a later rule refuses the push. `keyUpdates` records its use across
    /// all connections of its key, and returns `false` if the token changed too early.
    package static func judge(
        _ push: borrowing Candidate, trust: inout ConnectionTrust, keyUpdates: (AuthorizationValue) -> Bool
    ) throws(Refusal) -> AdmittedPush {
        try MethodCheck.check(push)
        try PathCheck.check(push)
        try CredentialCheck.check(push, trust: trust)
        try TokenAgeCheck.check(push)
        try ConnectionBindingCheck.check(push, trust: &trust)
        try TokenUpdateCheck.check(push, trust: &trust, keyUpdates: keyUpdates)
        try DuplicateHeaderCheck.check(push)
        try MessageIDCheck.check(push)
        try ExpirationCheck.check(push)
        try PriorityCheck.check(push)
        try CollapseIDCheck.check(push)
        try PushTypeCheck.check(push)
        let topic = try TopicCheck.topic(of: push, trust: trust)
        let payload = try PayloadCheck.payload(of: push)
        try Agreement.check(push, topic: topic, payload: payload)
        return AdmittedPush(token: try DeviceTokenCheck.token(of: push), topic: topic)
    }
}

/// The token and topic of a push that the rules admit.
package struct AdmittedPush: Sendable {
    package let token: DeviceToken
    package let topic: CandidateTopic

    /// The token and topic of a push that was admitted before; `nil` if it lacks one.
    package init?(again push: borrowing Candidate) {
        guard let token = push.token, let topic = push.topic else { return nil }
        (self.token, self.topic) = (token, topic)
    }

    init(token: DeviceToken, topic: CandidateTopic) { (self.token, self.topic) = (token, topic) }
}
