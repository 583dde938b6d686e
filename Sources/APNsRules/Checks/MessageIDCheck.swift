/// `apns-id` is a UUID in its canonical form, either case (`ProviderAPI#Headers`).
enum MessageIDCheck {
    static func check(_ push: borrowing Candidate) throws(Refusal) {
        guard push.has(.apnsID), push.notificationID == nil else { return }
        throw Refusal(
            .badMessageID, "apns-id is \(push.text(.apnsID)); a UUID was expected, 8-4-4-4-12 hexadecimal digits")
    }
}
