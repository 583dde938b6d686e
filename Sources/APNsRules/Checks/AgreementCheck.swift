/// With `--push-type-check strict`: push type, topic, priority and payload agree (`provider-api.md` §2.2 and
/// decisions).
///
/// Otherwise they are warnings in the journal.
enum AgreementCheck {
    static func refusal(of push: borrowing Candidate) -> Refusal? {
        guard push.settings.pushTypeCheck == .strict else { return nil }
        // A body that is no JSON has nothing to disagree with; whether it may be none is PayloadCheck's question.
        let payload = try? JSONValue(parsing: push.body)
        let bytes = push.headers.bytes.span
        let topic: Span<UInt8>? = if let range = push.topic { bytes.extracting(range) } else { nil }
        let warnings = PayloadWarnings.of(
            pushType: push.pushType, topic: topic, priority: push.priority, payload: payload)
        return warnings.first.map { Refusal($0.reason, $0.text) }
    }
}
