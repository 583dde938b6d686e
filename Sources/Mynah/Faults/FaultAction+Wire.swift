internal import APNsRules
internal import MynahCore

extension FaultAction {
    /// What the wire does; `nil` if the push path does everything itself.
    var wireFault: WireFault? {
        switch kind {
        case .wire(let fault): fault
        case .refuse: .close(.rst, afterBytes: nil)
        case .pass, .respond, .stall, .lose, .deliverLate, .duplicate, .closeWhenIdle, .tls: nil
        }
    }

    var order: DeliveryOrder {
        switch kind {
        case .lose: .drop
        case .deliverLate(let time): .hold(time)
        default: .deliver
        }
    }

    var furtherCopies: Int {
        guard case .duplicate(let times) = kind else { return 0 }
        return times - 1
    }

    /// The outcome of a push that no device gets because of this; `pending` while an answer may come.
    var outcomeUndelivered: Outcome {
        switch kind {
        case .respond(let response): response.isAcceptance ? .lost : .refused
        case .stall: .pending
        default: .unanswered
        }
    }

    var status: Int? { response?.status }
    func answeredReason(timestamp: Instant?) -> FaultReason? { response?.answeredReason(timestamp: timestamp) }
}

extension FaultResponse {
    /// The answer, with APNs' `apns-id`, or `apns-request-id`, and `content-type` unless the rule changes them.
    func reply(
        to id: NotificationID, named idName: FieldName = .apnsID, timestamp: Instant?, settings: RuleSettings
    ) -> Reply {
        var fields = [HTTPField(idName.text, apnsID ?? id.text)]
        if case .reason = self.body, settings.sendsErrorContentType {
            fields.append(HTTPField("content-type", "application/json"))
        }
        for change in headerChanges {
            fields.removeAll { $0.name == change.name }
            if case .set(let name, let value) = change { fields.append(HTTPField(name, value)) }
        }
        return Reply(status: status, id: id, fields: fields, body: bodyBytes(timestamp: timestamp))
    }

    private func bodyBytes(timestamp: Instant?) -> [UInt8] {
        switch body {
        case .empty: []
        case .raw(let text): Array(text.utf8)
        case .reason(let reason):
            Reply.body(reason: reason.text, timestamp: answeredReason(timestamp: timestamp)?.timestamp)
        }
    }
}
