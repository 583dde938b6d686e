/// The payload is present and not too large (`ProviderAPI#Payload-limits`); with `--payload-check strict` it is a JSON
/// object.
enum PayloadCheck {
    /// Returns the payload if it is JSON and a strict check needs it.
    static func payload(of push: borrowing Candidate) throws(Refusal) -> JSONValue? {
        let bytesMax = push.payloadBytesMax
        if push.bodyByteCount == 0 { throw Refusal(.payloadEmpty, "the request has no body") }
        if push.isBodyCut || push.body.count > bytesMax {
            let type = push.effectivePushType
            let isToOtherTopic = bytesMax < type.payloadBytesMax
            throw Refusal(
                .payloadTooLarge,
                "the payload has more than \(bytesMax) bytes, the limit of push type \(type.rawValue)"
                    + (isToOtherTopic ? " to a topic without \(type.topicSuffix)" : ""))
        }
        let isStrict = push.settings.payloadCheck == .strict
        guard isStrict || push.settings.pushTypeCheck == .strict else { return nil }
        let payload: JSONValue
        do throws(JSONError) {
            payload = try JSONValue(parsing: push.body.span)
        } catch {
            if isStrict { throw Refusal(.payloadEmpty, "the payload is \(error)") }
            return nil
        }
        if isStrict, payload.object == nil {
            throw Refusal(.payloadEmpty, "the payload is \(payload.kind); an object was expected")
        }
        return payload
    }
}
