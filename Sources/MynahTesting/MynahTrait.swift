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
/// On a suite: one server for all its tests, those of nested suites included. On a test alone: a server of its own.
/// Each test, and each case of a parameterised one, runs in a scope that is removed after it, so that all may run at
/// once. A nested suite or test with `.mynah` shares the server around it; one with `.mynah(_:)` has its own.
public struct MynahTrait: SuiteTrait, TestTrait, TestScoping {
    // Distinguishes this trait's copies, which tests inherit from their suite, from other traits.
    private final class Identity: Sendable {}

    /// The trait that started the server around the current task.
    @TaskLocal private static var starter: Identity?

    private let identity = Identity()
    // `nil` shares the server around the test.
    private let settings: Settings?

    fileprivate init(settings: Settings?) { self.settings = settings }
    /// Always `true`: tests inherit the trait from their suite.
    public var isRecursive: Bool { true }
    /// Provides the server around a suite or test, and the scope around each of its cases.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { self }

    /// Runs a suite, a test or a case.
    ///
    /// - Throws: `MynahError` when the server can't be started or stopped; what `function` throws.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if testCase == nil {
            try await provideServer(function)
        } else if let server = MynahServer.current, MynahTrait.starter === identity {
            try await server.withScope(test.name) { _ in try await function() }
        } else {
            // The trait that started the server also provides the scope.
            try await function()
        }
    }

    private func provideServer(_ function: @Sendable () async throws -> Void) async throws {
        let isProvided = MynahServer.current != nil && (settings == nil || MynahTrait.starter === identity)
        guard !isProvided else { return try await function() }
        try await MynahServer.withServer(settings ?? .embedded) { _ in
            try await MynahTrait.$starter.withValue(identity) { try await function() }
        }
    }
}

extension Trait where Self == MynahTrait {
    /// A scope for each test, on one server for the suite, or on the server of the suite around it.
    public static var mynah: Self { MynahTrait(settings: nil) }
    /// A scope for each test, on a server with these settings: `.mynah(.embedded { $0.devices = .strict })`.
    public static func mynah(_ settings: Settings) -> Self { MynahTrait(settings: settings) }
}
