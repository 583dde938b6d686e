package import APNsRules

/// Which requests or connections a fault rule is about (`Documents#Fault-rules`: `match`).
///
/// The filter language of the journal, cut down to what is known before anything has been answered. An empty match
/// is every request.
package struct FaultMatch: Sendable, Hashable {
    /// When the rule is asked.
    package let event: FaultEvent
    /// What must hold, all of it.
    package let filter: Filter

    /// All requests, or those that a filter describes.
    package init(event: FaultEvent = .request, filter: Filter = Filter()) {
        self.event = event
        self.filter = filter
    }

    /// Reads a `match` object.
    ///
    /// - Parameters:
    ///   - json: The object; `nil` for an empty one.
    ///   - pointer: Where it is in the request's body.
    ///   - events: The events at which the rule's action makes sense; the first one is meant where none is named.
    /// - Throws: ``QueryError`` for an unknown filter, one that the event does not have, and one that can never hold.
    init(json: JSONValue?, at pointer: String, events: [FaultEvent]) throws(QueryError) {
        let usualEvent = events.first ?? .request
        guard let json else {
            self.init(event: usualEvent)
            return
        }
        let event = try FaultMatch.event(of: json, at: pointer) ?? usualEvent
        let filter = try Filter(json: json, at: pointer, besides: ["event"])
        var seen: Set<String> = []
        for member in json.object ?? [] {
            guard event.memberNames.contains(member.name) else {
                throw FaultMatch.unavailable(member.name, event, at: pointer, events)
            }
            guard seen.insert(member.name).inserted else {
                let place = pointer + JSONPointer(steps: [member.name]).description
                throw QueryError(place, "\(member.name) is given twice; an array is any of its values")
            }
        }
        for condition in filter.conditions { try FaultContradiction.check(condition, event, at: pointer) }
        self.init(event: event, filter: filter)
    }

    private static func event(of json: JSONValue, at pointer: String) throws(QueryError) -> FaultEvent? {
        guard let value = json["event"], value != .null else { return nil }
        let names = FaultEvent.allCases.map(\.rawValue)
        guard let text = value.string else {
            throw QueryError(pointer + "/event", "\(value.kind) was given; a string was expected", allowed: names)
        }
        guard let event = FaultEvent(rawValue: text) else {
            throw .unknown("event", text, at: pointer + "/event", among: names)
        }
        return event
    }

    private static func unavailable(
        _ name: String, _ event: FaultEvent, at pointer: String, _ events: [FaultEvent]
    ) -> QueryError {
        let place = pointer + JSONPointer(steps: [name]).description
        if FaultEvent.request.memberNames.contains(name) {
            let stage = event == .accept ? "when a connection is accepted" : "in a handshake"
            let hint = events.contains(.request) ? "; event request knows it" : ""
            return QueryError(
                place, "\(name) is not known \(stage), so the rule could never match\(hint)",
                allowed: event.memberNames)
        }
        if name == FilterKey.since.rawValue || name == FilterKey.until.rawValue {
            return QueryError(
                place, "a rule is bound in time by activeFrom and activeUntil, not by \(name)",
                allowed: event.memberNames)
        }
        return QueryError(
            place, "\(name) is known only when a push has been answered, so the rule could never match",
            allowed: event.memberNames)
    }

    /// The match in the form in which it is read; `event` always named.
    package var json: JSONValue {
        var members: [JSONMember] = []
        var payload: [JSONMember] = []
        var headers: [JSONMember] = []
        for condition in filter.conditions {
            let value = condition.matcher.json
            switch condition.field {
            case .key(.text): members.append(JSONMember("text", FaultMatch.searched(condition.matcher)))
            case .key(let key): members.append(JSONMember(key.rawValue, value))
            case .payloadIncludes: members.append(JSONMember("payloadIncludes", value))
            case .payload(let pointer): payload.append(JSONMember(pointer.description, value))
            case .header(let name): headers.append(JSONMember(name, value))
            // No event has a screen, so no match that was read has this.
            case .screen: break
            }
        }
        if !payload.isEmpty { members.append(JSONMember("payload", .object(payload))) }
        if !headers.isEmpty { members.append(JSONMember("headers", .object(headers))) }
        return .object(members + [JSONMember("event", .string(event.rawValue))])
    }

    // `text` means *contains* by itself; written out as an operator it would be one more object to read.
    private static func searched(_ matcher: Matcher) -> JSONValue {
        if case .contains(let text) = matcher { return .string(text) }
        return matcher.json
    }
}
