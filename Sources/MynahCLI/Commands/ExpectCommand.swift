import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

struct ExpectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expect", abstract: "Waits for pushes that match; if none does, shows the nearest ones.",
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
                - name: without anything that Apple advises against
                  match: {has: warnings}
                  count: {max: 0}
              exclusive: true    # nothing else is sent
              settle: 2s

            Of a run that has ended, with the folder of mynah serve --data:

              mynah expect --data DIR --topic com.example.app

            With --file, --scope, --after, --within and --settle are defaults for all
            of its expectations.

            Exit codes: 0 all met, 1 unmet; others: mynah help exit-codes.
            """)

    @OptionGroup var server: ServerOptions
    @Option(
        help: .value(
            "path",
            "A recorded run in place of a server: the folder of mynah serve --data, or its run.mynah; nothing is waited for."
        ))
    var data: String?
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @Argument(help: "A line of the query language.") var query: String?
    @Option(help: .member("count.min", of: Expectation.schema)) var count: Int?
    @Option(help: .member("count.exactly", of: Expectation.schema)) var exactly: Int?
    @Option(help: .member("count.max", of: Expectation.schema)) var max: Int?
    @Option(help: .member("within", of: Expectation.schema), transform: DurationArgument.read)
    var within: DurationArgument?
    @Option(help: .member("settle", of: Expectation.schema), transform: DurationArgument.read)
    var settle: DurationArgument?
    @Option(help: .member("after", of: Expectation.schema)) var after: Int?
    @Option(help: "The expectation's name in reports.") var name: String?
    @OptionGroup(title: "Files and reports") var reports: ExpectReportOptions
    @Flag(help: "Print the server's answer as JSON; with --file, one line each.") var json = false

    func validate() throws {
        try require(exactly == nil || count == nil && max == nil, "--exactly: leave out --count and --max")
        let numbers = [("--count", count), ("--exactly", exactly), ("--max", max), ("--after", after)]
        for case (let name, let value?) in numbers { try require(value >= 0, "\(name) \(value): expected 0 or more") }
        if let count, let max, count > max {
            throw ValidationError("--count \(count) is above --max \(max): expected at most that")
        }
        try require(filters.scope.count <= 1, "--scope is given twice: expected one")
        let hasExpectation =
            query != nil || name != nil || count != nil || exactly != nil || max != nil || !terms.isEmpty
        try require(
            reports.file == nil || !hasExpectation,
            "--file has the expectations: only --scope, --after, --within and --settle may be added")
    }

    func run() async throws {
        let expectations =
            try reports.file.map { try ExpectationFile(path: $0, flags: shared).expectations } ?? [expectation()]
        try await server.withClient(orRun: data, "--data") { try await check(expectations, $0) }
    }

    private func check(_ expectations: [NamedExpectation], _ client: ControlClient) async throws {
        let startedAt = Terminal.now
        let started = ContinuousClock.now
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
                Terminal.error("mynah: \(ControlProblem.text(error))")
            } else if json {
                try Terminal.out(ExpectCommand.json(one, isNamed: isNamed).encodedText)
            } else {
                try Terminal.out(
                    ExpectationReport(one, isNamed: isNamed).text(hasColours: hasColours), isColoured: hasColours)
            }
        }
        if !json, checked.count > 1 { try Terminal.out("\(checked.count { $0.isMet }) of \(checked.count) met") }
    }

    /// The server's answer or the error, with the name in front if there is one.
    private static func json(_ one: CheckedExpectation, isNamed: Bool) -> JSONValue {
        let name = [JSONMember](given: ["name": isNamed ? one.expectation.name : nil])
        switch one.result {
        case .success(let answer): return .object(name + (answer.object ?? []))
        case .failure(let error):
            return .object(name + [JSONMember("met", .null), JSONMember("error", .string(ControlProblem.text(error)))])
        }
    }

    func expectation() -> NamedExpectation {
        let match = JSONValue.object(MatchTerm.match(terms) + [JSONMember](given: ["q": query]))
        // "At most two" doesn't require one.
        let least = count ?? (max == nil && exactly == nil ? 1 : nil)
        let counts = [JSONMember](given: ["exactly": exactly, "min": least, "max": max])
        return NamedExpectation(
            name: name ?? match.encodedText,
            body: .object([JSONMember("match", match), JSONMember("count", .object(counts))] + shared))
    }

    /// The filters without the scope, which isn't part of `match`.
    private var terms: [MatchTerm] { filters.terms.filter { $0.key != "scope" } }

    /// The flags that may be added to a file.
    private var shared: [JSONMember] {
        [JSONMember](given: ["within": within, "settle": settle, "after": after, "scope": filters.scope.first])
    }
}

struct ExpectReportOptions: ParsableArguments {
    enum Annotations: String, CaseIterable { case github, off }

    @Option(help: .value("file", "Expectations, YAML or JSON, checked together; - is standard input."))
    var file: String?
    @Option(help: .value("file", "Write the results as JUnit XML to this file; its folders are made."))
    var report: String?
    @Option(
        help: .value(
            "system",
            "\(Form.choice(Annotations.self).expected): annotations, and a summary of the job (default: github if "
                + "GITHUB_ACTIONS is set)."),
        transform: Choice.read)
    var annotations: Annotations?

    func write(_ checked: [CheckedExpectation], startedAt: Instant, duration: Duration) throws(ClientError) {
        guard let report else { return }
        let name = file == "-" ? "standard input" : file ?? "mynah expect"
        let text = JUnitReport(name: name, startedAt: startedAt, duration: duration, checked: checked).text
        try FileAccess.makeFolders(of: report)
        try FileAccess.writeAtomically(Array(text.utf8), to: report, mode: 0o644)
    }

    /// Prints annotations and adds to the job's summary, for GitHub.
    /// - Parameter isOutputTaken: Whether standard output is for machines. Annotations then go to standard error, which
    ///   GitHub reads too.
    func annotate(_ checked: [CheckedExpectation], isOutputTaken: Bool) throws(ClientError) {
        let environment = ProcessEnvironment.variables
        guard ExpectReportOptions.isGitHub(annotations, environment) else { return }
        let report = GitHubReport(checked: checked)
        for line in report.annotations { if isOutputTaken { Terminal.error(line) } else { try Terminal.out(line) } }
        guard let summary = environment.nonEmpty("GITHUB_STEP_SUMMARY") else { return }
        try FileAccess.append(Array(report.summary.utf8), to: summary)
    }

    static func isGitHub(_ annotations: Annotations?, _ environment: [String: String]) -> Bool {
        annotations.map { $0 == .github } ?? (environment.nonEmpty("GITHUB_ACTIONS") != nil)
    }
}
