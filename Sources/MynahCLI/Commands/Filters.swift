import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

/// The filters on requests (`ControlAPI#Filters`), one flag per key.
///
/// A repeated flag matches any of its values; different flags must all match.
struct RequestFilterOptions: ParsableArguments {
    @Option(help: .filter(.token, "; repeatable, like all filters")) var token: [String] = []
    @Option(help: .filter(.device)) var device: [String] = []
    @Option(help: .filter(.topic)) var topic: [String] = []
    @Option(help: .filter(.channel)) var channel: [String] = []
    @Option(help: .filter(.team)) var team: [String] = []
    @Option(help: .filter(.keyId)) var keyId: [String] = []
    @Option(help: .filter(.apnsId)) var apnsId: [String] = []
    @Option(help: .filter(.collapseId)) var collapseId: [String] = []
    @Option(help: .filter(.pushType)) var pushType: [String] = []
    @Option(help: .filter(.environment)) var environment: [String] = []
    @Option(help: .filter(.kind)) var kind: [String] = []
    @Option(help: .filter(.connection)) var connection: [String] = []
    @Option(help: .filter(.text)) var text: [String] = []
    @Option(
        help: .member(
            "payload", of: FaultMatch.schema, ", like /aps/category=NEWS; with ~= a part of it",
            value: "pointer=value"),
        transform: NamedValue.reading("a JSON pointer, = and a value, like /aps/category=NEWS", namePrefix: "/"))
    var payload: [NamedValue] = []

    /// The conditions of these options and of others.
    func terms(and others: [MatchTerm]) -> [MatchTerm] {
        MatchTerm.terms(ofOptionsIn: self) + others + MatchTerm.terms(key: "payload", payload)
    }
}

/// The filters on pushes (`ControlAPI#Filters`).
struct FilterOptions: ParsableArguments {
    @OptionGroup var request: RequestFilterOptions
    @Option(help: .filter(.uniqueId)) var uniqueId: [String] = []
    @Option(help: .filter(.scope)) var scope: [String] = []
    @Option(help: .filter(.priority)) var priority: [String] = []
    @Option(help: .filter(.status)) var status: [String] = []
    @Option(help: .filter(.reason)) var reason: [String] = []
    @Option(help: .filter(.outcome)) var outcome: [String] = []
    @Option(help: .filter(.shown)) var shown: [String] = []
    @Option(help: .filter(.sounded)) var sounded: [String] = []
    @Option(help: .filter(.fault)) var fault: [String] = []
    @Option(help: .filter(.has)) var has: [String] = []
    @Option(help: .filter(.since)) var since: [String] = []
    @Option(help: .filter(.until)) var until: [String] = []
    @Option(
        help: .value(
            "pointer=value",
            "Value that the user saw, by JSON pointer into the notification, like /title=Hello or /badge=3; with ~= a part of it."
        ),
        transform: NamedValue.reading("a JSON pointer, = and a value, like /title=Hello", namePrefix: "/"))
    var screen: [NamedValue] = []
    @Option(
        help: .value(
            "pointer=value",
            "Value in the webPush of a web push, by JSON pointer, like /ttl=60 or /claims/sub~=mailto:."),
        transform: NamedValue.reading("a JSON pointer, = and a value, like /ttl=60", namePrefix: "/"))
    var webPush: [NamedValue] = []

    var terms: [MatchTerm] {
        request.terms(and: MatchTerm.terms(ofOptionsIn: self)) + MatchTerm.terms(key: "screen", screen)
            + MatchTerm.terms(key: "webPush", webPush)
    }

    /// Says on standard error which of the named devices aren't there, so that an empty output isn't a riddle.
    func reportAbsentDevices(_ client: ControlClient) async throws(ClientError) {
        for id in request.device.withoutRepeats {
            do throws(ClientError) { _ = try await client.documents.device(id) } catch {
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
    /// A filter key, `payload`, `screen`, `webPush` or `headers`.
    var key: String
    /// The JSON pointer of `payload`, `screen` and `webPush`, or the name of a header field; behind either may be
    /// ``FilterName/partMark``.
    var pointer: String?
    var value: String

    private var name: FilterName? { pointer.map { FilterName($0) } }

    static func terms(key: String, _ values: [NamedValue]) -> [MatchTerm] {
        values.map { MatchTerm(key: key, pointer: $0.name, value: $0.value) }
    }

    /// The conditions of the options that are named as keys of the filter language.
    static func terms(ofOptionsIn arguments: some ParsableArguments) -> [MatchTerm] {
        // As ArgumentParser finds them: the property of an option's wrapper has its name behind an underscore.
        Mirror(reflecting: arguments).children.flatMap { child -> [MatchTerm] in
            guard let key = child.label.flatMap({ FilterKey(rawValue: String($0.dropFirst())) }),
                let option = child.value as? Option<[String]>
            else { return [] }
            return option.wrappedValue.map { MatchTerm(key: key.rawValue, value: $0) }
        }
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

    /// Whether the value may be a number or a boolean in the API's JSON.
    private var isTyped: Bool { FilterKey(rawValue: key).map(\.isTyped) ?? (key != "headers") }

    // A 3 on the command line may mean the number or the text; where both may be, both match.
    private var candidates: [JSONValue] {
        if name?.isOfPart == true { return [["contains": .string(value)]] }
        guard isTyped, let parsed = try? JSONValue(parsing: value) else {
            return [.string(value)]
        }
        switch parsed {
        case .number, .bool:
            guard let place = name?.text else { return [parsed] }
            return FilterField.readings(of: value, in: key, at: place)
        default: return [.string(value)]
        }
    }
}

extension ArgumentHelp {
    /// The help of a filter's option: what its key means, with its values if they are few.
    static func filter(_ key: FilterKey, _ more: String = "") -> ArgumentHelp {
        let words = key.words
        let values =
            switch words.count {
            case 0: ""
            case 1: key == .fault ? ", or \(words[0])" : ""
            case 2...3: ": " + InputError.alternatives(words)
            default: ", like \(words[0])"
            }
        return ArgumentHelp(key.sentence.dropLast() + values + (key.isTime ? ", RFC 3339" : "") + more + ".")
    }
}

extension [String] {
    /// The first one of equal elements, in their order.
    var withoutRepeats: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
