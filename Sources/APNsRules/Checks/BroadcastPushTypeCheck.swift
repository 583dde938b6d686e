/// `apns-push-type` of a broadcast is `liveactivity`, in any case (`ProviderAPI#Sending-a-broadcast`).
enum BroadcastPushTypeCheck {
    static func check(_ push: borrowing Candidate) throws(Refusal) {
        guard push.has(.apnsPushType) else {
            throw Refusal(.missingPushType, "no apns-push-type; liveactivity was expected")
        }
        guard push.text(.apnsPushType).lowercased() == PushType.liveactivity.rawValue else {
            throw Refusal(
                .invalidPushType, "apns-push-type is \(push.text(.apnsPushType)); liveactivity was expected")
        }
    }
}
