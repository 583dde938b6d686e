/// `apns-priority` is 10, 5 or 1 (`ProviderAPI#Headers`).
enum PriorityCheck {
    static func refusal(of push: borrowing Candidate) -> Refusal? {
        guard push.has(.apnsPriority), push.priority == nil else { return nil }
        return Refusal(.badPriority, "apns-priority is \(push.text(.apnsPriority)); 10, 5 or 1 was expected")
    }
}
