/// The payload of a broadcast is present, not too large, and a JSON object (`ProviderAPI#Sending-a-broadcast`); with
/// `--payload-check strict` its `event` is `update` or `end`.
enum BroadcastPayloadCheck {
    static func check(_ push: borrowing Candidate) throws(Refusal) {
        let payload = try RequestBodyCheck.object(of: push, bytesMax: Limits.broadcastPayloadBytesMax)
        guard push.settings.payloadCheck == .strict else { return }
        let event = payload["aps"]?["event"]
        guard event?.string == "update" || event?.string == "end" else {
            throw Refusal(
                .badRequestPayload,
                "event is \(event?.string ?? event?.kind ?? "missing"); update or end was expected, because a broadcast "
                    + "starts no activity")
        }
    }
}
