/// The order of APNs' rules: the first one that a request breaks decides the answer (`ProviderAPI#Order-of-checks`).
///
/// `MynahCore` later checks the rules that need the device table (a token's environment and topic, unregistration), and
/// refuses a contradiction that was found here after the token's topic (``Agreement``).
package enum Admission {
    /// Judges a request; throws the refusal of the first rule that it breaks.
    ///
    /// A valid token is recorded in `trust` even if a later rule refuses the push. `keyUpdates` records its use across
    /// all connections of its key, and returns `false` if the token changed too early.
    package static func admit(
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
        let topic = try TopicCheck.topic(of: push)
        let token = try DeviceTokenCheck.token(of: push)
        try TopicCheck.check(topic, of: push, trust: trust)
        let payload = try PayloadCheck.payload(of: push)
        return AdmittedPush(
            token: token, topic: topic,
            contradictsItself: Agreement.isRefused(push, topic: topic, payload: payload))
    }
}

/// A push that the rules admit, as far as they can without the device table.
package struct AdmittedPush: Sendable {
    package let token: DeviceToken
    package let topic: CandidateTopic
    /// Whether the push's ``Agreement/contradictions(pushType:topic:priority:payload:)`` are refused, once the device
    /// table has found its token's topic to be the right one.
    package let contradictsItself: Bool

    /// A push that was admitted before; `nil` if it lacks a token or a topic.
    package init?(again push: borrowing Candidate, contradictsItself: Bool = false) {
        guard let token = push.token, let topic = push.topic else { return nil }
        self.init(token: token, topic: topic, contradictsItself: contradictsItself)
    }

    init(token: DeviceToken, topic: CandidateTopic, contradictsItself: Bool) {
        self.token = token
        self.topic = topic
        self.contradictsItself = contradictsItself
    }
}
