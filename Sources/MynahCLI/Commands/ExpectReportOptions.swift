import APNsRules
import ArgumentParser
import MynahClient

/// The file and the reports of a run of expectations.
struct ExpectReportOptions: ParsableArguments {
    /// The system that shows annotations.
    enum Annotations: String, CaseIterable {
        case github
        case off
    }

    @Option(
        help: ArgumentHelp(
            "Expectations, YAML or JSON, checked together; - is standard input.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("Write the results as JUnit XML to this file; its folders are made.", valueName: "file"))
    var report: String?

    @Option(
        help: ArgumentHelp(
            "github or off: annotations, and a summary of the job (default: github if GITHUB_ACTIONS is set).",
            valueName: "system"),
        transform: Choice.read)
    var annotations: Annotations?

    /// Writes the report, if the user wants one.
    func write(_ checked: [CheckedExpectation], startedAt: Instant, duration: Duration) throws(ClientError) {
        guard let report else { return }
        let text = JUnitReport(
            name: file == "-" ? "standard input" : file ?? "mynah expect", startedAt: startedAt, duration: duration,
            checked: checked
        ).text
        try FileAccess.makeFolders(of: report)
        try FileAccess.writeAtomically(Array(text.utf8), to: report, mode: 0o644)
    }

    /// Prints annotations and adds to the job's summary, for GitHub.
    ///
    /// - Parameter isOutputTaken: Whether standard output is for machines. Annotations then go to standard error, which
    ///   GitHub reads too.
    func annotate(_ checked: [CheckedExpectation], isOutputTaken: Bool) throws(ClientError) {
        let environment = ProcessEnvironment.variables
        guard ExpectReportOptions.isGitHub(annotations, environment) else { return }
        let report = GitHubReport(checked: checked)
        for line in report.annotations {
            if isOutputTaken { Terminal.error(line) } else { try Terminal.out(line) }
        }
        guard let summary = environment["GITHUB_STEP_SUMMARY"], !summary.isEmpty else { return }
        try FileAccess.append(Array(report.summary.utf8), to: summary)
    }

    /// Whether to write annotations for GitHub.
    static func isGitHub(_ annotations: Annotations?, _ environment: [String: String]) -> Bool {
        annotations.map { $0 == .github } ?? !(environment["GITHUB_ACTIONS"] ?? "").isEmpty
    }
}
