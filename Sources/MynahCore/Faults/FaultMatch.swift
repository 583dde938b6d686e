package import APNsRules

/// The event at which a fault rule may act (`Documents#Fault-rules`: `event`).
public enum FaultEvent: String, CaseIterable, Sendable {
    /// A TCP connection has been accepted, and nothing has been read from it.
    case accept
    /// The TLS handshake begins, with its ClientHello read; without TLS, the connection's first bytes.
    case handshake
    /// A request is complete, and has not been judged.
    case request

    /// The filter keys that have a value at this event: never the answer (`status`, `outcome`…); a connection's
    /// environment follows from its port, at the handshake also from the server name.
    private var filterKeys: [FilterKey] {
        switch self {
        case .accept, .handshake: [.connection, .environment]
        case .request: FilterKey.allCases.filter { $0.known == .onArrival && !$0.isTime }
        }
    }

    /// What a rule without filters matches.
    var subject: String {
        switch self {
        case .accept: "every connection"
        case .handshake: "every handshake"
        case .request: "every push"
        }
    }

    /// The members of a `match` at this event.
    package var memberNames: [String] {
        filterKeys.map(\.rawValue) + (self == .request ? FaultEvent.specialNames : []) + ["event"]
    }

    /// The names of what a request has of ``Filter/specialMembers``.
    private static let specialNames = Filter.specialMembers.names.filter { name in
        FilterDocument(rawValue: name)?.facts.isOfRequest ?? true
    }
}

/// The requests or connections that a fault rule matches (`Documents#Fault-rules`: `match`), in the filter language of
/// the journal without the keys that are known only after the answer; an empty one matches every request.
package struct FaultMatch: Sendable, Hashable {
    package private(set) var event = FaultEvent.request
    package private(set) var filter = Filter()
    package init() {}

    package static let schema =
        Schema(FaultEvent.request.memberNames.compactMap { Filter.schema[$0] })
        + [Member("event", .choice(FaultEvent.self), summary: "By default the event of the action.")]

    /// - Parameter events: The events at which the rule's action makes sense; the first is the default.
    init(json: JSONValue?, at pointer: String, events: [FaultEvent]) throws(InputError) {
        event = events.first ?? .request
        guard let json else { return }
        if let given = json["event"], given != .null {
            try Form.choice(FaultEvent.self).check(given, at: pointer + "/event")
            event = given.string.flatMap { FaultEvent(rawValue: $0) } ?? event
        }
        let subject: FilterSubject = event == .request ? .requests : .connections
        filter = try Filter(json: json, at: pointer, besides: ["event"], of: subject)
        var seen: Set<String> = []
        for member in json.object ?? [] {
            guard event.memberNames.contains(member.name) else { throw unavailable(member.name, at: pointer, events) }
            guard seen.insert(member.name).inserted else {
                throw InputError(
                    at: JSONPointer.below(pointer, member.name),
                    "\(member.name) is given twice: expected an array, which is any of its values")
            }
        }
        for condition in filter.conditions { try FaultContradiction.check(condition, event, at: pointer) }
    }

    /// Reads a match that was accepted before, also one that would be refused now.
    init(kept json: JSONValue, event: FaultEvent, at pointer: String) throws(InputError) {
        self.event = event
        filter = try Filter(kept: json, at: pointer, besides: ["event"])
    }

    private func unavailable(_ name: String, at pointer: String, _ events: [FaultEvent]) -> InputError {
        let problem: String
        if FaultEvent.request.memberNames.contains(name) {
            let stage = event == .accept ? "when a connection is accepted" : "in a handshake"
            let hint = events.contains(.request) ? "; event request knows it" : ""
            problem = "\(name) is not known \(stage), so the rule could never match\(hint)"
        } else if FilterKey(rawValue: name)?.isTime == true {
            problem = "\(name) can't be matched, because activeFrom and activeUntil bound a rule in time"
        } else if name == "webPush" {
            problem =
                "webPush can't be matched by a rule: kind webPush, headers such as ttl, urgency and topic, and payload, "
                + "of a web push what its browser decrypts, can"
        } else {
            problem = "\(name) is known only when a push has been answered, so the rule could never match"
        }
        return InputError(at: JSONPointer.below(pointer, name), problem, allowed: event.memberNames)
    }

    /// The match in the form in which it is read; `event` always named.
    ///
    /// The filter's members are those of its conditions, in their order, so the members of ``schema`` don't print it.
    package var json: JSONValue { .object(filter.members + [JSONMember("event", .string(event.rawValue))]) }
}
