package import APNsRules

extension FaultAction {
    init(json: JSONValue, at pointer: String) throws(InputError) {
        guard json.object != nil else {
            throw .mismatch(json, at: pointer, expected: "an object with a type", allowed: FaultActionType.names)
        }
        guard let name = json["type"], name != .null else {
            throw InputError(at: pointer + "/type", "an action needs a type", allowed: FaultActionType.names)
        }
        try Form.choice(FaultActionType.self).check(name, at: pointer + "/type")
        let type = name.string.flatMap(FaultActionType.init) ?? .pass
        if type == .respond, json["headers"] != nil {
            throw InputError(
                at: pointer + "/headers",
                "unknown member \"headers\": did you mean \"answerHeaders\"? The headers of match select requests")
        }
        let reader = try ObjectReader(json, at: pointer, [Member("type", .anyText)] + type.schema)
        self.init(
            try type.kind(reader), delay: try FaultDelay(reader), deliver: reader.bool("deliver"),
            afterPushes: reader.integer("afterPushes"))
        for other in ["afterBytes", "afterIdle"] {
            try reader.refuse("afterPushes", with: other, because: "a connection ends once")
        }
        if delay != nil, idleTime != nil {
            throw reader.error("delay", "delay and afterIdle exclude each other: there is no answer to hold back")
        }
        guard deliver == nil || replacesReply else {
            throw reader.error("deliver", "the push is answered as without the rule; there is nothing to choose")
        }
    }

    /// Throws if an action makes no sense at an event.
    func check(at event: FaultEvent, place: String) throws(InputError) {
        guard type.events.contains(event) else {
            throw InputError(
                at: place + "/type",
                "\(type.rawValue) can't happen at event \(event.rawValue), so the rule would do nothing",
                allowed: FaultActionType.allCases.filter { $0.events.contains(event) }.map(\.rawValue))
        }
        guard event != .request else {
            guard case .wire(.settings(let settings)) = kind, settings.isWithheld else { return }
            throw InputError(at: place + "/withhold", "SETTINGS are sent before any request: expected event handshake")
        }
        if deliver != nil { throw InputError(at: place + "/deliver", "there is no push at event \(event.rawValue)") }
        if afterPushes != nil {
            throw InputError(
                at: place + "/afterPushes",
                "there are no pushes to count at event \(event.rawValue): expected event request")
        }
        if case .wire(.goAway(let goAway)) = kind, goAway.lastStreamID == .lower {
            throw InputError(
                at: place + "/lastStreamId", "there is no stream at event \(event.rawValue) to be lower than",
                allowed: ["processed", "a number"])
        }
    }

    package var type: FaultActionType { written.type }

    /// The action in the form in which it is read, defaults included.
    ///
    /// What a type of action carries is in the cases of ``Kind``, so each case prints its own members.
    package var json: JSONValue {
        let (type, members) = written
        let ending = [JSONMember].given(("deliver", deliver.map(JSONValue.bool)), ("afterPushes", .given(afterPushes)))
        return .object([JSONMember("type", .string(type.rawValue))] + members + (delay?.members ?? []) + ending)
    }

    private var written: (type: FaultActionType, members: [JSONMember]) {
        switch kind {
        case .respond(let response): return (.respond, response.members)
        case .deliverLate(let by): return (.deliverLate, [JSONMember("by", .duration(by))])
        case .duplicate(let times): return (.duplicate, [JSONMember("times", .whole(times))])
        case .wire(.resetStream(let code, let afterHeaders)):
            return (
                .resetStream, .given(("code", code.json), ("when", afterHeaders ? "afterHeaders" : "beforeHeaders"))
            )
        case .wire(.goAway(let goAway)): return (.goaway, goAway.members)
        case .wire(.settings(let settings)): return (.settings, settings.members)
        case .wire(.throttle(let rate, let chunk)):
            return (.throttle, .given(("bytesPerSecond", .whole(rate)), ("chunk", .given(chunk))))
        case .wire(.close(let how, let bytes)):
            return (.close, .given(("how", .string(how.rawValue)), ("afterBytes", .given(bytes))))
        case .closeWhenIdle(let how, let time):
            return (.close, .given(("how", .string(how.rawValue)), ("afterIdle", .duration(time))))
        case .tls(let tls): return (.tls, tls.members)
        default:
            guard let type = FaultActionType(ofPlain: kind) else {
                preconditionFailure("\(kind) has members, which nothing writes")
            }
            return (type, [])
        }
    }
}

extension HTTP2ErrorCode {
    static func member(default standard: HTTP2ErrorCode) -> Member {
        Member(
            "code", .either(.choice(names), .integer(0...Int64(UInt32.max))),
            summary: "An error code of HTTP/2, by name or number.", default: standard.json)
    }

    init?(_ reader: ObjectReader) {
        let named = reader.text("code").flatMap { HTTP2ErrorCode.names.firstIndex(of: $0) }
        guard let number = named.map({ UInt32($0) }) ?? reader.integer("code") else { return nil }
        self.init(rawValue: number)
    }

    /// The name, or the number where it has none.
    fileprivate var json: JSONValue {
        let names = HTTP2ErrorCode.names
        return rawValue < names.count ? .string(names[Int(rawValue)]) : .whole(rawValue)
    }
}

extension WireGoAway {
    private static let fields: Fields<WireGoAway> = [
        Field(HTTP2ErrorCode.member(default: WireGoAway().code)) { $0.code.json },
        Field(
            Member("reason", .someText, summary: "The reason in the debug data."),
            given: { if case .reason(let reason) = $0.debugData { .string(reason) } else { nil } }),
        Field(
            Member("debug", .text(0...debugBytesMax), summary: "The debug data, verbatim."),
            given: { if case .raw(let text) = $0.debugData { .string(text) } else { nil } }),
        Field(
            Member(
                "lastStreamId", .either(.choice(["processed", "lower"]), .integer(0...0x7FFF_FFFF)),
                default: "processed")
        ) { $0.lastStreamID.json },
        Field(
            Member(
                "twoStep", .bool, summary: "Sent first with the highest number, then with the actual one.",
                default: false)
        ) { .bool($0.isTwoStep) },
        Field(Member("frames", .integer(1...framesMax), summary: "How often it is sent.", default: 1)) {
            .whole($0.frameCount)
        },
        Field(
            Member("close", .choice(Close.self), summary: "What happens to the connection.", default: "afterStreams")
        ) { .string($0.close.rawValue) },
    ]
    static let schema = fields.making

    init(_ reader: ObjectReader) throws(InputError) {
        self.init()
        try reader.refuse("debug", with: "reason", because: "the reason is the debug data")
        try FaultReason.checkSpelling(reader, or: "debug")
        code = HTTP2ErrorCode(reader) ?? code
        if let reason = reader.text("reason") { debugData = .reason(reason) }
        if let debug = reader.text("debug") { debugData = .raw(debug) }
        if reader.text("lastStreamId") == "lower" { lastStreamID = .lower }
        if let number = reader.integer("lastStreamId", UInt32.self) { lastStreamID = .number(number) }
        isTwoStep = reader.bool("twoStep") ?? false
        frameCount = reader.integer("frames") ?? 1
        close = reader.choice("close") ?? .afterStreams
        if isTwoStep, frameCount > 1 {
            throw reader.error("frames", "twoStep is two frames already; frames repeats a single one")
        }
    }

    fileprivate var members: [JSONMember] { WireGoAway.fields.remakingMembers(of: self) }
}

extension WireGoAway.LastStreamID {
    fileprivate var json: JSONValue {
        switch self {
        case .processed: "processed"
        case .lower: "lower"
        case .number(let number): .whole(number)
        }
    }
}

extension WireSettings {
    // The ranges of RFC 9113 §6.5.2; beyond them a client may only close.
    private typealias Path = WritableKeyPath<WireSettings, UInt32?> & Sendable
    private static let values: [(name: String, range: ClosedRange<Int64>, path: any Path)] = [
        ("maxConcurrentStreams", 0...Int64(UInt32.max), \.maxConcurrentStreams),
        ("initialWindowSize", 0...Int64(Int32.max), \.initialWindowSize),
        ("headerTableSize", 0...Int64(UInt32.max), \.headerTableSize),
        ("maxFrameSize", 16_384...16_777_215, \.maxFrameSize),
    ]
    static let schema =
        Schema(values.map { Member($0.name, .integer($0.range)) })
        + [Member("withhold", .bool, summary: "No SETTINGS are sent at all.", default: false)]

    init(_ reader: ObjectReader) throws(InputError) {
        self.init()
        for value in WireSettings.values { self[keyPath: value.path] = reader.integer(value.name) }
        isWithheld = reader.bool("withhold") ?? false
        guard !members.isEmpty else {
            throw InputError(
                at: reader.pointer, "settings needs a value, or withhold", allowed: WireSettings.schema.names)
        }
        guard !isWithheld || given.isEmpty else { throw reader.error("withhold", "withhold excludes values") }
    }

    fileprivate var members: [JSONMember] { isWithheld ? [JSONMember("withhold", true)] : given }

    var clause: FaultClause {
        FaultClause(
            isWithheld ? "no SETTINGS" : "SETTINGS " + given.map(\.words).joined(separator: ", "),
            saying: Set(WireSettings.schema.names))
    }

    private var given: [JSONMember] {
        WireSettings.values.compactMap { value in self[keyPath: value.path].map { JSONMember(value.name, .whole($0)) } }
    }
}

extension WireTLSFault {
    static let schema: Schema = [
        Member("alert", .choice(TLSAlert.allCases.map(\.name)), summary: "The name of an alert."),
        Member("when", .choice(AlertTime.self), summary: "When the alert is sent.", default: "duringHandshake"),
        Member("certificate", .choice(Certificate.self), summary: "What is wrong with the server's certificate."),
        Member("stall", .bool, summary: "The handshake stops."),
        // The maximum is longer than any client waits.
        Member("slow", .duration(.milliseconds(1) ... .seconds(3600)), summary: "How long the handshake takes."),
    ]

    init(_ reader: ObjectReader) throws(InputError) {
        let ways = ["alert", "certificate", "stall", "slow"]
        let given = ways.filter { reader[$0] != nil }
        guard let way = given.first else {
            throw InputError(at: reader.pointer, "tls needs one of its members", allowed: ways)
        }
        if given.count > 1 { try reader.refuse(given[1], with: way, because: "one thing goes wrong at a time") }
        if reader["when"] != nil, way != "alert" { throw reader.error("when", "when belongs to alert") }
        if reader.bool("stall") == false { throw reader.error("stall", "false does nothing", allowed: ["true"]) }
        let alert = reader.text("alert").flatMap { TLSAlert(name: $0) }
        if let alert {
            self = .alert(alert, reader.choice("when") ?? .duringHandshake)
        } else if let certificate: Certificate = reader.choice("certificate") {
            self = .certificate(certificate)
        } else {
            self = reader.duration("slow").map { .slow($0) } ?? .stall
        }
    }

    fileprivate var members: [JSONMember] {
        switch self {
        case .alert(let alert, let when): .given(("alert", .string(alert.name)), ("when", .string(when.rawValue)))
        case .certificate(let certificate): [JSONMember("certificate", .string(certificate.rawValue))]
        case .stall: [JSONMember("stall", true)]
        case .slow(let duration): [JSONMember("slow", .duration(duration))]
        }
    }

    var clause: FaultClause {
        switch self {
        case .alert(let alert, _): FaultClause("TLS alert \(alert.name)", saying: ["alert"])
        case .certificate(.wrongHost): FaultClause("a certificate for another host", saying: ["certificate"])
        case .certificate(let certificate):
            FaultClause("a certificate that is \(certificate.rawValue)", saying: ["certificate"])
        case .stall: FaultClause("a handshake that never ends", saying: ["stall"])
        case .slow(let duration):
            FaultClause("a handshake that takes \(DurationText.text(duration))", saying: ["slow"])
        }
    }
}
