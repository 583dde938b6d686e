/// `apns-push-type` is one of the eleven (`ProviderAPI#Push-types-and-topics`); without one it is inferred.
enum PushTypeCheck {
    static func refusal(of push: borrowing Candidate) -> Refusal? {
        guard push.has(.apnsPushType), push.pushType == nil else { return nil }
        let known = PushType.allCases.map(\.rawValue).joined(separator: ", ")
        return Refusal(.invalidPushType, "apns-push-type is \(push.text(.apnsPushType)); expected is one of \(known)")
    }
}
