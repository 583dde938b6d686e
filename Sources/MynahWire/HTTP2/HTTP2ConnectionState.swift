internal import APNsRules

/// What the connection has to do for HTTP/2, in addition to sending output.
enum HTTP2Action: Equatable {
    /// Report that the stream of a withheld answer has ended.
    case abandoned(Int32)
    /// Send GOAWAY with this reason, and end the connection.
    case shutDown(Reason)
    /// End the connection once its streams have ended; GOAWAY has been sent.
    case drain
    case close
    /// Keep the connection open; GOAWAY has been sent.
    case leaveOpen
    /// Send the second GOAWAY if the peer doesn't answer the PING in time.
    case awaitRoundTrip
    case transport(WireFault)

    /// Whether the action applies to the output that is about to be sent.
    var precedesOutput: Bool {
        switch self {
        case .transport(.throttle), .transport(.close(_, afterBytes: .some)): true
        default: false
        }
    }
}

/// What this side has announced on an HTTP/2 connection, and what it must no longer send.
///
/// A value without I/O: ``HTTP2Session`` reports events and has nghttp2 do what they return.
/// ``takeActions(beforeOutput:)`` returns what the connection itself has to do.
struct HTTP2ConnectionState {
    private enum Phase {
        case serving
        /// A fault's GOAWAY has announced another one, which follows after a round trip.
        case announced(WireGoAway)
        /// A fault's GOAWAY has been sent: streams above its last one are not answered.
        case goingAway(lastStreamID: Int32)
        case over
    }

    private enum Failure {
        case none
        /// A failure that the session's owner reports.
        case known
        /// nghttp2 ended the connection by itself.
        case unreported(String)
    }

    private var phase = Phase.serving
    private var failure = Failure.none
    /// The frames of nghttp2 that a fault withholds: of PING only the ACKs, of SETTINGS also the ACKs.
    private var withheld: Set<HTTP2FrameType> = []
    private var actions: [HTTP2Action] = []
    private var settings: [HTTP2Setting.ID: UInt32] = [:]
    /// The stream limits of SETTINGS frames that nghttp2 has yet to send, the oldest first.
    private var unsentStreamLimits: [UInt32] = []
    /// See `Limits.futileFramesMax`.
    private var futileFrameCount = 0
    /// Requests whose answer was submitted, whole or in part.
    private(set) var answeredCount = 0
    private(set) var hasAccepted = false

    // MARK: Requests

    func answers(_ stream: Int32) -> Bool {
        switch phase {
        case .serving, .announced: true
        case .goingAway(let lastStreamID): stream <= lastStreamID
        case .over: false
        }
    }

    mutating func answered(isAccepted: Bool) {
        answeredCount += 1
        if isAccepted { hasAccepted = true }
    }

    // MARK: Frames

    /// Whether the peer has sent more futile frames than its answered requests allow.
    var isFlooded: Bool { futileFrameCount > Limits.futileFramesMax + answeredCount }
    mutating func receivedFutileFrame() { futileFrameCount += 1 }
    /// Records a reset by a fault, which ``sends(_:flags:payload:)`` counts as the peer's futile frame.
    mutating func resetByFault() { futileFrameCount -= 1 }

    /// Records a frame of nghttp2 other than DATA or HEADERS; returns whether it is sent.
    mutating func sends(_ type: HTTP2FrameType, flags: UInt8, payload: Span<UInt8>) -> Bool {
        switch type {
        case .rstStream:
            if HTTP2ErrorCode(rawValue: payload.number(at: 0)).blamesPeer { futileFrameCount += 1 }
            return true
        case .ping where flags & HTTP2Flag.ack == 0: return true
        case .goAway where !withheld.contains(.goAway):
            recordGoAway(payload)
            return true
        default: return !withheld.contains(type)
        }
    }

    private mutating func recordGoAway(_ payload: Span<UInt8>) {
        let code = HTTP2ErrorCode(rawValue: payload.number(at: 4))
        if case .known = failure { return }
        guard code != .noError else { return }
        let text = String(decoding: (8..<payload.count).map { payload[$0] }, as: UTF8.self)
        failure = .unreported(text.isEmpty ? code.name : "\(code.name), \(text)")
    }

    /// Records that the connection ends by an error that the session's owner reports.
    mutating func failed() { failure = .known }

    /// Takes the error by which nghttp2 ended the connection; `nil` if there is none or it was already taken.
    mutating func takeViolation() -> String? {
        guard case .unreported(let violation) = failure else { return nil }
        failure = .none
        return violation
    }

    // MARK: Settings

    /// The settings for the next SETTINGS frame: those with changed values, or none if a fault withholds SETTINGS.
    mutating func settingsToSend(_ wanted: [HTTP2Setting]) -> [HTTP2Setting] {
        guard !withheld.contains(.settings) else { return [] }
        let changed = wanted.filter { settings[$0.id] != $0.value }
        for setting in changed {
            settings[setting.id] = setting.value
            if setting.id == .maxConcurrentStreams { unsentStreamLimits.append(setting.value) }
        }
        return changed
    }

    /// Takes the stream limit for the SETTINGS frame that is being sent.
    mutating func takeUnsentStreamLimit() -> UInt32? {
        unsentStreamLimits.isEmpty ? nil : unsentStreamLimits.removeFirst()
    }

    // MARK: Faults

    mutating func withhold(_ type: HTTP2FrameType) { withheld.insert(type) }
    mutating func release(_ type: HTTP2FrameType) { withheld.remove(type) }

    enum OnGoAway: Equatable {
        /// Send a first GOAWAY and a PING; the second GOAWAY follows after the round trip.
        case announce
        case send
        case nothing
    }

    /// Records a fault's GOAWAY; only the first counts, because requests that arrive together may match the same rule.
    mutating func goAwayWanted(_ goAway: WireGoAway) -> OnGoAway {
        guard case .serving = phase else { return .nothing }
        guard goAway.isTwoStep else { return .send }
        phase = .announced(goAway)
        actions.append(.awaitRoundTrip)
        return .announce
    }

    /// Records the answer to the PING after an announcement, or its timeout; returns the GOAWAY to send.
    mutating func roundTripEnded() -> WireGoAway? {
        guard case .announced(let goAway) = phase else { return nil }
        phase = .serving
        return goAway
    }

    mutating func goAwaySent(lastStreamID: Int32) { phase = .goingAway(lastStreamID: lastStreamID) }
    /// Stops sending, and answering requests.
    mutating func end() { phase = .over }
    var isOver: Bool { if case .over = phase { true } else { false } }

    // MARK: Actions

    /// Whether there are actions to take, which is rare.
    var hasActions: Bool { !actions.isEmpty }
    /// Adds an action for the connection, to take before or after the output is sent.
    mutating func request(_ action: HTTP2Action) { actions.append(action) }

    /// Takes the actions that precede the output, or all remaining ones.
    mutating func takeActions(beforeOutput: Bool) -> [HTTP2Action] {
        defer { actions.removeAll { !beforeOutput || $0.precedesOutput } }
        return actions.filter { !beforeOutput || $0.precedesOutput }
    }
}

extension HTTP2ErrorCode {
    /// Whether a reset with the code means that the peer has broken the rules.
    fileprivate var blamesPeer: Bool { self != .noError && self != .refusedStream }
    var name: String { Int(rawValue) < HTTP2ErrorCode.names.count ? HTTP2ErrorCode.names[Int(rawValue)] : "unknown" }
}
