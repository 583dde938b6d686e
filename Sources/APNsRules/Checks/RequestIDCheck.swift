/// `apns-request-id`, and `apns-id` if it stands for it, is a UUID in its canonical form, either case
/// (`ProviderAPI#Channel-management`).
enum RequestIDCheck {
    static func check(_ request: borrowing ChannelRequest) throws(Refusal) {
        let name = request.candidate.has(.apnsRequestID) ? FieldName.apnsRequestID : .apnsID
        guard request.candidate.has(name), request.requestID == nil else { return }
        throw Refusal(
            .badMessageID,
            "\(name.text) is \(request.candidate.text(name)); a UUID was expected, 8-4-4-4-12 hexadecimal digits")
    }
}
