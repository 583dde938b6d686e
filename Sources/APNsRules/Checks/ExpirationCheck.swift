/// `apns-expiration` is a number of Unix seconds (`ProviderAPI#Headers`).
enum ExpirationCheck {
    static func check(_ push: borrowing Candidate) throws(Refusal) {
        guard let range = push.fields[.apnsExpiration],
            Expiration(push.headers.storage.span.extracting(range)) == nil
        else { return }
        throw Refusal(
            .badExpirationDate, "apns-expiration is \(push.text(.apnsExpiration)); Unix seconds or 0 were expected")
    }
}
