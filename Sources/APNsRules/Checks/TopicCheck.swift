/// `apns-topic` is there and well formed (`provider-api.md` §3 and decisions).
enum TopicCheck {
    static func refusal(of push: borrowing Candidate) -> Refusal? {
        guard let range = push.topic else {
            return Refusal(.missingTopic, "no apns-topic; with a provider token every push names its topic")
        }
        guard !Topic.isWellFormed(push.headers.bytes.span.extracting(range)) else { return nil }
        return Refusal(
            .badTopic,
            "apns-topic is \"\(push.text(.apnsTopic))\"; 1 to \(Limits.topicBytesMax) letters, digits, "
                + "hyphens and periods were expected")
    }
}
