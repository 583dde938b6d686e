import APNsRules
import ArgumentParser
import MynahClient

/// Where a run of expectations is read from and reported to.
struct ExpectReportOptions: ParsableArguments {
    /// Who annotations are for.
    enum Annotations: String, CaseIterable {
        case github
        case off
    }

    @Option(
        help: ArgumentHelp(
            "Expectations, YAML or JSON, all checked together; - is standard input.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("Where to write the results as JUnit XML; its folders are made.", valueName: "file"))
    var report: String?

    @Option(
        help: ArgumentHelp(
            "github or off: annotations, and a summary of the job (default: github if GITHUB_ACTIONS is set).",
            valueName: "system"),
        transform: Choice.read)
    var annotations: Annotations?

    /// Permissions of a report: whoever collects it may read it.
    private static let reportMode: UInt32 = 0o644

    /// Writes the report, if one is wanted.
    ///
    /// - Throws: ``ClientError`` when it or a folder of its path can't be written.
    func write(_ checked: [CheckedExpectation], startedAt: Instant, duration: Duration) throws(ClientError) {
        guard let report else { return }
        let text = JUnitReport(
            name: file == "-" ? "standard input" : file ?? "mynah expect", startedAt: startedAt, duration: duration,
            checked: checked
        ).text
        try FileAccess.makeFolders(of: report)
        try FileAccess.writeAtomically(Array(text.utf8), to: report, mode: ExpectReportOptions.reportMode)
    }

    /// Prints annotations and adds to the job's summary, where somebody reads them.
    ///
    /// - Parameter isOutputTaken: whether standard output is for machines; annotations then go to standard error, which
    ///   GitHub reads as well.
    /// - Throws: ``ClientError`` when the summary can't be written.
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

    /// Whether annotations for GitHub are wanted.
    static func isGitHub(_ annotations: Annotations?, _ environment: [String: String]) -> Bool {
        annotations.map { $0 == .github } ?? !(environment["GITHUB_ACTIONS"] ?? "").isEmpty
    }
}
