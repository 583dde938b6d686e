internal import APNsRules
internal import Mynah
internal import MynahStore
internal import MynahSystem
internal import Synchronization
internal import Testing

/// The kept run of one server of the tests, which stays if one of them failed.
final class TestRun: Sendable {
    /// The variable that names the folder below which runs are kept.
    static let variable = "MYNAH_RUNS"

    /// The folder in which the test's run is kept.
    let folder: String
    private let isFailed = Atomic(false)

    /// A run below a folder, which need not exist.
    init(below runs: String) {
        let digits = WallClock.now().rfc3339.filter(\.isNumber)
        // The name sorts by time, and differs from the name of another server in the same second.
        let unique = String(UInt32.random(in: 0x10_0000...0xff_ffff), radix: 16)
        folder = "\(runs)/\(digits.prefix(8))-\(digits.dropFirst(8).prefix(6))-\(unique)"
    }

    /// The folder that the variable names; `nil` without it, or if it is empty.
    static var folderOfVariable: String? {
        guard let text = getenv(variable), text[0] != 0 else { return nil }
        return String(cString: text)
    }

    /// Records that a test failed, so that the run is kept.
    func recordFailure() { isFailed.store(true, ordering: .relaxed) }

    /// Removes the run of a server that has stopped, or says how to open it.
    ///
    /// - Throws: `LogProblem` when it can't be removed.
    func end() throws {
        guard isFailed.load(ordering: .relaxed) else { return try RunLog.remove(folder: folder) }
        print("mynah open \(ShellWord.quoted(folder))")
    }
}

/// Whether a test case failed while its scope was there.
final class CaseFailure: Sendable {
    private let run: TestRun
    private let recorded = Atomic(false)

    init(of run: TestRun) { self.run = run }

    var isRecorded: Bool { recorded.load(ordering: .relaxed) }

    /// Runs a case, and records as a failure an issue in its task or a child of it, and an error that it throws.
    func recordingFailure(
        in test: Test, _ testCase: Test.Case?, _ function: @Sendable () async throws -> Void
    ) async throws {
        let issues: IssueHandlingTrait = .compactMapIssues { issue in
            if issue.fails { self.recordFailure() }
            return issue
        }
        do {
            try await issues.provideScope(for: test, testCase: testCase, performing: function)
        } catch {
            recordFailure()
            throw error
        }
    }

    private func recordFailure() {
        recorded.store(true, ordering: .relaxed)
        run.recordFailure()
    }
}

extension Issue {
    /// Whether the issue makes its test fail.
    ///
    /// Swift 6.2 doesn't tell known issues, nor has it warnings.
    fileprivate var fails: Bool {
        #if compiler(>=6.3)
            isFailure
        #else
            true
        #endif
    }
}
