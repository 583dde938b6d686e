/// `apns-push-type` is one of the eleven (`ProviderAPI#Push-types-and-topics`); it may be left out.
enum PushTypeCheck {
    static func check(_ push: borrowing Candidate) throws(Refusal) {
        guard push.has(.apnsPushType), push.pushType == nil else { return }
        let known = PushType.allCases.map(\.rawValue).joined(separator: ", ")
        throw Refusal(.invalidPushType, "apns-push-type is \(push.text(.apnsPushType)); expected is one of \(known)")
    }
}
