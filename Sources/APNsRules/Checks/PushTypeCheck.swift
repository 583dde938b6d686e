/// `apns-push-type`, if sent, is one of the eleven types (`ProviderAPI#Push-types-and-topics`).
enum PushTypeCheck {
    static func check(_ push: borrowing Candidate) throws(Refusal) {
        guard push.has(.apnsPushType), push.pushType == nil else { return }
        let known = PushType.allCases.map(\.rawValue).joined(separator: ", ")
        throw Refusal(.invalidPushType, "apns-push-type is \(push.text(.apnsPushType)); one of \(known) was expected")
    }
}
