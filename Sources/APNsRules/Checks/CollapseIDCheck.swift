/// `apns-collapse-id` has at most 64 bytes (`ProviderAPI#Headers`).
enum CollapseIDCheck {
    static func refusal(of push: borrowing Candidate) -> Refusal? {
        guard let range = push.fields[.apnsCollapseID], range.count > Limits.collapseIDBytesMax else { return nil }
        return Refusal(
            .badCollapseID,
            "apns-collapse-id has \(range.count) bytes; at most \(Limits.collapseIDBytesMax) are allowed")
    }
}
