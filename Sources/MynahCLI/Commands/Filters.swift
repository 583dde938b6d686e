import APNsRules
import ArgumentParser
import MynahClient

/// The filters on requests (`ControlAPI#Filters`), one flag per key; the same flag again is *any of*, different flags are
/// *all of*.
struct RequestFilterOptions: ParsableArguments {
    @Option(help: "Device token; repeatable, as all of these.") var token: [String] = []
    @Option(help: "Id of a simulated device.") var device: [String] = []
    @Option(help: "apns-topic.") var topic: [String] = []
    @Option(help: "Team of the provider token.") var team: [String] = []
    @Option(help: "Key of the provider token.") var keyId: [String] = []
    @Option(help: "apns-id.") var apnsId: [String] = []
    @Option(help: "apns-collapse-id.") var collapseId: [String] = []
    @Option(help: "apns-push-type.") var pushType: [String] = []
    @Option(help: "sandbox or production.") var environment: [String] = []
    @Option(help: "Number of the connection.") var connection: [String] = []
    @Option(help: "Text in the payload.") var text: [String] = []
    @Option(help: .value("pointer=value", "Value in the payload by JSON pointer, like /aps/category=NEWS."))
    var payload: [String] = []

    func validate() throws { try MatchTerm.check(payload, of: "--payload", example: "/aps/category=NEWS") }

    func terms(and others: KeyValuePairs<String, [String]>) -> [MatchTerm] {
        let own: KeyValuePairs = [
            "token": token, "device": device, "topic": topic, "team": team, "keyId": keyId, "apnsId": apnsId,
            "collapseId": collapseId, "pushType": pushType, "environment": environment, "connection": connection,
            "text": text,
        ]
        return (Array(own) + Array(others)).flatMap { key, values in values.map { MatchTerm(key: key, value: $0) } }
            + MatchTerm.terms(key: "payload", payload)
    }
}

/// The filters on pushes (`ControlAPI#Filters`).
struct FilterOptions: ParsableArguments {
    @OptionGroup var request: RequestFilterOptions
    @Option(help: "Scope of the device.") var scope: [String] = []
    @Option(help: "apns-priority.") var priority: [String] = []
    @Option(help: "Status answered, like 200.") var status: [String] = []
    @Option(help: "Reason answered, like BadDeviceToken.") var reason: [String] = []
    @Option(help: "Outcome, like delivered or refused.") var outcome: [String] = []
    @Option(help: "Whether the user saw the push: true or false.") var shown: [String] = []
    @Option(help: "Id of the fault that affected the push, or none.") var fault: [String] = []
    @Option(help: "Received at this time or later, RFC 3339.") var since: [String] = []
    @Option(help: "Received before this time, RFC 3339.") var until: [String] = []
    @Option(
        help: .value(
            "pointer=value",
            "Value that the user saw, by JSON pointer into the notification, like /title=Hello or /badge=3."))
    var screen: [String] = []

    func validate() throws { try MatchTerm.check(screen, of: "--screen", example: "/title=Hello") }

    var terms: [MatchTerm] {
        request.terms(and: [
            "scope": scope, "priority": priority, "status": status, "reason": reason, "outcome": outcome,
            "shown": shown, "fault": fault, "since": since, "until": until,
        ]) + MatchTerm.terms(key: "screen", screen)
    }

    func items(and query: String?) -> [QueryItem] {
        [QueryItem](given: ["q": query])
            + terms.map { term in QueryItem(term.pointer.map { "\(term.key).\($0)" } ?? term.key, term.value) }
    }
}

struct MatchTerm {
    /// A filter key, `payload`, `screen` or `headers`.
    var key: String
    /// The JSON pointer of `payload` and `screen`, or the name of a header field.
    var pointer: String?
    var value: String

    /// The terms of `pointer=value` texts; others are left out.
    static func terms(key: String, _ texts: [String]) -> [MatchTerm] {
        texts.compactMap { NamedValue(pointer: $0) }.map { MatchTerm(key: key, pointer: $0.name, value: $0.value) }
    }

    static func check(_ texts: [String], of flag: String, example: String) throws {
        guard let wrong = texts.first(where: { NamedValue(pointer: $0) == nil }) else { return }
        throw ValidationError("\(flag) \(wrong): expected a JSON pointer, = and a value, like \(example)")
    }

    /// The `match` (`Documents`) with all these conditions; values of one key are *any of*.
    static func match(_ terms: [MatchTerm]) -> [JSONMember] {
        var fields: [(key: String, pointer: String?, values: [JSONValue])] = []
        for term in terms {
            if let index = fields.firstIndex(where: { $0.key == term.key && $0.pointer == term.pointer }) {
                fields[index].values += term.candidates
            } else {
                fields.append((term.key, term.pointer, term.candidates))
            }
        }
        var members: [JSONMember] = []
        for (key, pointer, values) in fields {
            let matcher = values.count == 1 ? values[0] : .array(values)
            let index = members.firstIndex { $0.name == key }
            let others = index.map { members.remove(at: $0).value.object ?? [] } ?? []
            let value = pointer.map { JSONValue.object(others + [JSONMember($0, matcher)]) } ?? matcher
            members.insert(JSONMember(key, value), at: index ?? members.count)
        }
        return members
    }

    /// Keys whose values may be numbers or booleans in the API's JSON.
    private static let typedKeys: Set<String> = ["priority", "status", "connection", "shown", "payload", "screen"]

    // A 3 on the command line may mean the number or the text; in a payload both match.
    private var candidates: [JSONValue] {
        guard MatchTerm.typedKeys.contains(key), let parsed = try? JSONValue(parsing: value) else {
            return [.string(value)]
        }
        switch parsed {
        case .number, .bool: return pointer == nil ? [parsed] : [parsed, .string(value)]
        default: return [.string(value)]
        }
    }
}
