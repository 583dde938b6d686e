package import APNsRules

/// An answer that a rule gives in APNs' place (`Documents#Actions`).
package struct FaultResponse: Sendable, Hashable {
    /// What the body is.
    package enum Body: Sendable, Hashable {
        /// The JSON of a refusal. A 410 without a timestamp names the moment at which it is answered.
        case reason(FaultReason, timestamp: Instant?)
        /// These bytes.
        case raw(String)
        /// Nothing.
        case empty
    }

    /// A change to the fields of the answer, applied in order.
    package enum HeaderChange: Sendable, Hashable {
        /// Added, or, where the answer has a field of this name, in its place.
        case set(name: String, value: String)
        /// Left out.
        case remove(name: String)
    }

    /// The final statuses of HTTP that may be answered (RFC 9110 §15; 1xx are not final).
    package static let statuses: ClosedRange<Int> = 200...599
    /// The most bytes of a raw body: one frame (`ProviderAPI#Stream-limits`).
    package static let bodyBytesMax = Limits.frameBytesMax
    /// The most changes to the fields; all of them fit one header block.
    package static let headerChangesMax = 32
    /// The most bytes of `apnsId`; longer than any id that a client would store.
    package static let idBytesMax = 256

    /// The HTTP status.
    package let status: Int
    /// The body.
    package let body: Body
    /// What is different in the fields.
    package let headerChanges: [HeaderChange]
    /// `apns-id`, in place of the push's own.
    package let apnsID: String?

    /// An answer.
    package init(status: Int, body: Body = .empty, headerChanges: [HeaderChange] = [], apnsID: String? = nil) {
        self.status = status
        self.body = body
        self.headerChanges = headerChanges
        self.apnsID = apnsID
    }

    /// A refusal as the table of reasons has it.
    package init(_ reason: Reason, timestamp: Instant? = nil) {
        self.init(status: reason.status, body: .reason(FaultReason(text: reason.rawValue), timestamp: timestamp))
    }

    /// The reason that a status has when no other is named; `nil` where there are several or none.
    static func usualReason(ofStatus status: Int) -> Reason? {
        switch status {
        case 403: .forbidden
        case 410: .unregistered
        case 429: .tooManyRequests
        case 503: .serviceUnavailable
        default:
            // 404, 405, 413, 500: one reason each.
            Reason.allCases.count { $0.status == status } == 1 ? Reason.allCases.first { $0.status == status } : nil
        }
    }
}

/// A reason code that a rule answers: one of the table, or any text, to see what a provider makes of it.
package struct FaultReason: Sendable, Hashable {
    /// The text on the wire.
    package let text: String

    /// A reason by its text.
    package init(text: String) {
        self.text = text
    }

    /// The reason of the table, if it is one.
    package var known: Reason? {
        Reason(rawValue: text) ?? Reason.allCases.first { $0.documentedText == text }
    }
}

// MARK: - JSON

extension FaultResponse {
    static let memberNames = ["status", "reason", "timestamp", "body", "headers", "apnsId"]

    init(_ fields: FaultFields) throws(QueryError) {
        try fields.refuse("body", with: "reason", because: "the reason is the body")
        try fields.refuse("timestamp", with: "body", because: "a timestamp is part of a reason's JSON")
        let reason = try fields.text("reason").map { FaultReason(text: $0) }
        let given = try fields.count("status", in: FaultResponse.statuses)
        let status: Int
        switch (given, reason) {
        case (let given?, _): status = given
        case (nil, let reason?):
            guard let known = reason.known else {
                let known = Reason.allCases.map(\.rawValue)
                guard Spelling.nearest(to: reason.text, among: known) == nil else {
                    throw .unknown("reason", reason.text, at: fields.place("reason"), among: known)
                }
                throw fields.error("status", "\(reason.text) is no reason of APNs, so its status must be given")
            }
            status = known.status
        case (nil, nil): throw fields.error("status", "respond needs a status or a reason")
        }
        guard reason == nil || status >= 300 else {
            throw fields.error("reason", "a reason goes with a refusal, and \(status) is none")
        }
        self.status = status
        self.body = try FaultResponse.body(fields, status: status, reason: reason)
        self.apnsID = try fields.text("apnsId")
        if let apnsID, apnsID.utf8.count > FaultResponse.idBytesMax || !FaultResponse.isFieldValue(apnsID) {
            throw fields.error("apnsId", "at most \(FaultResponse.idBytesMax) printable ASCII characters were expected")
        }
        self.headerChanges = try FaultResponse.headerChanges(fields)
        if apnsID != nil, headerChanges.contains(where: { $0.name == "apns-id" }) {
            throw fields.error("apnsId", "apnsId and headers both say what apns-id is")
        }
    }

    private static func body(_ fields: FaultFields, status: Int, reason: FaultReason?) throws(QueryError) -> Body {
        if let text = try fields.text("body") {
            guard text.utf8.count <= bodyBytesMax else {
                throw fields.error("body", "a body of \(text.utf8.count) bytes; at most \(bodyBytesMax) were expected")
            }
            return text.isEmpty ? .empty : .raw(text)
        }
        let timestamp = try fields.whole("timestamp", in: 0...Int64.max).map { Instant(milliseconds: $0) }
        if let reason = reason ?? usualReason(ofStatus: status).map({ FaultReason(text: $0.rawValue) }) {
            return .reason(reason, timestamp: timestamp)
        }
        guard timestamp == nil else {
            throw fields.error("timestamp", "a timestamp is part of a reason's JSON; name a reason")
        }
        let candidates = Reason.allCases.filter { $0.status == status }.map(\.rawValue)
        guard candidates.isEmpty else {
            throw fields.error(
                "reason", "APNs has several reasons with status \(status); name one, or give a body",
                allowed: candidates)
        }
        return .empty
    }

    // RFC 9113 §8.2.2: fields of the connection make a message malformed, and the library would not send it.
    private static let connectionFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    private static func headerChanges(_ fields: FaultFields) throws(QueryError) -> [HeaderChange] {
        guard let json = fields["headers"] else { return [] }
        let place = fields.place("headers")
        guard let members = json.object else {
            throw QueryError(place, "\(json.kind) was given; an object of names and values was expected")
        }
        guard members.count <= headerChangesMax else {
            throw QueryError(place, "\(members.count) fields were given; at most \(headerChangesMax) were expected")
        }
        var changes: [HeaderChange] = []
        for member in members {
            let place = place + JSONPointer(steps: [member.name]).description
            guard isFieldName(member.name) else {
                let hint = member.name == ":status" ? "; the status has a field of its own" : ""
                throw QueryError(place, "\(member.name) is no header's name in lower case\(hint)")
            }
            guard !connectionFields.contains(member.name) else {
                throw QueryError(place, "\(member.name) may not be sent over HTTP/2 (RFC 9113 §8.2.2)")
            }
            switch member.value {
            case .null: changes.append(.remove(name: member.name))
            case .string(let value) where isFieldValue(value): changes.append(.set(name: member.name, value: value))
            default:
                throw QueryError(
                    place, "\(member.value.encodedText) was given; printable ASCII, or null to remove, was expected")
            }
        }
        return changes
    }

    /// RFC 9110 §5.6.2, in lower case as RFC 9113 §8.2 wants it.
    static func isFieldName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= Limits.headerListBytesMax
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    private static func isFieldValue(_ value: String) -> Bool {
        value.utf8.count <= Limits.headerListBytesMax && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// The members of the action, `type` not among them.
    var members: [JSONMember] {
        var members = [JSONMember("status", .number(JSONNumber(status)))]
        switch body {
        case .reason(let reason, let timestamp):
            members.append(JSONMember("reason", .string(reason.text)))
            if let timestamp { members.append(JSONMember("timestamp", .number(JSONNumber(timestamp.milliseconds)))) }
        case .raw(let text): members.append(JSONMember("body", .string(text)))
        case .empty: members.append(JSONMember("body", .string("")))
        }
        if !headerChanges.isEmpty {
            members.append(JSONMember("headers", .object(headerChanges.map(\.member))))
        }
        if let apnsID { members.append(JSONMember("apnsId", .string(apnsID))) }
        return members
    }
}

extension FaultResponse.HeaderChange {
    /// The field's name.
    package var name: String {
        switch self {
        case .set(let name, _), .remove(let name): name
        }
    }

    var member: JSONMember {
        switch self {
        case .set(let name, let value): JSONMember(name, .string(value))
        case .remove(let name): JSONMember(name, .null)
        }
    }
}
