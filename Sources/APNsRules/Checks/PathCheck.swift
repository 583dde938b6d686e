/// The path is `/3/device/` and a token (`ProviderAPI#Headers`); another version or resource is BadPath.
enum PathCheck {
    static func check(_ push: borrowing Candidate) throws(Refusal) {
        guard push.tokenPlace == nil else { return }
        throw Refusal(.badPath, ":path is \(push.text(.path)); /3/device/<device token> was expected")
    }
}
