/// The body of a request for a new channel has `message-storage-policy` and `push-type`, and nothing else
/// (`ProviderAPI#Channel-management`).
enum ChannelConfigurationCheck {
    private static let policyName = "message-storage-policy"
    private static let pushTypeName = "push-type"

    static func policy(of push: borrowing Candidate) throws(Refusal) -> MessageStoragePolicy {
        let body = try RequestBodyCheck.object(of: push, bytesMax: Limits.payloadBytesMax)
        var names: Set<String> = []
        for member in body.object ?? [] {
            guard member.name == policyName || member.name == pushTypeName else {
                throw Refusal(
                    .badRequestParams,
                    "the body has the member \(member.name); \(policyName) and \(pushTypeName) were expected")
            }
            guard names.insert(member.name).inserted else {
                throw Refusal(.badRequestParams, "the body has the member \(member.name) twice; it was expected once")
            }
        }
        guard let policy = body[policyName]?.integer.flatMap({ MessageStoragePolicy(rawValue: Int($0)) }) else {
            throw Refusal(
                .missingChannelQueueSize,
                "\(policyName) is \(body[policyName].map { $0.encodedText } ?? "missing"); 0 or 1 was expected")
        }
        guard let type = body[pushTypeName] else {
            throw Refusal(.missingPushType, "\(pushTypeName) is missing; LiveActivity was expected")
        }
        guard type.string?.lowercased() == PushType.liveactivity.rawValue else {
            throw Refusal(
                .invalidPushType, "\(pushTypeName) is \(type.encodedText); LiveActivity was expected")
        }
        return policy
    }
}
