package import APNsRules

/// What a fault rule does (`Documents#Actions`).
package struct FaultAction: Sendable, Hashable {
    /// One row of the table.
    package enum Kind: Sendable, Hashable {
        /// As APNs would; with a delay, late.
        case pass
        /// This answer.
        case respond(FaultResponse)
        /// No answer, ever.
        case stall
        /// 200, and nothing is delivered.
        case lose
        /// 200 at once; the device gets the push so much later, on its clock.
        case deliverLate(by: Duration)
        /// The device gets the push so many times.
        case duplicate(times: Int)
        /// RST_STREAM, before or behind the answer's HEADERS.
        case resetStream(HTTP2ErrorCode, when: ResetTime)
        /// GOAWAY.
        case goAway(WireGoAway)
        /// A SETTINGS frame; then as APNs would.
        case settings(WireSettings)
        /// From then on, on that connection, no WINDOW_UPDATE is sent.
        case withholdWindow
        /// From then on, on that connection, no PING is answered.
        case ignorePing
        /// The answer's HEADERS without END_STREAM, then nothing.
        case truncate
        /// A frame that breaks HTTP/2; then the connection is closed.
        case malformedFrame
        /// A frame beyond the size that the client allows; then the connection is closed.
        case oversizedFrame
        /// Something wrong in the handshake.
        case tls(WireTLSFault)
        /// The connection's end.
        case close(WireClose)
        /// From then on, on that connection, at most so many bytes a second, `chunk` at a time.
        case throttle(bytesPerSecond: Int, chunk: Int?)
        /// Connections are refused while the rule is there; at `accept` the one at hand, too.
        case refuse
    }

    /// Where RST_STREAM comes.
    package enum ResetTime: String, CaseIterable, Sendable {
        /// In place of the answer.
        case beforeHeaders
        /// Behind the answer's HEADERS, which have no END_STREAM.
        case afterHeaders
    }

    /// The longest `by` of `deliverLate`: as long as APNs keeps any push (`ProviderAPI#Storage-and-throttling`).
    package static let lateMax = Limits.storageMax
    /// The most copies of a push; enough for any test of a duplicate, and no flood.
    package static let duplicatesMax = 100

    /// What happens.
    package let kind: Kind
    /// How long it is held back.
    package let delay: FaultDelay?
    /// Whether the device gets the push, where the rule says so; ``delivers`` has the default, too.
    package let deliver: Bool?
    /// The action takes place at every n-th matching push of a connection; `nil`: at each.
    package let afterPushes: Int?

    /// An action.
    package init(_ kind: Kind, delay: FaultDelay? = nil, deliver: Bool? = nil, afterPushes: Int? = nil) {
        self.kind = kind
        self.delay = delay
        self.deliver = deliver
        self.afterPushes = afterPushes
    }

    /// How long nothing must come on a connection before the action takes place; `nil`: it does as soon as the rule is
    /// asked.
    package var idleTime: Duration? {
        guard case .close(let close) = kind, case .afterIdle(let time) = close.time else { return nil }
        return time
    }

    /// Whether the device gets the push although APNs' own answer is not given; `nil` where the push goes APNs' way.
    ///
    /// Only where the provider is told 200, unless the rule says otherwise: a push that is delivered and not
    /// acknowledged is how a provider's retry becomes a duplicate.
    package var delivers: Bool? {
        guard replacesReply else { return kind == .lose ? false : nil }
        guard case .respond(let response) = kind else { return deliver ?? false }
        return deliver ?? (response.status == 200)
    }

    /// Whether the rule gives the answer, or prevents it; else the push is judged as without the rule, and, where it
    /// is refused, refused.
    package var replacesReply: Bool {
        switch kind {
        case .pass, .settings, .withholdWindow, .ignorePing, .throttle, .deliverLate, .duplicate, .lose: false
        case .goAway(let goAway): goAway.lastStreamID != .processed || goAway.close != .afterStreams
        case .close(let close): close.time == .atOnce && afterPushes == nil
        case .respond, .stall, .resetStream, .truncate, .malformedFrame, .oversizedFrame, .tls, .refuse: true
        }
    }

    /// The row of the table.
    package var type: FaultActionType {
        switch kind {
        case .pass: .pass
        case .respond: .respond
        case .stall: .stall
        case .lose: .lose
        case .deliverLate: .deliverLate
        case .duplicate: .duplicate
        case .resetStream: .resetStream
        case .goAway: .goaway
        case .settings: .settings
        case .withholdWindow: .withholdWindow
        case .ignorePing: .ignorePing
        case .truncate: .truncate
        case .malformedFrame: .malformedFrame
        case .oversizedFrame: .oversizedFrame
        case .tls: .tls
        case .close: .close
        case .throttle: .throttle
        case .refuse: .refuse
        }
    }
}

/// The rows of the table of actions, by their names in JSON, with what each may have.
package enum FaultActionType: String, CaseIterable, Sendable {
    case pass, respond, stall, lose, deliverLate, duplicate, resetStream, goaway, settings, withholdWindow, ignorePing
    case truncate, malformedFrame, oversizedFrame, tls, close, throttle, refuse

    /// The events at which it makes sense, the usual one first.
    package var events: [FaultEvent] {
        switch self {
        case .pass, .respond, .stall, .lose, .deliverLate, .duplicate, .resetStream, .truncate: [.request]
        case .goaway, .settings, .withholdWindow, .ignorePing, .malformedFrame, .oversizedFrame: [.request, .handshake]
        case .tls: [.handshake]
        case .close, .throttle: [.request, .accept, .handshake]
        case .refuse: [.accept, .request]
        }
    }

    /// The fields of its own.
    var fieldNames: [String] {
        switch self {
        case .pass, .stall, .lose, .withholdWindow, .ignorePing, .truncate, .malformedFrame, .oversizedFrame, .refuse:
            []
        case .respond: FaultResponse.memberNames
        case .deliverLate: ["by"]
        case .duplicate: ["times"]
        case .resetStream: ["code", "when"]
        case .goaway: ["code", "reason", "debug", "lastStreamId", "twoStep", "frames", "close"]
        case .settings:
            ["maxConcurrentStreams", "initialWindowSize", "headerTableSize", "maxFrameSize", "withhold"]
        case .tls: ["alert", "when", "certificate", "stall", "slow"]
        case .close: ["how", "afterBytes", "afterIdle"]
        case .throttle: ["bytesPerSecond", "chunk"]
        }
    }

    /// Whether it may carry `delay`: something is sent that can be held back.
    var takesDelay: Bool {
        switch self {
        case .pass, .respond, .lose, .deliverLate, .duplicate, .resetStream, .goaway, .truncate, .malformedFrame,
            .oversizedFrame, .close:
            true
        case .stall, .settings, .withholdWindow, .ignorePing, .tls, .throttle, .refuse: false
        }
    }

    /// Whether it may carry `afterPushes`: it is what becomes of a connection that has lived so long.
    var takesAfterPushes: Bool { self == .goaway || self == .close }

    /// Whether it may carry `deliver`: the provider is not told what becomes of the push.
    var takesDeliver: Bool {
        switch self {
        case .respond, .stall, .resetStream, .goaway, .truncate, .malformedFrame, .oversizedFrame, .close: true
        default: false
        }
    }
}
