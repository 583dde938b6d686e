internal import APNsRules

extension WireGoAway {
    init(_ fields: FaultFields) throws(QueryError) {
        self.init()
        try fields.refuse("debug", with: "reason", because: "the reason is the debug data")
        if let json = fields["code"] { code = try HTTP2ErrorCode(json: json, at: fields.place("code")) }
        if let reason = try fields.text("reason") { debugData = .reason(reason) }
        if let debug = try fields.text("debug") {
            guard debug.utf8.count <= WireGoAway.debugBytesMax else {
                throw fields.error(
                    "debug", "\(debug.utf8.count) bytes were given; at most \(WireGoAway.debugBytesMax) were expected")
            }
            debugData = .raw(debug)
        }
        switch fields["lastStreamId"] {
        case nil: break
        case "processed": lastStreamID = .processed
        case "lower": lastStreamID = .lower
        case let json?:
            guard let number = json.integer, (0...Int64(Int32.max)).contains(number) else {
                throw fields.error(
                    "lastStreamId",
                    "\(json.encodedText) was given; a word or a number from 0 to 2147483647 was expected",
                    allowed: ["processed", "lower"])
            }
            lastStreamID = .number(UInt32(number))
        }
        isTwoStep = try fields.truth("twoStep") ?? false
        frameCount = try fields.count("frames", in: 1...WireGoAway.framesMax) ?? 1
        close = try fields.choice("close", "end") ?? .afterStreams
        if isTwoStep, frameCount > 1 {
            throw fields.error("frames", "twoStep is two frames already; frames repeats a single one")
        }
    }

    var members: [JSONMember] {
        var members = [JSONMember("code", code.json)]
        switch debugData {
        case .none: break
        case .reason(let reason): members.append(JSONMember("reason", .string(reason)))
        case .raw(let text): members.append(JSONMember("debug", .string(text)))
        }
        let last: JSONValue =
            switch lastStreamID {
            case .processed: "processed"
            case .lower: "lower"
            case .number(let number): .number(JSONNumber(number))
            }
        return members + [
            JSONMember("lastStreamId", last), JSONMember("twoStep", .bool(isTwoStep)),
            JSONMember("frames", .number(JSONNumber(frameCount))), JSONMember("close", .string(close.rawValue)),
        ]
    }
}

extension WireSettings {
    init(_ fields: FaultFields) throws(QueryError) {
        self.init()
        func value(_ name: String, _ range: ClosedRange<Int64>) throws(QueryError) -> UInt32? {
            try fields.whole(name, in: range).map { UInt32($0) }
        }
        // The ranges of RFC 9113 §6.5.2; beyond them a client may only close.
        maxConcurrentStreams = try value("maxConcurrentStreams", 0...Int64(UInt32.max))
        initialWindowSize = try value("initialWindowSize", 0...Int64(Int32.max))
        headerTableSize = try value("headerTableSize", 0...Int64(UInt32.max))
        maxFrameSize = try value("maxFrameSize", 16_384...16_777_215)
        isWithheld = try fields.truth("withhold") ?? false
        let hasValue = [maxConcurrentStreams, initialWindowSize, headerTableSize, maxFrameSize].contains { $0 != nil }
        guard hasValue != isWithheld else {
            let problem = hasValue ? "what is withheld has no values" : "settings needs a value, or withhold"
            throw hasValue
                ? fields.error("withhold", problem)
                : QueryError(fields.pointer, problem, allowed: FaultActionType.settings.fieldNames)
        }
    }

    var members: [JSONMember] {
        let values = [
            ("maxConcurrentStreams", maxConcurrentStreams), ("initialWindowSize", initialWindowSize),
            ("headerTableSize", headerTableSize), ("maxFrameSize", maxFrameSize),
        ]
        let members = values.compactMap { name, value in value.map { JSONMember(name, .number(JSONNumber($0))) } }
        return isWithheld ? [JSONMember("withhold", true)] : members
    }
}

extension WireTLSFault {
    /// The longest `slow`: a client has given up long before.
    static let slowMax: Duration = .seconds(3600)

    init(_ fields: FaultFields) throws(QueryError) {
        let ways = ["alert", "certificate", "stall", "slow"]
        let given = ways.filter { fields.has($0) }
        guard let way = given.first else {
            throw QueryError(fields.pointer, "tls needs one of its fields", allowed: ways)
        }
        if given.count > 1 {
            throw fields.error(given[1], "\(given[1]) and \(way) exclude each other: one thing goes wrong at a time")
        }
        let when = try fields.choice("when", "time", of: AlertTime.self)
        if when != nil, way != "alert" { throw fields.error("when", "when belongs to alert") }
        switch way {
        case "alert":
            let names = TLSAlert.allCases.map(\.name)
            let name = try fields.text("alert") ?? ""
            guard let alert = TLSAlert(name: name) else {
                throw .unknown("TLS alert", name, at: fields.place("alert"), among: names)
            }
            self = .alert(alert, when ?? .duringHandshake)
        case "certificate":
            self = .certificate(try fields.required("certificate", fields.choice("certificate", "fault"), of: "tls"))
        case "stall":
            guard try fields.truth("stall") == true else {
                throw fields.error("stall", "false does nothing", allowed: ["true"])
            }
            self = .stall
        default:
            let slow = try fields.duration("slow", in: .milliseconds(1)...WireTLSFault.slowMax)
            self = .slow(try fields.required("slow", slow, of: "tls"))
        }
    }

    var members: [JSONMember] {
        switch self {
        case .alert(let alert, let when):
            [JSONMember("alert", .string(alert.name)), JSONMember("when", .string(when.rawValue))]
        case .certificate(let certificate): [JSONMember("certificate", .string(certificate.rawValue))]
        case .stall: [JSONMember("stall", true)]
        case .slow(let duration): [JSONMember("slow", .string(DurationText.text(duration)))]
        }
    }
}

extension WireClose {
    /// The longest idle time, a week: connections were seen to live so long (`incidents.md`).
    static let idleMax: Duration = .seconds(7 * 24 * 3600)

    init(_ fields: FaultFields) throws(QueryError) {
        let times = ["afterBytes", "afterIdle"].filter { fields.has($0) }
        if times.count > 1 {
            throw fields.error(times[1], "\(times[1]) and \(times[0]) exclude each other: a connection ends once")
        }
        let how: How = try fields.choice("how", "end") ?? .rst
        if let bytes = try fields.count("afterBytes", in: 0...Int(Int32.max)) {
            self.init(how: how, time: .afterBytes(bytes))
        } else if let idle = try fields.duration("afterIdle", in: .milliseconds(1)...WireClose.idleMax) {
            self.init(how: how, time: .afterIdle(idle))
        } else {
            self.init(how: how)
        }
    }

    var members: [JSONMember] {
        let how = JSONMember("how", .string(how.rawValue))
        switch time {
        case .atOnce: return [how]
        case .afterBytes(let bytes): return [how, JSONMember("afterBytes", .number(JSONNumber(bytes)))]
        case .afterIdle(let idle): return [how, JSONMember("afterIdle", .string(DurationText.text(idle)))]
        }
    }
}
