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
    /// - Throws: ``InputError`` for an unknown filter, one that the event does not have, and one that can never hold.
    init(json: JSONValue?, at pointer: String, events: [FaultEvent]) throws(InputError) {
        let usualEvent = events.first ?? .request
        guard let json else {
            self.init(event: usualEvent)
            return
        }
        var event = usualEvent
        if let given = json["event"], given != .null {
            try Form.choice(FaultEvent.self).check(given, at: pointer + "/event")
            event = given.string.flatMap { FaultEvent(rawValue: $0) } ?? event
        }
        let filter = try Filter(json: json, at: pointer, besides: ["event"])
        var seen: Set<String> = []
        for member in json.object ?? [] {
            guard event.memberNames.contains(member.name) else {
                throw FaultMatch.unavailable(member.name, event, at: pointer, events)
            }
            guard seen.insert(member.name).inserted else {
                throw InputError(
                    at: JSONPointer.below(pointer, member.name),
                    "\(member.name) is given twice: expected an array, which is any of its values")
            }
        }
        for condition in filter.conditions { try FaultContradiction.check(condition, event, at: pointer) }
        self.init(event: event, filter: filter)
    }

    private static func unavailable(
        _ name: String, _ event: FaultEvent, at pointer: String, _ events: [FaultEvent]
    ) -> InputError {
        let problem: String
        if FaultEvent.request.memberNames.contains(name) {
            let stage = event == .accept ? "when a connection is accepted" : "in a handshake"
            let hint = events.contains(.request) ? "; event request knows it" : ""
            problem = "\(name) is not known \(stage), so the rule could never match\(hint)"
        } else if name == FilterKey.since.rawValue || name == FilterKey.until.rawValue {
            problem = "a rule is bound in time by activeFrom and activeUntil, not by \(name)"
        } else {
            problem = "\(name) is known only when a push has been answered, so the rule could never match"
        }
        return InputError(at: JSONPointer.below(pointer, name), problem, allowed: event.memberNames)
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
