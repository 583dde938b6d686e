internal import APNsRules
internal import MynahCore

extension FaultAction {
    /// What the wire does; `nil` if the push path does everything itself.
    var wireFault: WireFault? {
        switch kind {
        case .pass, .respond, .stall, .lose, .deliverLate, .duplicate, .tls: nil
        case .resetStream(let code, let when): .resetStream(code, afterHeaders: when == .afterHeaders)
        case .goAway(let goAway): .goAway(goAway)
        case .settings(let settings): .settings(settings)
        case .withholdWindow: .withholdWindow
        case .ignorePing: .ignorePing
        case .truncate: .truncate
        case .malformedFrame: .malformedFrame
        case .oversizedFrame: .oversizedFrame
        case .throttle(let bytesPerSecond, let chunk): .throttle(bytesPerSecond: bytesPerSecond, chunk: chunk)
        case .refuse: .close(.rst, afterBytes: nil)
        case .close(let close):
            switch close.time {
            case .atOnce: .close(close.how, afterBytes: nil)
            case .afterBytes(let count): .close(close.how, afterBytes: count)
            case .afterIdle: nil
            }
        }
    }

    /// What the device table does with a push that APNs' rules accept.
    var order: DeliveryOrder {
        switch kind {
        case .lose: .drop
        case .deliverLate(let time): .hold(time)
        default: .deliver
        }
    }

    /// How many more times the device gets a push.
    var furtherCopies: Int {
        guard case .duplicate(let times) = kind else { return 0 }
        return times - 1
    }

    /// The outcome of a push that no device gets because of this; `pending` while an answer may come.
    var outcomeUndelivered: Outcome {
        switch kind {
        case .respond(let response): response.status == 200 ? .lost : .refused
        case .stall: .pending
        default: .unanswered
        }
    }

    var status: Int? {
        guard case .respond(let response) = kind else { return nil }
        return response.status
    }

    func answeredReason(at now: Instant) -> AnsweredReason? {
        guard case .respond(let response) = kind else { return nil }
        return response.answeredReason(at: now)
    }
}

extension FaultResponse {
    /// The answer, with APNs' `apns-id` and `content-type` unless the rule changes them.
    func reply(to id: NotificationID, at now: Instant, settings: RuleSettings) -> Reply {
        var fields = [HTTPField("apns-id", apnsID ?? id.text)]
        if case .reason = self.body, settings.sendsErrorContentType {
            fields.append(HTTPField("content-type", "application/json"))
        }
        for change in headerChanges {
            fields.removeAll { $0.name == change.name }
            if case .set(let name, let value) = change { fields.append(HTTPField(name, value)) }
        }
        return Reply(status: status, id: id, fields: fields, body: bodyBytes(at: now))
    }

    private func bodyBytes(at now: Instant) -> [UInt8] {
        switch body {
        case .empty: []
        case .raw(let text): Array(text.utf8)
        case .reason(let reason, _):
            Reply.body(reason: reason.text, timestamp: answeredReason(at: now)?.timestamp)
        }
    }
}
