/// `apns-collapse-id` has at most 64 bytes (`ProviderAPI#Headers`).
enum CollapseIDCheck {
    static func check(_ push: borrowing Candidate) throws(Refusal) {
        guard let range = push.fields[.apnsCollapseID], range.count > Limits.collapseIDBytesMax else { return }
        throw Refusal(
            .badCollapseID,
            "apns-collapse-id has \(range.count) bytes; at most \(Limits.collapseIDBytesMax) are allowed")
    }
}
