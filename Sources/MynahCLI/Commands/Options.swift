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
        let server = try quietly()
        if let note = server.note { Terminal.error("mynah: \(note)") }
        return server
    }

    /// Finds the server without a report, for a command that looks repeatedly.
    func quietly() throws(ClientError) -> ServerLocator.Server {
        try ServerLocator(url: url, readyFile: readyFile, environment: ProcessEnvironment.variables).find()
    }

    typealias Found = Result<ServerLocator.Server, ClientError>
    /// The server or the error, for a command that may not need it.
    var found: Found { Result { () throws(ClientError) in try server() } }
    func client() throws(ClientError) -> ControlClient { ControlClient(try server()) }
}

/// A duration on a command line, with its text, which is sent to the API as it is.
struct DurationArgument: ExpressibleByArgument {
    let text: String
    let duration: Duration

    init?(argument: String) {
        guard let duration = DurationText.parse(argument) else { return nil }
        (self.text, self.duration) = (argument, duration)
    }
}

struct NamedValue {
    let name: String
    let value: String

    /// Reads an option like `name=value`.
    /// - Parameter expected: The description of a valid text, for the message about another one.
    static func reading(
        _ expected: String, separator: Character = "=", namePrefix: String = ""
    ) -> @Sendable (String) throws -> NamedValue {
        { text in
            guard text.hasPrefix(namePrefix), let end = text.firstIndex(of: separator), end != text.startIndex else {
                throw ValidationError("expected \(expected)")
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

extension ArgumentHelp {
    static func value(_ name: String, _ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: name) }
}

extension ParsableArguments {
    /// - Throws: `ValidationError` with the problem unless the options are right.
    func require(_ areRight: Bool, _ problem: @autoclosure () -> String) throws {
        if !areRight { throw ValidationError(problem()) }
    }
}

/// The value of an option as JSON; `nil` for a repeatable one that wasn't given.
protocol OptionValue { var given: JSONValue? { get } }

extension String: OptionValue { var given: JSONValue? { .string(self) } }
extension Int: OptionValue { var given: JSONValue? { .number(JSONNumber(self)) } }
extension DurationArgument: OptionValue { var given: JSONValue? { .string(text) } }
extension JSONValue: OptionValue { var given: JSONValue? { self } }
extension [String]: OptionValue { var given: JSONValue? { isEmpty ? nil : .array(map { .string($0) }) } }

extension [JSONMember] {
    init(given options: KeyValuePairs<String, (any OptionValue)?>) {
        self = options.compactMap { name, value in value?.given.map { JSONMember(name, $0) } }
    }
}

extension [QueryItem] {
    /// The options that were given, an item for each value.
    init(given options: KeyValuePairs<String, (any OptionValue)?>) {
        self = [JSONMember](given: options).flatMap { option in
            (option.value.array ?? [option.value]).map { QueryItem(option.name, $0.string ?? $0.encodedText) }
        }
    }
}
