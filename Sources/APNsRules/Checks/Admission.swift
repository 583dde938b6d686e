/// The order in which APNs' rules apply: the first that refuses decides (`ProviderAPI#Order-of-checks`).
///
/// Each rule is a file of its own in this folder. What the device table knows (the other environment's
/// token, another topic's, an unregistered one) comes after these, in `MynahCore`.
package enum Admission {
    /// Judges a request; `nil` admits it.
    ///
    /// `trust` is the connection's memory: a good token binds the connection to its team and counts as its
    /// current token even when a later rule refuses the push.
    package static func refusal(
        of push: borrowing Candidate, trust: inout ConnectionTrust, keyUpdates: (AuthorizationValue) -> Bool
    ) -> Refusal? {
        if let refusal = MethodCheck.refusal(of: push) { return refusal }
        if let refusal = PathCheck.refusal(of: push) { return refusal }
        if let refusal = CredentialCheck.refusal(of: push, trust: trust) { return refusal }
        if let refusal = TokenAgeCheck.refusal(of: push) { return refusal }
        if let refusal = ConnectionBindingCheck.refusal(of: push, trust: &trust) { return refusal }
        if let refusal = TokenUpdateCheck.refusal(of: push, trust: &trust, keyUpdates: keyUpdates) { return refusal }
        if let refusal = DuplicateHeaderCheck.refusal(of: push) { return refusal }
        if let refusal = MessageIDCheck.refusal(of: push) { return refusal }
        if let refusal = ExpirationCheck.refusal(of: push) { return refusal }
        if let refusal = PriorityCheck.refusal(of: push) { return refusal }
        if let refusal = CollapseIDCheck.refusal(of: push) { return refusal }
        if let refusal = PushTypeCheck.refusal(of: push) { return refusal }
        if let refusal = TopicCheck.refusal(of: push, trust: trust) { return refusal }
        if let refusal = PayloadCheck.refusal(of: push) { return refusal }
        if let refusal = AgreementCheck.refusal(of: push) { return refusal }
        return DeviceTokenCheck.refusal(of: push)
    }
}
