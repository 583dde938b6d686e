/// The path has a device token, and it is well formed (`ProviderAPI#Device-tokens`).
enum DeviceTokenCheck {
    static func refusal(of push: borrowing Candidate) -> Refusal? {
        guard push.token == nil, case .device(let place) = push.target else { return nil }
        guard !place.isEmpty else { return Refusal(.missingDeviceToken, "nothing follows /3/device/") }
        let counts = push.settings.tokenByteCounts
        return Refusal(
            .badDeviceToken,
            "the device token has \(place.count) characters; hexadecimal digits for \(counts.lowerBound) to "
                + "\(counts.upperBound) bytes were expected")
    }
}
