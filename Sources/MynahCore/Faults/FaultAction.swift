package import APNsRules

/// What a fault rule does (`Documents#Actions`).
package struct FaultAction: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Answers as APNs would; with a delay, late.
        case pass
        case respond(FaultResponse)
        /// No answer, ever.
        case stall
        /// 200, and nothing is delivered.
        case lose
        /// 200 at once; the device gets the push after this time of its clock.
        case deliverLate(by: Duration)
        case duplicate(times: Int)
        /// Acts on the push's stream or connection.
        case wire(WireFault)
        /// The connection's end, when nothing has arrived on it for this time.
        case closeWhenIdle(WireClose.How, after: Duration)
        case tls(WireTLSFault)
        /// Connections are refused while the rule exists; at `accept`, the accepted one too.
        case refuse
    }

    package let kind: Kind
    package let delay: FaultDelay?
    /// Whether the device gets the push, which makes a provider's retry a duplicate; `nil` if the rule does not say.
    package let deliver: Bool?
    /// The action takes place at every n-th matching push of a connection; `nil`: at each.
    package let afterPushes: Int?

    package init(_ kind: Kind, delay: FaultDelay? = nil, deliver: Bool? = nil, afterPushes: Int? = nil) {
        self.kind = kind
        self.delay = delay
        self.deliver = deliver
        self.afterPushes = afterPushes
    }

    package var response: FaultResponse? { if case .respond(let response) = kind { response } else { nil } }
    /// How long a connection must be silent before the action takes place.
    package var idleTime: Duration? { if case .closeWhenIdle(_, let time) = kind { time } else { nil } }

    /// Whether the device gets the push although the fault replaces APNs' answer, by default only if the provider reads
    /// that it was accepted; `nil` if APNs' rules decide.
    package var delivers: Bool? {
        guard replacesReply else { return kind == .lose ? false : nil }
        return deliver ?? (response?.isAcceptance == true)
    }

    /// Whether the rule gives or prevents the answer; otherwise the push is judged as without the rule.
    package var replacesReply: Bool {
        switch kind {
        case .pass, .lose, .deliverLate, .duplicate, .closeWhenIdle: false
        case .respond, .stall, .tls, .refuse: true
        case .wire(.settings), .wire(.withholdWindow), .wire(.ignorePing), .wire(.throttle): false
        case .wire(.goAway(let goAway)): goAway.lastStreamID != .processed || goAway.close != .afterStreams
        case .wire(.close(_, let afterBytes)): afterBytes == nil && afterPushes == nil
        case .wire(.resetStream), .wire(.truncate), .wire(.malformedFrame), .wire(.oversizedFrame): true
        }
    }
}

/// The types of actions by their names in JSON, each described once: when it makes sense, which members it takes, what it
/// does in words, and how it is read.
package enum FaultActionType: String, CaseIterable, Sendable {
    case pass, respond, stall, lose, deliverLate, duplicate, resetStream, goaway, settings, withholdWindow, ignorePing
    case truncate, malformedFrame, oversizedFrame, tls, close, throttle, refuse

    /// The events at which it makes sense, the usual one first.
    package var events: [FaultEvent] { row.events }
    /// The members that an action of this type may have besides `type`.
    package var schema: Schema { row.schema }
    /// What the action does, a clause with the names of members in braces.
    package var words: String { row.words }
    static let names = allCases.map(\.rawValue)

    /// The members whose defaults need no words.
    var unsaid: [JSONMember] {
        let row = row
        return row.schema.members.compactMap { member in
            guard let standard = member.standard, !row.words.contains("{\(member.name)}") else { return nil }
            return JSONMember(member.name, standard)
        }
    }

    /// What the action is, by its members.
    func kind(_ reader: ObjectReader) throws(InputError) -> FaultAction.Kind { try row.read(reader) }

    /// The type of an action that has no members of its own; `nil` for others.
    init?(ofPlain kind: FaultAction.Kind) {
        guard let type = FaultActionType.ofPlain[kind] else { return nil }
        self = type
    }

    private static let ofPlain = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { type in type.row.plain.map { ($0, type) } })

    private struct Row {
        let events: [FaultEvent]
        let schema: Schema
        let words: String
        let read: (ObjectReader) throws(InputError) -> FaultAction.Kind
        /// The action, if it has no members of its own.
        let plain: FaultAction.Kind?

        init(
            _ words: String, at events: [FaultEvent], _ schema: Schema,
            read: @escaping (ObjectReader) throws(InputError) -> FaultAction.Kind
        ) {
            self.words = words
            self.events = events
            self.schema = schema
            self.read = read
            plain = nil
        }

        init(_ plain: FaultAction.Kind, _ words: String, at events: [FaultEvent], _ schema: Schema = []) {
            self.words = words
            self.events = events
            self.schema = schema
            self.plain = plain
            read = { _ in plain }
        }
    }

    private var row: Row {
        switch self {
        case .pass: Row(.pass, "as APNs would", at: [.request], .delay)
        case .respond:
            Row("answers {status} {reason}", at: [.request], FaultResponse.schema + .delay + .deliver) {
                (reader) throws(InputError) in .respond(try FaultResponse(reader))
            }
        case .stall: Row(.stall, "never answers", at: [.request], .deliver)
        case .lose: Row(.lose, "answers 200 and delivers nothing", at: [.request], .delay)
        case .deliverLate:
            Row("answers 200, delivers {by} later", at: [.request], .by + .delay) {
                .deliverLate(by: $0.duration("by") ?? .zero)
            }
        case .duplicate:
            Row("delivers {times} times", at: [.request], .times + .delay) {
                .duplicate(times: $0.integer("times") ?? 2)
            }
        case .resetStream:
            Row("RST_STREAM {code}", at: [.request], .resetStream + .delay + .deliver) { reader in
                let code = HTTP2ErrorCode(reader) ?? .internalError
                return .wire(.resetStream(code, afterHeaders: reader.text("when") == "afterHeaders"))
            }
        case .goaway:
            Row(
                "GOAWAY {reason} {debug}", at: [.request, .handshake],
                WireGoAway.schema + .delay + .deliver + .afterPushes
            ) { (reader) throws(InputError) in .wire(.goAway(try WireGoAway(reader))) }
        case .settings:
            Row("SETTINGS, then the answer", at: [.request, .handshake], WireSettings.schema) {
                (reader) throws(InputError) in .wire(.settings(try WireSettings(reader)))
            }
        case .withholdWindow:
            Row(.wire(.withholdWindow), "stops sending WINDOW_UPDATE", at: [.request, .handshake])
        case .ignorePing: Row(.wire(.ignorePing), "stops answering PING", at: [.request, .handshake])
        case .truncate:
            Row(.wire(.truncate), "half an answer: HEADERS without END_STREAM", at: [.request], .delay + .deliver)
        case .malformedFrame:
            Row(
                .wire(.malformedFrame), "a frame that breaks HTTP/2, then closes", at: [.request, .handshake],
                .delay + .deliver)
        case .oversizedFrame:
            Row(
                .wire(.oversizedFrame), "a frame larger than the client allows, then closes",
                at: [.request, .handshake],
                .delay + .deliver)
        case .tls:
            Row("breaks the TLS handshake", at: [.handshake], WireTLSFault.schema) {
                (reader) throws(InputError) in .tls(try WireTLSFault(reader))
            }
        case .close:
            Row(
                "ends the connection by {how}", at: [.request, .accept, .handshake],
                .close + .delay + .deliver + .afterPushes
            ) { (reader) throws(InputError) in
                try reader.refuse("afterIdle", with: "afterBytes", because: "a connection ends once")
                let how: WireClose.How = reader.choice("how") ?? .rst
                let close = FaultAction.Kind.wire(.close(how, afterBytes: reader.integer("afterBytes")))
                return reader.duration("afterIdle").map { .closeWhenIdle(how, after: $0) } ?? close
            }
        case .throttle:
            Row("sends {bytesPerSecond} bytes per second", at: [.request, .accept, .handshake], .throttle) { reader in
                let rate = reader.integer("bytesPerSecond") ?? 1
                return .wire(.throttle(bytesPerSecond: rate, chunk: reader.integer("chunk")))
            }
        case .refuse: Row(.refuse, "refuses connections while the rule exists", at: [.accept, .request])
        }
    }
}

extension Schema {
    fileprivate static let delay = FaultDelay.schema
    fileprivate static let deliver: Schema = [
        Member(
            "deliver", .bool,
            summary: "Whether the device still gets the push, although APNs' own answer is replaced.")
    ]
    fileprivate static let afterPushes: Schema = [
        Member(
            "afterPushes", .integer(1...Int64(Int32.max)),
            summary: "At every n-th matching push of each connection, which is answered; until then the rule has not "
                + "fired.")
    ]
    fileprivate static let by: Schema = [
        Member(
            "by", .duration(.milliseconds(1)...Limits.storageMax), summary: "How much later, on the device's clock.",
            isRequired: true)
    ]
    fileprivate static let times: Schema = [
        Member("times", .integer(2...100), summary: "How often the device gets the push.", default: 2)
    ]
    fileprivate static let resetStream: Schema = [
        HTTP2ErrorCode.member(default: .internalError),
        Member(
            "when", .choice(["beforeHeaders", "afterHeaders"]), summary: "Before or after the answer's HEADERS.",
            default: "beforeHeaders"),
    ]
    fileprivate static let close: Schema = [
        Member("how", .choice(WireClose.How.self), default: "rst"),
        Member("afterBytes", .integer(0...Int64(Int32.max)), summary: "Once this many bytes of the answer are sent."),
        // A week: connections were seen to live that long.
        Member(
            "afterIdle", .duration(.milliseconds(1) ... .seconds(7 * 24 * 3600)),
            summary: "Once nothing has arrived for this long; until then the rule has not fired."),
    ]
    fileprivate static let throttle: Schema = [
        Member("bytesPerSecond", .integer(1...Int64(UInt32.max)), isRequired: true),
        Member("chunk", .integer(1...Limits.frameBytesMax), summary: "How many bytes at a time."),
    ]
}
