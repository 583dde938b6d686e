package import APNsRules

extension FaultAction {
    /// Reads an action.
    ///
    /// - Throws: ``QueryError`` for an unknown type or field, a field that another contradicts, and one that the
    ///   type does not have.
    init(json: JSONValue, at pointer: String) throws(QueryError) {
        let names = FaultActionType.allCases.map(\.rawValue)
        guard json.object != nil else {
            throw QueryError(pointer, "\(json.kind) is no action; an object with a type was expected", allowed: names)
        }
        let place = pointer + "/type"
        guard let value = json["type"], value != .null else {
            throw QueryError(place, "an action needs a type", allowed: names)
        }
        guard let name = value.string else {
            throw QueryError(place, "\(value.kind) was given; a string was expected", allowed: names)
        }
        guard let type = FaultActionType(rawValue: name) else {
            throw .unknown("action", name, at: place, among: names)
        }
        let known =
            ["type"] + type.fieldNames + (type.takesDelay ? ["delay", "clock"] : [])
            + (type.takesDeliver ? ["deliver"] : []) + (type.takesAfterPushes ? ["afterPushes"] : [])
        let fields = try FaultFields(json, at: pointer, what: "\(name) action", known: known)
        self.init(
            try Kind(type, fields), delay: try FaultDelay(of: fields), deliver: try fields.truth("deliver"),
            afterPushes: try fields.count("afterPushes", in: 1...Int(Int32.max)))
        if let other = ["afterBytes", "afterIdle"].first(where: { fields.has($0) }), afterPushes != nil {
            throw fields.error("afterPushes", "afterPushes and \(other) exclude each other: a connection ends once")
        }
        if delay != nil, idleTime != nil {
            throw fields.error("delay", "afterIdle says when the connection ends; there is nothing to hold back")
        }
        guard deliver == nil || replacesReply else {
            throw fields.error("deliver", "the push is answered as without the rule; there is nothing to choose")
        }
    }

    /// Refuses an action that makes no sense at an event.
    func check(at event: FaultEvent, place: String) throws(QueryError) {
        guard type.events.contains(event) else {
            throw QueryError(
                place + "/type",
                "\(type.rawValue) cannot happen at event \(event.rawValue), so the rule would do nothing",
                allowed: FaultActionType.allCases.filter { $0.events.contains(event) }.map(\.rawValue))
        }
        guard event != .request else {
            guard case .settings(let settings) = kind, settings.isWithheld else { return }
            throw QueryError(
                place + "/withhold", "SETTINGS have been sent before any request; event handshake withholds them")
        }
        if deliver != nil { throw QueryError(place + "/deliver", "there is no push at event \(event.rawValue)") }
        if afterPushes != nil {
            throw QueryError(
                place + "/afterPushes",
                "there are no pushes to count at event \(event.rawValue); event request was expected")
        }
        if case .goAway(let goAway) = kind, goAway.lastStreamID == .lower {
            throw QueryError(
                place + "/lastStreamId", "there is no stream at event \(event.rawValue) to be lower than",
                allowed: ["processed", "a number"])
        }
    }

    /// The action in the form in which it is read, defaults included.
    package var json: JSONValue {
        var members = [JSONMember("type", .string(type.rawValue))] + kind.members
        if let delay { members += delay.members }
        if let deliver { members.append(JSONMember("deliver", .bool(deliver))) }
        if let afterPushes { members.append(JSONMember("afterPushes", .number(JSONNumber(afterPushes)))) }
        return .object(members)
    }
}

extension FaultAction.Kind {
    fileprivate init(_ type: FaultActionType, _ fields: FaultFields) throws(QueryError) {
        switch type {
        case .pass: self = .pass
        case .respond: self = .respond(try FaultResponse(fields))
        case .stall: self = .stall
        case .lose: self = .lose
        case .deliverLate:
            let by = try fields.duration("by", in: .milliseconds(1)...FaultAction.lateMax)
            self = .deliverLate(by: try fields.required("by", by, of: "deliverLate"))
        case .duplicate: self = .duplicate(times: try fields.count("times", in: 2...FaultAction.duplicatesMax) ?? 2)
        case .resetStream:
            let code = try fields["code"].map { json throws(QueryError) in
                try HTTP2ErrorCode(json: json, at: fields.place("code"))
            }
            self = .resetStream(code ?? .internalError, when: try fields.choice("when", "time") ?? .beforeHeaders)
        case .goaway: self = .goAway(try WireGoAway(fields))
        case .settings: self = .settings(try WireSettings(fields))
        case .withholdWindow: self = .withholdWindow
        case .ignorePing: self = .ignorePing
        case .truncate: self = .truncate
        case .malformedFrame: self = .malformedFrame
        case .oversizedFrame: self = .oversizedFrame
        case .tls: self = .tls(try WireTLSFault(fields))
        case .close: self = .close(try WireClose(fields))
        case .throttle:
            let rate = try fields.count("bytesPerSecond", in: 1...Int(UInt32.max))
            self = .throttle(
                bytesPerSecond: try fields.required("bytesPerSecond", rate, of: "throttle"),
                chunk: try fields.count("chunk", in: 1...Limits.frameBytesMax))
        case .refuse: self = .refuse
        }
    }

    fileprivate var members: [JSONMember] {
        func number(_ value: some FixedWidthInteger) -> JSONValue { .number(JSONNumber(value)) }
        switch self {
        case .pass, .stall, .lose, .withholdWindow, .ignorePing, .truncate, .malformedFrame, .oversizedFrame, .refuse:
            return []
        case .respond(let response): return response.members
        case .deliverLate(let by): return [JSONMember("by", .string(DurationText.text(by)))]
        case .duplicate(let times): return [JSONMember("times", number(times))]
        case .resetStream(let code, let when):
            return [JSONMember("code", code.json), JSONMember("when", .string(when.rawValue))]
        case .goAway(let goAway): return goAway.members
        case .settings(let settings): return settings.members
        case .tls(let tls): return tls.members
        case .close(let close): return close.members
        case .throttle(let rate, let chunk):
            return [JSONMember("bytesPerSecond", number(rate))]
                + (chunk.map { [JSONMember("chunk", number($0))] } ?? [])
        }
    }
}
