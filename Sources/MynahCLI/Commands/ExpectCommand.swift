import APNsRules
import ArgumentParser
import MynahClient

struct ExpectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expect",
        abstract: "Waits for pushes that match; if none does, shows the nearest ones.",
        discussion: """
            One push to a topic, already there or within 5 s:

              mynah expect --topic com.example.app

            Exactly three with a category, and none for a device:

              mynah expect --exactly 3 --payload /aps/category=NEWS --within 10s
              mynah expect --max 0 --settle 2s --token 00fc13ad…

            What the user saw:

              mynah expect --device kim --screen /title=Hello --screen /badge=3

            The same in the query language:

              mynah expect 'topic:com.example.app -reason:BadDeviceToken "hi there"'

            Several, checked together, for a CI system:

              mynah expect --file expectations.yaml --report junit.xml

              expectations:
                - name: the news are sent
                  match: {topic: com.example.app, payload: {/aps/category: NEWS}}
                  count: {exactly: 3}
                - name: nothing else is
                  match: {topic: {not: com.example.app}}
                  count: {max: 0}
                  settle: 2s

            --scope, --after, --within and --settle are then defaults for all.

            Exit codes: 0 all met, 1 unmet, 64 wrong usage, 69 no server, 78 unusable
            file.
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Filters") var filters: FilterOptions

    @Argument(help: "A line of the query language.") var query: String?

    @Option(help: "The least pushes that must match (default: 1).") var count: Int?
    @Option(help: "The exact number of pushes that must match.") var exactly: Int?
    @Option(help: "The most pushes that may match.") var max: Int?
    @Option(help: "How long to wait for them (default: 5s).") var within: DurationArgument?
    @Option(help: "How long to wait afterwards for pushes above --max.") var settle: DurationArgument?
    @Option(help: "Only pushes after this sequence number.") var after: Int64?
    @Option(help: "The expectation's name in reports.") var name: String?
    @OptionGroup(title: "Files and reports") var reports: ExpectReportOptions
    @Flag(help: "Print the server's answer as JSON; with --file, one line each.") var json = false

    func validate() throws {
        if exactly != nil, count != nil || max != nil {
            throw ValidationError("--exactly: leave out --count and --max")
        }
        for (name, value) in [("--count", count), ("--exactly", exactly), ("--max", max)] {
            if let value, value < 0 { throw ValidationError("\(name) \(value): expected 0 or more") }
        }
        if let count, let max, count > max {
            throw ValidationError("--count \(count) is above --max \(max): expected at most that")
        }
        if let after, after < 0 { throw ValidationError("--after \(after): expected 0 or more") }
        if filters.scope.count > 1 { throw ValidationError("--scope is given twice: expected one") }
        if reports.file != nil {
            let hasOwn =
                query != nil || name != nil || count != nil || exactly != nil || max != nil
                || filters.terms.contains { $0.key != "scope" }
            if hasOwn {
                throw ValidationError(
                    "--file has the expectations: only --scope, --after, --within and --settle may be added")
            }
        }
    }

    func run() async throws {
        let expectations: [NamedExpectation]
        if let file = reports.file {
            expectations = try ExpectationFile(path: file, flags: shared).expectations
        } else {
            expectations = [expectation()]
        }
        let client = try server.client()
        let (startedAt, started) = (Terminal.now, ContinuousClock.now)
        let checked = await CheckedExpectation.all(expectations, client)
        try show(checked)
        try reports.write(checked, startedAt: startedAt, duration: ContinuousClock.now - started)
        try reports.annotate(checked, isOutputTaken: json)
        let status = CheckedExpectation.status(of: checked)
        if status != .success { throw ExitCode(status.rawValue) }
    }

    private func show(_ checked: [CheckedExpectation]) throws {
        let isNamed = reports.file != nil || name != nil
        let hasColours = Terminal.hasColours(ProcessEnvironment.variables)
        for one in checked {
            if reports.file == nil, case .failure(let error) = one.result {
                Terminal.error("mynah: \(error.message)")
            } else if json {
                try Terminal.out(ExpectCommand.json(one, isNamed: isNamed).encodedText)
            } else {
                try Terminal.out(
                    ExpectationReport(one, isNamed: isNamed).text(hasColours: hasColours), isColoured: hasColours)
            }
        }
        if !json, checked.count > 1 {
            try Terminal.out("\(checked.count { $0.isMet }) of \(checked.count) met")
        }
    }

    /// The server's answer or the error, with the name in front if there is one.
    private static func json(_ one: CheckedExpectation, isNamed: Bool) -> JSONValue {
        let name = isNamed ? [JSONMember("name", .string(one.expectation.name))] : []
        switch one.result {
        case .success(let result): return .object(name + (result.document.object ?? []))
        case .failure(let error):
            return .object(name + [JSONMember("met", .null), JSONMember("error", .string(error.message))])
        }
    }

    /// The expectation of the flags.
    func expectation() -> NamedExpectation {
        var match = MatchTerm.match(filters.terms.filter { $0.key != "scope" })
        if let query { match.append(JSONMember("q", .string(query))) }
        let members = [JSONMember("match", .object(match)), JSONMember("count", counts)]
        let body = JSONValue.object(members + shared)
        return NamedExpectation(name: name ?? JSONValue.object(match).encodedText, body: body)
    }

    /// The flags that may be added to a file.
    private var shared: [JSONMember] {
        var members = [JSONMember](given: ["within": within?.text, "settle": settle?.text])
        if let after { members.append(JSONMember("after", .number(JSONNumber(after)))) }
        return members + [JSONMember](given: ["scope": filters.scope.first])
    }

    private var counts: JSONValue {
        if let exactly { return .object([JSONMember("exactly", .number(JSONNumber(exactly)))]) }
        var members: [JSONMember] = []
        // "At most two" doesn't require one.
        if let least = count ?? (max == nil ? 1 : nil) {
            members.append(JSONMember("min", .number(JSONNumber(least))))
        }
        if let max { members.append(JSONMember("max", .number(JSONNumber(max)))) }
        return .object(members)
    }
}
