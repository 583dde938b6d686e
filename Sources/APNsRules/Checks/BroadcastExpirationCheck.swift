/// A broadcast has an `apns-expiration` in Unix seconds (`ProviderAPI#Sending-a-broadcast`).
enum BroadcastExpirationCheck {
    static func check(_ push: borrowing Candidate) throws(Refusal) {
        guard push.has(.apnsExpiration) else {
            throw Refusal(.badExpirationDate, "no apns-expiration; a broadcast needs it, 0 or Unix seconds")
        }
        try ExpirationCheck.check(push)
    }
}
