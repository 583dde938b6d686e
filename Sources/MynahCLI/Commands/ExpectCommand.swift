import APNsRules
import ArgumentParser
import MynahClient

/// `mynah expect`: waits until the journal has what a test expects.
struct ExpectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expect",
        abstract: "Waits for a push that matches; says what came close when none does.",
        discussion: """
            One push to a topic, within 5 s, already there or still to come:

              mynah expect --topic com.example.app

            Exactly three with a category, and nothing at all for a device:

              mynah expect --exactly 3 --payload /aps/category=NEWS --within 10s
              mynah expect --max 0 --settle 2s --token 00fc13ad…

            The same in the query language:

              mynah expect 'topic:com.example.app -reason:BadDeviceToken "hi there"'

            Exit codes: 0 met, 1 unmet, 64 usage, 69 no server there.
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Filters") var filters: FilterOptions

    @Argument(help: "A line of the query language.") var query: String?

    @Option(help: "At least so many must match (default: 1).") var count: Int?
    @Option(help: "Exactly so many must match.") var exactly: Int?
    @Option(help: "No more than so many may match.") var max: Int?
    @Option(help: "How long to wait for them (default: 5s).") var within: DurationText?
    @Option(help: "How long no more than --max may have come once they are there.") var settle: DurationText?
    @Option(help: "Only pushes after this sequence number.") var after: Int64?
    @Flag(help: "Print the server's answer as JSON.") var json = false

    func validate() throws {
        if exactly != nil, count != nil || max != nil {
            throw ValidationError("--exactly goes without --count and --max")
        }
        for (name, value) in [("--count", count), ("--exactly", exactly), ("--max", max)] {
            if let value, value < 0 { throw ValidationError("\(name) \(value): expected 0 or more") }
        }
        if let count, let max, count > max {
            throw ValidationError("--count \(count) is above --max \(max); nothing could meet that")
        }
        if filters.scope.count > 1 { throw ValidationError("an expectation has one --scope") }
    }

    func run() async throws {
        let result = try await server.client().expectation(try expectation())
        let report = ExpectationReport(result, hasColours: Terminal.hasColours(ProcessEnvironment.variables))
        try Terminal.out(json ? result.document.encodedText : report.text)
        if !result.isMet { throw ExitCode(CommandStatus.unmet.rawValue) }
    }

    /// The body of `POST /v1/expectations`.
    func expectation() throws(CommandFailure) -> JSONValue {
        let fromQuery: [MatchTerm]
        if let query { fromQuery = try QueryLine.terms(query) } else { fromQuery = [] }
        let terms = (fromQuery + filters.terms).filter { $0.key != "scope" || $0.isNegated }
        let scope = filters.scope.first ?? fromQuery.first { $0.key == "scope" && !$0.isNegated }?.value
        var members = [
            JSONMember("match", try MatchTerm.match(terms)),
            JSONMember("count", counts),
        ]
        if let within { members.append(JSONMember("within", .string(within.text))) }
        if let settle { members.append(JSONMember("settle", .string(settle.text))) }
        if let after { members.append(JSONMember("after", .number(JSONNumber(after)))) }
        if let scope { members.append(JSONMember("scope", .string(scope))) }
        return .object(members)
    }

    private var counts: JSONValue {
        if let exactly { return .object([JSONMember("exactly", .number(JSONNumber(exactly)))]) }
        var members: [JSONMember] = []
        // "At most two" does not ask for one.
        if let least = count ?? (max == nil ? 1 : nil) {
            members.append(JSONMember("min", .number(JSONNumber(least))))
        }
        if let max { members.append(JSONMember("max", .number(JSONNumber(max)))) }
        return .object(members)
    }
}
