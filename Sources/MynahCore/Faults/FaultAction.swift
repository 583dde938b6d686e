package import APNsRules

/// What a fault rule does (`Documents#Actions`).
package struct FaultAction: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// As APNs would; with a delay, late.
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
        (self.kind, self.delay, self.deliver, self.afterPushes) = (kind, delay, deliver, afterPushes)
    }

    package var response: FaultResponse? { if case .respond(let response) = kind { response } else { nil } }
    /// How long a connection must be silent before the action takes place.
    package var idleTime: Duration? { if case .closeWhenIdle(_, let time) = kind { time } else { nil } }

    /// Whether the device gets the push although the fault replaces APNs' answer, by default only if the provider reads
    /// 200; `nil` if APNs' rules decide.
    package var delivers: Bool? {
        guard replacesReply else { return kind == .lose ? false : nil }
        return deliver ?? (response?.status == 200)
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

/// The types of actions by their names in JSON: when each makes sense, and which members it takes.
package enum FaultActionType: String, CaseIterable, Sendable {
    case pass, respond, stall, lose, deliverLate, duplicate, resetStream, goaway, settings, withholdWindow, ignorePing
    case truncate, malformedFrame, oversizedFrame, tls, close, throttle, refuse

    /// The events at which it makes sense, the usual one first.
    package var events: [FaultEvent] { row.events }
    /// The members that it may have beside `type`.
    package var schema: Schema { row.schema }
    static let names = allCases.map(\.rawValue)

    private var row: (events: [FaultEvent], schema: Schema) {
        switch self {
        case .pass, .lose: ([.request], .delay)
        case .respond: ([.request], FaultResponse.schema + .delay + .deliver)
        case .stall: ([.request], .deliver)
        case .deliverLate: ([.request], .by + .delay)
        case .duplicate: ([.request], .times + .delay)
        case .resetStream: ([.request], .resetStream + .delay + .deliver)
        case .goaway: ([.request, .handshake], WireGoAway.schema + .delay + .deliver + .afterPushes)
        case .settings: ([.request, .handshake], WireSettings.schema)
        case .withholdWindow, .ignorePing: ([.request, .handshake], [])
        case .truncate: ([.request], .delay + .deliver)
        case .malformedFrame, .oversizedFrame: ([.request, .handshake], .delay + .deliver)
        case .tls: ([.handshake], WireTLSFault.schema)
        case .close: ([.request, .accept, .handshake], .close + .delay + .deliver + .afterPushes)
        case .throttle: ([.request, .accept, .handshake], .throttle)
        case .refuse: ([.accept, .request], [])
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
        HTTP2ErrorCode.member,
        Member("when", .choice(["beforeHeaders", "afterHeaders"]), summary: "Before or after the answer's HEADERS."),
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
