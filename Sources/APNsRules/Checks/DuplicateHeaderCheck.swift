/// No field that APNs reads is sent twice (`ProviderAPI#Reasons`).
enum DuplicateHeaderCheck {
    static func check(_ push: borrowing Candidate) throws(Refusal) {
        guard let repeated = push.fields.repeated else { return }
        throw Refusal(.duplicateHeaders, "\(repeated.text) was sent more than once")
    }
}
