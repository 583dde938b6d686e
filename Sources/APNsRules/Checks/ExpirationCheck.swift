/// `apns-expiration` is a number of Unix seconds (`ProviderAPI#Headers`).
enum ExpirationCheck {
    static func refusal(of push: borrowing Candidate) -> Refusal? {
        guard let range = push.fields[.apnsExpiration],
            Expiration(push.headers.bytes.span.extracting(range)) == nil
        else { return nil }
        return Refusal(
            .badExpirationDate, "apns-expiration is \(push.text(.apnsExpiration)); Unix seconds or 0 were expected")
    }
}
