/// `apns-channel-id` is present, and 16 bytes in standard base64 (`ProviderAPI#Channel-management`).
enum ChannelIDCheck {
    static func id(of request: borrowing ChannelRequest) throws(Refusal) -> ChannelID {
        if let id = request.channelID { return id }
        guard request.candidate.has(.apnsChannelID) else {
            throw Refusal(.missingChannelID, "no apns-channel-id; the id of a channel was expected")
        }
        throw Refusal(
            .badChannelID,
            "apns-channel-id is \(request.candidate.text(.apnsChannelID)); \(Limits.channelIDByteCount) bytes in "
                + "standard base64 were expected, \(ChannelID.textCount) characters")
    }
}
