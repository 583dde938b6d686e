/// `/3/device/` and a token (`ProviderAPI#Headers`); another version or resource is BadPath.
enum PathCheck {
    static func refusal(of push: borrowing Candidate) -> Refusal? {
        guard push.target == .other else { return nil }
        return Refusal(.badPath, ":path is \(push.text(.path)); /3/device/<device token> was expected")
    }
}
