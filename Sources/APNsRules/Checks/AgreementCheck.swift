/// With `--push-type-check strict`: push type, topic, priority and payload agree (`ProviderAPI#Push-types-and-topics`).
///
/// Otherwise they are warnings in the journal.
enum AgreementCheck {
    static func refusal(of push: borrowing Candidate) -> Refusal? {
        guard push.settings.pushTypeCheck == .strict else { return nil }
        // A body that is no JSON has nothing to disagree with; whether it may be none is PayloadCheck's question.
        let payload = try? JSONValue(parsing: push.body)
        guard let topic = push.topic else { return nil }
        let warnings = PayloadWarnings.of(
            pushType: push.pushType, topic: topic.bytes.span.extracting(topic.place), priority: push.priority,
            payload: payload)
        return warnings.first.map { Refusal($0.reason, $0.text) }
    }
}
