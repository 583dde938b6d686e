import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

/// The filters on requests (`ControlAPI#Filters`), one flag per key.
///
/// A repeated flag matches any of its values; different flags must all match.
struct RequestFilterOptions: ParsableArguments {
    @Option(help: "Device token; repeatable, like all filters.") var token: [String] = []
    @Option(help: "Id of a simulated device.") var device: [String] = []
    @Option(help: "apns-topic; of a broadcast, the app's bundle id.") var topic: [String] = []
    @Option(help: "apns-channel-id of a broadcast.") var channel: [String] = []
    @Option(help: "Team of the provider token.") var team: [String] = []
    @Option(help: "Key of the provider token.") var keyId: [String] = []
    @Option(help: "apns-id.") var apnsId: [String] = []
    @Option(help: "apns-collapse-id.") var collapseId: [String] = []
    @Option(help: "apns-push-type.") var pushType: [String] = []
    @Option(help: "sandbox or production.") var environment: [String] = []
    @Option(help: "Number of the connection.") var connection: [String] = []
    @Option(help: "Text in the payload.") var text: [String] = []
    @Option(
        help: .value(
            "pointer=value", "Value in the payload by JSON pointer, like /aps/category=NEWS; with ~= a part of it."),
        transform: NamedValue.reading("a JSON pointer, = and a value, like /aps/category=NEWS", namePrefix: "/"))
    var payload: [NamedValue] = []

    func terms(and others: KeyValuePairs<String, [String]>) -> [MatchTerm] {
        let own: KeyValuePairs = [
            "token": token, "device": device, "topic": topic, "channel": channel, "team": team, "keyId": keyId,
            "apnsId": apnsId,
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
    @Option(help: "apns-unique-id.") var uniqueId: [String] = []
    @Option(help: "Scope of the device.") var scope: [String] = []
    @Option(help: "apns-priority.") var priority: [String] = []
    @Option(help: "Status answered, like 200.") var status: [String] = []
    @Option(help: "Reason answered, like BadDeviceToken.") var reason: [String] = []
    @Option(help: "Outcome, like delivered or refused.") var outcome: [String] = []
    @Option(help: "Whether the user saw the push: true or false.") var shown: [String] = []
    @Option(help: "Whether the user heard the push: true or false.") var sounded: [String] = []
    @Option(help: "Id of the fault that affected the push, or none.") var fault: [String] = []
    @Option(help: "What the push has: warnings.") var has: [String] = []
    @Option(help: "Received at this time or later, RFC 3339.") var since: [String] = []
    @Option(help: "Received before this time, RFC 3339.") var until: [String] = []
    @Option(
        help: .value(
            "pointer=value",
            "Value that the user saw, by JSON pointer into the notification, like /title=Hello or /badge=3; with ~= a part of it."
        ),
        transform: NamedValue.reading("a JSON pointer, = and a value, like /title=Hello", namePrefix: "/"))
    var screen: [NamedValue] = []

    var terms: [MatchTerm] {
        request.terms(and: [
            "uniqueId": uniqueId, "scope": scope, "priority": priority, "status": status, "reason": reason,
            "outcome": outcome,
            "shown": shown, "sounded": sounded, "fault": fault, "has": has, "since": since, "until": until,
        ]) + MatchTerm.terms(key: "screen", screen)
    }

    /// Says on standard error which of the named devices aren't there, so that an empty output isn't a riddle.
    func noteAbsentDevices(_ client: ControlClient) async throws(ClientError) {
        for id in request.device.withoutRepeats {
            do throws(ClientError) { _ = try await client.device(id) } catch {
                guard error.status == 404 else { throw error }
                Terminal.error("mynah: there is no device \(id)")
            }
        }
    }

    func items(and query: String?) -> [QueryItem] {
        [QueryItem](given: ["q": query])
            + terms.map { term in QueryItem(term.pointer.map { "\(term.key).\($0)" } ?? term.key, term.value) }
    }
}

struct MatchTerm {
    /// A filter key, `payload`, `screen` or `headers`.
    var key: String
    /// The JSON pointer of `payload` and `screen`, or the name of a header field; behind either may be
    /// ``FilterName/partMark``.
    var pointer: String?
    var value: String

    private var name: FilterName? { pointer.map { FilterName($0) } }

    static func terms(key: String, _ values: [NamedValue]) -> [MatchTerm] {
        values.map { MatchTerm(key: key, pointer: $0.name, value: $0.value) }
    }

    /// The `match` (`Documents`) with all these conditions; values of one key are *any of*.
    static func match(_ terms: [MatchTerm]) -> [JSONMember] {
        func matcher(_ terms: [MatchTerm]) -> JSONValue {
            let values = terms.flatMap(\.candidates)
            return values.count == 1 ? values[0] : .array(values)
        }
        return terms.map(\.key).withoutRepeats.map { key in
            let terms = terms.filter { $0.key == key }
            let names = terms.compactMap(\.name?.text).withoutRepeats
            guard !names.isEmpty else { return JSONMember(key, matcher(terms)) }
            let members = names.map { name in JSONMember(name, matcher(terms.filter { $0.name?.text == name })) }
            return JSONMember(key, .object(members))
        }
    }

    /// Keys whose values may be numbers or booleans in the API's JSON.
    private static let typedKeys: Set<String> = [
        "priority", "status", "connection", "shown", "sounded", "payload", "screen",
    ]

    // A 3 on the command line may mean the number or the text; in a payload both match.
    private var candidates: [JSONValue] {
        if name?.isOfPart == true { return [["contains": .string(value)]] }
        guard MatchTerm.typedKeys.contains(key), let parsed = try? JSONValue(parsing: value) else {
            return [.string(value)]
        }
        switch parsed {
        case .number, .bool: return pointer == nil ? [parsed] : [parsed, .string(value)]
        default: return [.string(value)]
        }
    }
}

extension [String] {
    /// The first one of equal elements, in their order.
    var withoutRepeats: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
