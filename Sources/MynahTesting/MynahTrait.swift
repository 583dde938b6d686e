public import Mynah
public import Testing

/// Gives each test a scope of its own on a server that all tests of a suite share.
///
/// ```swift
/// @Suite(.mynah)
/// struct NewsTests {
///     @Test func theNewsArrive() async throws {
///         let apns = try MynahScope.current
///         let phone = try await apns.addDevice(app: "com.example.news")
///         // …
///         try await apns.expect(.device(phone), .outcome(.delivered))
///     }
/// }
/// ```
///
/// On a suite: one server for all its tests, including nested suites. On a test alone: a server of its own. Each test,
/// and each case of a parameterised one, runs in a scope that is removed after it, so that all may run at once. A
/// nested suite or test with `.mynah` shares the server around it; one with `.mynah(_:)` has its own.
///
/// With `MYNAH_RUNS=runs` in the environment, each server keeps its run in a folder of its own below `runs`, unless its
/// settings name a `dataDirectory`. If a test on it fails, the folder stays, with what the test's scope had at the end,
/// and the output has the command that opens it, `mynah open runs/…`; otherwise it is removed. A test fails by an issue
/// that is recorded in its task or a child of it while the scope is there, and by an error that it throws. Not seen are
/// issues of detached tasks, and what Swift Testing records around the test: a time limit that is over fails it only
/// where the test then throws, as cancelled tasks usually do. Issues of `withKnownIssue` are no failure with Swift 6.3.
public struct MynahTrait: SuiteTrait, TestTrait, TestScoping {
    // Distinguishes this trait's copies, which tests inherit from their suite, from other traits.
    private final class Identity: Sendable {}

    /// The trait that started the server around the current task.
    @TaskLocal private static var starter: Identity?
    /// The run that this server keeps.
    @TaskLocal private static var run: TestRun?

    private let identity = Identity()
    // `nil` shares the server around the test.
    private let settings: Settings?
    // The folder below which runs are kept.
    private let runs: String?

    package init(settings: Settings?, runs: String? = TestRun.folderOfVariable) {
        self.settings = settings
        self.runs = runs
    }

    /// Always `true`: tests inherit the trait from their suite.
    public var isRecursive: Bool { true }
    /// Provides the server around a suite or test, and the scope around each of its cases.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { self }

    /// Runs a suite, a test or a case.
    ///
    /// - Throws: `MynahError` when the server can't be started or stopped; what `function` throws; an error when the run
    ///   can't be removed.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard let testCase else { return try await provideServer(function) }
        guard let server = MynahServer.current, MynahTrait.starter === identity else {
            // The trait that started the server also provides the scope.
            return try await function()
        }
        guard let run = MynahTrait.run else {
            return try await server.withScope(test.name) { _ in try await function() }
        }
        let failure = CaseFailure(of: run)
        try await server.withScope(test.name, isKept: { failure.isRecorded }) { _ in
            try await failure.recordingFailure(in: test, testCase, function)
        }
    }

    private func provideServer(_ function: @Sendable () async throws -> Void) async throws {
        let isProvided = MynahServer.current != nil && (settings == nil || MynahTrait.starter === identity)
        guard !isProvided else { return try await function() }
        var settings = settings ?? .embedded
        let run = settings.dataDirectory == nil ? runs.map { TestRun(below: $0) } : nil
        if let run {
            // What a power cut would take is of no use to a test.
            settings.dataDirectory = run.folder
            settings.keep = .all
            settings.sync = .normal
        }
        do {
            try await MynahServer.withServer(settings) { _ in
                try await MynahTrait.$starter.withValue(identity) {
                    try await MynahTrait.$run.withValue(run) { try await function() }
                }
            }
        } catch {
            run?.recordFailure()
            // The first error is the one to report; a run that stays needs no removal.
            try run?.end()
            throw error
        }
        try run?.end()
    }
}

extension Trait where Self == MynahTrait {
    /// A scope for each test, on one server for the suite, or on the server of the suite around it.
    public static var mynah: Self { MynahTrait(settings: nil) }
    /// A scope for each test, on a server with these settings: `.mynah(.embedded { $0.devices = .strict })`.
    public static func mynah(_ settings: Settings) -> Self { MynahTrait(settings: settings) }
}
