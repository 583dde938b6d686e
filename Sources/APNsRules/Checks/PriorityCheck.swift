/// `apns-priority` is 10, 5 or 1 (`ProviderAPI#Headers`).
enum PriorityCheck {
    static func check(_ push: borrowing Candidate) throws(Refusal) {
        guard push.has(.apnsPriority), push.priority == nil else { return }
        throw Refusal(.badPriority, "apns-priority is \(push.text(.apnsPriority)); 10, 5 or 1 was expected")
    }
}
