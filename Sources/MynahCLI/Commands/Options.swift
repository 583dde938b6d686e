import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

struct ServerOptions: ParsableArguments {
    @Option(help: .value("url", "The control API, like http://127.0.0.1:8197 (MYNAH_URL).")) var url: String?
    @Option(help: .value("file", "The server's ready file (MYNAH_READY_FILE).")) var readyFile: String?

    var isGiven: Bool {
        let environment = ProcessEnvironment.variables
        return url != nil || readyFile != nil || environment.nonEmpty("MYNAH_URL") != nil
            || environment.nonEmpty("MYNAH_READY_FILE") != nil
    }

    /// Finds the server; reports a choice among several on standard error.
    func server() throws(ClientError) -> ServerLocator.Server {
        let server = try find()
        if let note = server.note { Terminal.error("mynah: \(note)") }
        return server
    }

    /// Finds the server without a report, for a command that searches repeatedly.
    func find() throws(ClientError) -> ServerLocator.Server {
        try ServerLocator(url: url, readyFile: readyFile, environment: ProcessEnvironment.variables).find()
    }

    typealias Found = Result<ServerLocator.Server, ClientError>
    /// The server or the error, for a command that may not need it.
    var found: Found { Result { () throws(ClientError) in try server() } }
    func client() throws(ClientError) -> ControlClient { ControlClient(try server()) }
    func documents() throws(ClientError) -> ControlDocuments { try client().documents }
}

/// A duration on a command line, with its text, which is sent to the API as it is.
struct DurationArgument {
    let text: String
    let duration: Duration

    static func read(_ text: String) throws -> DurationArgument {
        guard let duration = DurationText.parse(text) else {
            let examples = InputError.alternatives(DurationText.examples)
            throw ValidationError("expected a duration with a unit, like \(examples)")
        }
        return DurationArgument(text: text, duration: duration)
    }
}

struct NamedValue {
    let name: String
    let value: String

    /// Reads an option like `name=value`.
    /// - Parameter expected: The description of a valid text, for the error message.
    static func reading(
        _ expected: String, separator: Character = "=", namePrefix: String = ""
    ) -> @Sendable (String) throws -> NamedValue {
        { text in
            guard text.hasPrefix(namePrefix), let end = text.firstIndex(of: separator), end != text.startIndex else {
                throw ValidationError("expected \(expected)")
            }
            // As of /aps/badge>=3, whose sign would be taken for a part of the name.
            guard separator != "=" || !"!<>".contains(text[text.index(before: end)]) else {
                throw ValidationError(
                    "expected \(expected): an option compares no values but for equality and, with ~=, for a part")
            }
            return NamedValue(name: String(text[..<end]), value: String(text[text.index(after: end)...]))
        }
    }
}

/// Reads cases of other modules' enums, in place of `ExpressibleByArgument`.
enum Choice {
    static func read<Value: RawRepresentable<String> & CaseIterable>(_ text: String) throws -> Value {
        if let value = Value(rawValue: text) { return value }
        let words = Value.allCases.map(\.rawValue)
        throw ValidationError("expected \(InputError.alternatives(words))\(Spelling.hint(text, words))")
    }
}

extension ParsableArguments {
    /// Refuses an empty id before the first one is acted on; `noun` is what they are of.
    func requireIDs(_ ids: [String], of noun: String) throws {
        try require(!ids.contains(""), "an empty id was given: expected those of \(noun)")
    }

    /// - Throws: `ValidationError` with the problem, if there is one.
    func refuse(_ problem: String?) throws {
        if let problem { throw ValidationError(problem) }
    }

    /// - Throws: `ValidationError` with the problem unless the options are valid.
    func require(_ areValid: Bool, _ problem: @autoclosure () -> String) throws {
        if !areValid { throw ValidationError(problem()) }
    }
}

/// The value of an option as JSON; `nil` for a repeatable one that wasn't given.
protocol OptionValue { var given: JSONValue? { get } }

extension String: OptionValue { var given: JSONValue? { .string(self) } }
extension Int: OptionValue { var given: JSONValue? { .number(JSONNumber(self)) } }
extension DurationArgument: OptionValue { var given: JSONValue? { .string(text) } }
extension JSONValue: OptionValue { var given: JSONValue? { self } }
extension [String]: OptionValue { var given: JSONValue? { isEmpty ? nil : .array(map { .string($0) }) } }

/// Two flags for one member of the API's JSON: the first sets true, the second false.
extension Array where Element: EnumerableFlag {
    /// The member's value; `nil` if neither is given.
    var value: JSONValue? { first.map { .bool($0 == Element.allCases.first) } }

    /// What is wrong if both are given.
    var contradiction: String? {
        guard Element.allCases.allSatisfy(contains) else { return nil }
        return Element.allCases.map { "--\($0)" }.joined(separator: " and ") + ": give one of them"
    }
}

extension [JSONMember] {
    init(given options: KeyValuePairs<String, (any OptionValue)?>) {
        self = options.compactMap { name, value in value?.given.map { JSONMember(name, $0) } }
    }
}

extension [QueryItem] {
    /// The options that were given, with an item for each value.
    init(given options: KeyValuePairs<String, (any OptionValue)?>) {
        self = [JSONMember](given: options).flatMap { option in
            (option.value.array ?? [option.value]).map { QueryItem(option.name, $0.string ?? $0.encodedText) }
        }
    }
}
