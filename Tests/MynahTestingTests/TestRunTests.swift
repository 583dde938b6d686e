import Foundation
import Logging
import MynahStore
import Testing

@testable import Mynah
@testable import MynahTesting

@Suite("The runs of tests")
struct TestRunTests {
    private struct Failed: Error {}

    private let runs = FileManager.default.temporaryDirectory.path + "/mynah-runs-\(UUID().uuidString)"

    /// Runs cases, each with a device of its name, on a server of the trait, whose failures are not those of this test;
    /// returns what is in the folder of runs then.
    private func run(
        _ settings: Settings? = nil, _ cases: [(name: String, body: @Sendable () async throws -> Void)]
    ) async throws -> [String] {
        let test = try #require(Test.current)
        let testCase = try #require(Test.Case.current)
        let trait = MynahTrait(settings: settings, runs: runs)
        let ignoring: IssueHandlingTrait = .compactMapIssues { _ in nil }
        try await ignoring.provideScope(for: test, testCase: testCase) {
            try await trait.provideScope(for: test, testCase: nil) {
                for one in cases {
                    do {
                        try await trait.provideScope(for: test, testCase: testCase) {
                            _ = try await MynahScope.current.addDevice(NewDevice(one.name))
                            try await one.body()
                        }
                    } catch is Failed {
                        // As the runner of tests does.
                        continue
                    }
                }
            }
        }
        return try FileManager.default.contentsOfDirectory(atPath: runs)
    }

    private func devices(in folder: String) async throws -> [String] {
        let viewer = try RecordedViewer(reading: folder, logger: Logger(label: "test"))
        let server = try await viewer.server(at: .end)
        let ids = await server.devices(limit: .max).devices.map(\.id)
        try await server.shutDown()
        return ids
    }

    private func removeRuns() {
        do { try FileManager.default.removeItem(atPath: runs) } catch { Issue.record(error) }
    }

    private static let failures: [String: @Sendable () async throws -> Void] = [
        "records an issue": { Issue.record("as a failed test does") },
        "does not meet an expectation": { #expect(Bool(false)) },
        "throws an error": { throw Failed() },
        "fails in a child task": {
            await withTaskGroup(of: Void.self) { group in group.addTask { Issue.record("as a failed test does") } }
        },
    ]

    @Test("the run of a test stays that", arguments: failures.keys.sorted())
    func failed(kind: String) async throws {
        defer { removeRuns() }
        let failure = try #require(TestRunTests.failures[kind])
        let left = try await run(nil, [("before", {}), ("failed", failure), ("after", {})])
        #expect(left.count == 1)
        #expect(left.first?.wholeMatch(of: /\d{8}-\d{6}-[0-9a-f]{6}/) != nil, "\(left)")
        // The scopes of the others were removed.
        #expect(try await devices(in: "\(runs)/\(try #require(left.first))") == ["failed"])
    }

    @Test("the run of tests that passed is removed")
    func passed() async throws {
        defer { removeRuns() }
        let left = try await run(
            nil,
            [
                ("one", {}),
                ("known", { withKnownIssue { Issue.record("as a known one") } }),
            ])
        #expect(left.isEmpty)
    }

    @Test("a run in a folder of the settings stays there, and is no other")
    func ownFolder() async throws {
        defer { removeRuns() }
        let settings = Settings.embedded { $0.dataDirectory = "\(runs)/own" }
        let left = try await run(settings, [("one", {}), ("failed", { throw Failed() })])
        #expect(left == ["own"])
        #expect(try await devices(in: "\(runs)/own").isEmpty)
    }

    @Test("a folder that holds something else is kept")
    func somethingElse() throws {
        defer { removeRuns() }
        try FileManager.default.createDirectory(atPath: runs, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(runs)/notes.txt"))
        #expect(throws: LogProblem.self) { try RunLog.remove(folder: runs) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: runs) == ["notes.txt"])
    }
}
