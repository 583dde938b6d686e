package import APNsRules

/// A push as people and filters read it: an entry whose fields are decoded (`Documents#Pushes`).
///
/// Made outside the journal's lock. The payload is parsed anew at each request for it, since most reads need it
/// once or never; what needs it several times asks once and passes it on.
package struct PushView: Sendable {
    /// The entry.
    package let entry: Entry
    private let block: HeaderBlock
    private let fields: RequestFields

    /// Finds the fields of an entry; what is asked of them is decoded then.
    package init(_ entry: Entry) {
        self.entry = entry
        self.block = entry.headers
        self.fields = RequestFields(block)
    }

    // MARK: - Fields

    /// `:method`.
    package var method: String? { text(.method) }

    /// `:path`.
    package var path: String? { text(.path) }

    /// `apns-topic`, or, where it was not sent, the topic of a certificate that has just one.
    package var topic: String? { text(.apnsTopic) ?? entry.credential.verdict.defaultTopic }

    /// `apns-push-type` as it was sent.
    package var givenPushType: String? { text(.apnsPushType) }

    /// `apns-priority`: 10 when it was not sent, `nil` when it is none.
    package var priority: Priority? {
        guard let range = fields[.apnsPriority] else { return .immediate }
        return Priority(block.bytes.span.extracting(range))
    }

    /// `apns-expiration`: `nil` when it is none.
    package var expiration: Expiration? {
        guard let range = fields[.apnsExpiration] else { return .storagePolicy }
        return Expiration(block.bytes.span.extracting(range))
    }

    /// `apns-collapse-id`.
    package var collapseID: String? { text(.apnsCollapseID) }

    /// The device's id: for a device that the table does not name, its token; none when the push was refused.
    package var device: String? { entry.label?.device ?? (entry.outcome == .refused ? nil : entry.token?.hex) }

    /// The device's scope.
    package var scope: String? { entry.label?.scope }

    /// The fault rule that acted.
    package var fault: String? { entry.fault }

    private func text(_ name: FieldName) -> String? { fields[name].map { block.text($0) } }

    // MARK: - Headers and credential

    /// The fields in order, without pseudo-headers; of `authorization` without the signature.
    package var headers: [(name: String, value: String)] {
        block.fields(authorization: entry.credential.authorization?.withoutSignature)
            .filter { !$0.name.hasPrefix(":") }
    }

    /// Who a provider token with a good signature spoke for, its key revoked or not.
    package var identity: ProviderIdentity? { entry.credential.verdict.tokenIdentity }

    /// Whom the connection's client certificate is of, revoked or not.
    package var certificate: CertificateIdentity? { entry.credential.verdict.certificateIdentity }

    // MARK: - Payload

    /// The body as JSON, or why it is not.
    ///
    /// Of a body that was too large to be kept whole only the beginning is there, so it is not parsed.
    package func parsePayload() -> Result<JSONValue, JSONError> {
        guard !entry.isBodyCut else {
            return .failure(JSONError(offset: entry.body.count, problem: "the rest was not kept"))
        }
        let body = entry.bytes.span.extracting(Int(entry.headerByteCount)...)
        do throws(JSONError) {
            return .success(try JSONValue(parsing: body))
        } catch {
            return .failure(error)
        }
    }

    /// The body as JSON, or `nil`.
    package var payload: JSONValue? { try? parsePayload().get() }

    /// The push type that was sent, known or not, or the one that topic and payload stand for.
    package func pushType(payload: JSONValue?) -> String {
        givenPushType ?? inferredPushType(payload: payload).rawValue
    }

    /// The push type that topic and payload stand for: that of the topic; else `background` for a silent
    /// wake-up; else `alert` (`ProviderAPI#Payload-limits`).
    private func inferredPushType(payload: JSONValue?) -> PushType {
        if let topic, let type = Topic.impliedPushType(of: Array(topic.utf8).span) { return type }
        let aps = payload?["aps"]
        let isSilent = ["alert", "badge", "sound"].allSatisfy { aps?[$0] == nil }
        return isSilent && aps?["content-available"]?.integer == 1 ? .background : .alert
    }

    /// Whether the user saw it: delivered, an alert, and with something to show (`DeviceBehaviour#What-the-user-sees`).
    package func isShown(payload: JSONValue?) -> Bool {
        if let shown = entry.shown { return shown }
        guard entry.outcome == .delivered, pushType(payload: payload) == PushType.alert.rawValue else { return false }
        return switch payload?["aps"]?["alert"] {
        case .string(let text): !text.isEmpty
        case .object(let members): !members.isEmpty
        default: false
        }
    }

    /// What in the push is not as Apple has it although it may be accepted.
    package var warnings: [String] { warnings(parsePayload()) }

    func warnings(_ parsed: Result<JSONValue, JSONError>) -> [String] {
        var warnings: [String] = []
        if givenPushType == nil { warnings.append("push type inferred") }
        var payload: JSONValue?
        switch parsed {
        case .failure where entry.isBodyCut: break
        case .failure(let error):
            warnings.append(entry.body.isEmpty ? "payload is empty" : "payload is \(error)")
        case .success(let value):
            payload = value
            if value.object == nil {
                warnings.append("payload is \(value.kind); an object was expected")
            } else if let aps = value["aps"] {
                if aps.object == nil { warnings.append("aps is \(aps.kind); an object was expected") }
            } else if value["mdm"]?.string == nil || pushType(payload: value) != PushType.mdm.rawValue {
                // A push to a device's management has `mdm` in its place (`ProviderAPI#Payload-limits`).
                warnings.append("payload has no aps")
            }
        }
        warnings += contradictions(payload: payload).map(\.text)
        return warnings + (identity?.warnings ?? []) + entry.deviceWarnings
    }

    private func contradictions(payload: JSONValue?) -> [Agreement.Contradiction] {
        guard let givenPushType, let pushType = PushType(rawValue: givenPushType) else { return [] }
        guard let topic else {
            return Agreement.contradictions(pushType: pushType, topic: nil, priority: priority, payload: payload)
        }
        let topicBytes = Array(topic.utf8)
        return Agreement.contradictions(
            pushType: pushType, topic: topicBytes.span, priority: priority, payload: payload)
    }

    /// What happened to it, step by step.
    ///
    /// A device that keeps no screen notes nothing of what it shows, so the last step is worked out here.
    func timeline(isShown: Bool) -> [Entry.TimelineEvent] {
        var events = entry.timeline ?? stepsAtReceipt
        if isShown, entry.shown == nil { events.append(.init(at: deliveredAt, event: "shown", detail: nil)) }
        return events
    }

    /// When the device got it.
    var deliveredAt: Instant {
        entry.timeline?.last { $0.event == Outcome.delivered.rawValue }?.at ?? entry.receivedAt
    }

    // What is known of a push that nothing happened to since its answer.
    private var stepsAtReceipt: [Entry.TimelineEvent] {
        let received = Entry.TimelineEvent(at: entry.receivedAt, event: "received", detail: nil)
        guard entry.outcome != .pending else { return [received] }
        return [received, .init(at: entry.receivedAt, event: entry.outcome.rawValue, detail: entry.detail)]
    }
}
