package import APNsRules

/// An answer that a rule gives in APNs' place (`Documents#Actions`).
package struct FaultResponse: Sendable, Hashable {
    package enum Body: Sendable, Hashable {
        /// The JSON of a refusal. A 410 without a timestamp names the moment at which it is answered.
        case reason(FaultReason)
        case raw(String)
        case empty
    }

    /// A change to the fields of the answer, applied in order.
    package enum HeaderChange: Sendable, Hashable {
        /// Added, or, where the answer has a field of this name, in its place.
        case set(name: String, value: String)
        case remove(name: String)

        package var name: String {
            switch self {
            case .set(let name, _), .remove(let name): name
            }
        }
    }

    /// The final statuses of HTTP that may be answered (RFC 9110 §15; 1xx are not final).
    static let statuses: ClosedRange<Int> = 200...599
    /// The most bytes of a raw body: one frame (`ProviderAPI#Stream-limits`).
    static let bodyBytesMax = Limits.frameBytesMax
    static let headerChangesMax = 32
    static let idBytesMax = 256

    package let status: Int
    package let body: Body
    package let headerChanges: [HeaderChange]
    /// `apns-id`, in place of the push's own.
    package let apnsID: String?

    package init(status: Int, body: Body = .empty, headerChanges: [HeaderChange] = [], apnsID: String? = nil) {
        self.status = status
        self.body = body
        self.headerChanges = headerChanges
        self.apnsID = apnsID
    }

    /// A refusal as the table of reasons has it.
    package init(_ reason: Reason, timestamp: Instant? = nil) {
        self.init(status: reason.status, body: .reason(FaultReason(text: reason.rawValue, timestamp: timestamp)))
    }

    /// Whether the response's status says that the push was accepted.
    package var isAcceptance: Bool { Reply.isAcceptance(status) }

    /// The reason of a status for which no other is named; `nil` if it has several or none.
    static func usualReason(ofStatus status: Int) -> Reason? {
        switch status {
        case 403: .forbidden
        case 410: .unregistered
        case 429: .tooManyRequests
        case 503: .serviceUnavailable
        case 404, 405, 413, 500: Reason.allCases.first { $0.status == status }
        default: nil
        }
    }

    /// The reason that this answers.
    /// - Parameter timestamp: That of a 410 whose rule names none; `nil` for a web push, whose 410 has none.
    package func answeredReason(timestamp: Instant?) -> FaultReason? {
        guard case .reason(var reason) = body else { return nil }
        if status == 410, reason.timestamp == nil { reason.timestamp = timestamp }
        return reason
    }
}

/// A reason code that a rule answers: one of the table or any other text, to see how a provider handles it.
package struct FaultReason: Sendable, Hashable {
    package let text: String
    package fileprivate(set) var timestamp: Instant?
    package var known: Reason? { Reason(anySpelling: text) }

    /// Refuses a member `reason` that is nearly a reason of APNs; any other text is allowed as a reason of a test's
    /// own; `verbatim` is the member that takes a text unchecked.
    static func checkSpelling(_ reader: ObjectReader, or verbatim: String) throws(InputError) {
        guard let text = reader.text("reason"), let meant = Reason.misspelt(text) else { return }
        throw InputError(
            at: reader.place("reason"), "\(text) is no reason of APNs",
            hint: ": did you mean \"\(meant)\"? A text like this one can be given as \(verbatim)",
            allowed: Reason.allCases.map(\.rawValue))
    }
}

extension FaultResponse {
    private static let fields: Fields<FaultResponse> = [
        Field(Member("status", .integer(statuses), summary: "By default the reason's.")) { .whole($0.status) },
        Field(
            Member("reason", .someText, summary: "The reason in the body."),
            given: { response in response.body.reason.map { .string($0.text) } }),
        Field(
            Member("timestamp", .integer(0...Int64.max), summary: "With the reason, milliseconds since 1970."),
            given: { response in response.body.reason?.timestamp.map { .whole($0.milliseconds) } }),
        Field(
            Member("body", .text(0...bodyBytesMax), summary: "In place of a reason's JSON."),
            given: { response in response.body.text.map { .string($0) } }),
        Field(
            Member(
                "answerHeaders", .map(of: .nullable(.anyText), countMax: headerChangesMax),
                summary: "Header fields of the answer to set, as retry-after; null removes one."),
            given: { $0.headerChanges.isEmpty ? nil : .object($0.headerChanges.map(\.json)) }),
        Field(
            Member("apnsId", .text(0...idBytesMax), summary: "In place of the push's own."),
            given: { response in response.apnsID.map { .string($0) } }),
    ]
    static let schema = fields.making

    init(_ reader: ObjectReader) throws(InputError) {
        try reader.refuse("body", with: "reason", because: "the reason is the body")
        try reader.refuse("timestamp", with: "body", because: "a timestamp is part of a reason's JSON")
        let reason = reader.text("reason").map { FaultReason(text: $0) }
        try FaultReason.checkSpelling(reader, or: "body")
        guard let status = reader.integer("status") ?? reason?.known?.status else {
            guard let reason else { throw reader.error("status", "respond needs a status or a reason") }
            throw reader.error("status", "\(reason.text) is not a reason of APNs: expected a status with it")
        }
        guard reason == nil || status >= 300 else {
            throw reader.error("reason", "a reason needs the status of a refusal, which \(status) is not")
        }
        self.status = status
        self.body = try FaultResponse.body(reader, status: status, reason: reason)
        self.apnsID = reader.text("apnsId")
        if let apnsID, !FaultResponse.isFieldValue(apnsID) {
            throw reader.error("apnsId", "apnsId is not valid: expected printable ASCII characters")
        }
        self.headerChanges = try reader.members("answerHeaders").map { name, value, place throws(InputError) in
            try FaultResponse.headerChange(name, value, at: place)
        }
        if apnsID != nil, headerChanges.contains(where: { $0.name == "apns-id" }) {
            throw reader.error("apnsId", "apnsId and answerHeaders both say what apns-id is")
        }
    }

    private static func body(_ reader: ObjectReader, status: Int, reason: FaultReason?) throws(InputError) -> Body {
        if let text = reader.text("body") { return text.isEmpty ? .empty : .raw(text) }
        let timestamp = reader.integer("timestamp").map { Instant(milliseconds: $0) }
        if let text = reason?.text ?? usualReason(ofStatus: status)?.rawValue {
            return .reason(FaultReason(text: text, timestamp: timestamp))
        }
        guard timestamp == nil else {
            throw reader.error("timestamp", "a timestamp is part of a reason's JSON; name a reason")
        }
        let candidates = Reason.allCases.filter { $0.status == status }.map(\.rawValue)
        guard candidates.isEmpty else {
            throw reader.error(
                "reason", "APNs has several reasons with status \(status); name one, or give a body",
                allowed: candidates)
        }
        return .empty
    }

    /// The header fields in answers of APNs, of its Web Push service, and of proxies between them and a provider.
    private static let answerFields =
        FilterField.answerHeaders.sorted() + [
            "apns-id", "apns-channel-id", "apns-request-id", "content-type", "content-length", "cache-control", "date",
            "link",
            "content-encoding", "content-language", "last-modified", "proxy-status", "request-id", "urgency", "topic",
            "ttl",
        ]

    private static func headerChange(
        _ given: String, _ value: JSONValue, at place: String
    ) throws(InputError) -> HeaderChange {
        // HTTP/2 sends names in lower case.
        let name = given.lowercased()
        guard FilterField.isHeaderName(name) else {
            let hint = name == ":status" ? "; the status has a member of its own" : ""
            throw InputError(at: place, "\(name) is not valid: expected a header's name\(hint)")
        }
        guard !HTTPField.connectionNames.contains(name) else {
            throw InputError(at: place, "\(name) may not be sent over HTTP/2 (RFC 9113 §8.2.2)")
        }
        try FilterField.checkSpelling(of: name, among: answerFields, at: place)
        switch value {
        case .null: return .remove(name: name)
        case .string(let value) where isFieldValue(value): return .set(name: name, value: value)
        default: throw .mismatch(value, at: place, expected: "printable ASCII, or null to remove the field")
        }
    }

    private static func isFieldValue(_ value: String) -> Bool {
        value.utf8.count <= Limits.headerListBytesMax && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Throws if a rule for pushes of these kinds alone answers with a reason of another service.
    func checkReason(of kinds: Set<JournalKind>, at place: String) throws(InputError) {
        guard case .reason(let reason) = body, let known = reason.known, !kinds.isEmpty else { return }
        let isAnswered: (Reason) -> Bool =
            switch kinds {
            case [.webPush]: \.isAnsweredByWebPush
            case _ where !kinds.contains(.webPush): { !$0.isOfWebPush }
            default: { _ in true }
            }
        guard !isAnswered(known) else { return }
        let service = kinds == [.webPush] ? "Apple's Web Push service" : "APNs"
        throw InputError(
            at: place + "/reason", "\(service) does not answer \(known.rawValue)",
            hint: ": expected a reason of its own, or this text as body",
            allowed: Reason.allCases.filter { isAnswered($0) && $0.status == status }.map(\.rawValue))
    }

    var members: [JSONMember] { FaultResponse.fields.remakingMembers(of: self) }
}

extension FaultResponse.Body {
    fileprivate var reason: FaultReason? { if case .reason(let reason) = self { reason } else { nil } }

    /// The text that is sent as it is; `nil` for a reason.
    fileprivate var text: String? {
        switch self {
        case .reason: nil
        case .raw(let text): text
        case .empty: ""
        }
    }
}

extension FaultResponse.HeaderChange {
    fileprivate var json: JSONMember {
        switch self {
        case .set(let name, let value): JSONMember(name, .string(value))
        case .remove(let name): JSONMember(name, .null)
        }
    }
}
