/// The payload is there and not too large (`ProviderAPI#Payload-limits`); JSON only where asked (decisions).
enum PayloadCheck {
    static func refusal(of push: borrowing Candidate) -> Refusal? {
        let bytesMax = push.effectivePushType.payloadBytesMax
        if push.bodyByteCount == 0 {
            return Refusal(.payloadEmpty, "the request has no body")
        }
        if push.isBodyCut || push.body.count > bytesMax {
            return Refusal(
                .payloadTooLarge,
                "the payload has more than \(bytesMax) bytes, the limit of push type \(push.effectivePushType.rawValue)"
            )
        }
        guard push.settings.payloadCheck == .strict else { return nil }
        do {
            let payload = try JSONValue(parsing: push.body)
            guard payload.object == nil else { return nil }
            return Refusal(.payloadEmpty, "the payload is \(payload.kind); an object was expected")
        } catch {
            return Refusal(.payloadEmpty, "the payload is \(error)")
        }
    }
}
