/// The order of APNs' rules for requests that concern channels: the first one that a request breaks decides the answer
/// (`ProviderAPI#Order-of-checks-for-channels`).
///
/// `MynahCore` later checks the rules that need the channels: whether one is registered, what it stores, how many there
/// may be.
package enum ChannelAdmission {
    /// Judges a request; throws the refusal of the first rule that it breaks.
    ///
    /// A valid token is recorded in `trust` even if a later rule refuses the request; `keyUpdates` is that of
    /// ``Admission/admit(_:trust:keyUpdates:)``.
    package static func admit(
        _ request: borrowing ChannelRequest, trust: inout ConnectionTrust, keyUpdates: (AuthorizationValue) -> Bool
    ) throws(Refusal) -> AdmittedChannelRequest {
        let operation = try ChannelMethodCheck.operation(of: request)
        try CredentialCheck.check(request.candidate, trust: trust)
        try TokenAgeCheck.check(request.candidate)
        try ConnectionBindingCheck.check(request.candidate, trust: &trust)
        try TokenUpdateCheck.check(request.candidate, trust: &trust, keyUpdates: keyUpdates)
        try DuplicateHeaderCheck.check(request.candidate)
        try RequestIDCheck.check(request)
        if operation == .broadcast {
            try BroadcastExpirationCheck.check(request.candidate)
            try PriorityCheck.check(request.candidate)
            try BroadcastPushTypeCheck.check(request.candidate)
        }
        try AppCheck.check(request, trust: trust)
        try BroadcastCapabilityCheck.check(request)
        switch operation {
        case .list: return .list
        case .create: return .create(try ChannelConfigurationCheck.policy(of: request.candidate))
        case .read: return .read(try ChannelIDCheck.id(of: request))
        case .delete: return .delete(try ChannelIDCheck.id(of: request))
        case .broadcast:
            let channel = try ChannelIDCheck.id(of: request)
            try BroadcastPayloadCheck.check(request.candidate)
            return .broadcast(to: channel)
        }
    }
}

/// What a request that the rules admit does with the channels of its app.
package enum AdmittedChannelRequest: Sendable, Equatable {
    case create(MessageStoragePolicy)
    case read(ChannelID)
    case delete(ChannelID)
    case list
    case broadcast(to: ChannelID)
}
