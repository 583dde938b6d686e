/// The path has a well-formed device token (`ProviderAPI#Device-tokens`).
enum DeviceTokenCheck {
    static func token(of push: borrowing Candidate) throws(Refusal) -> DeviceToken {
        if let token = push.token { return token }
        guard let place = push.tokenPlace, !place.isEmpty else {
            throw Refusal(.missingDeviceToken, "nothing follows /3/device/")
        }
        let counts = push.settings.tokenByteCounts
        throw Refusal(
            .badDeviceToken,
            "the device token has \(place.count) characters; hexadecimal digits for \(counts.lowerBound) to "
                + "\(counts.upperBound) bytes were expected")
    }
}
