/// No field that APNs reads may come twice (`ProviderAPI#Reasons`).
enum DuplicateHeaderCheck {
    static func refusal(of push: borrowing Candidate) -> Refusal? {
        guard let repeated = push.fields.repeated else { return nil }
        return Refusal(.duplicateHeaders, "\(repeated.text) was sent more than once")
    }
}
