internal import MynahCore

/// A test's part of a server that many tests share, with its own devices, faults, pushes and clock; using a scope's
/// name creates it (`ControlAPI#Scopes`).
public struct MynahScope: MynahSimulation, Hashable {
    @TaskLocal fileprivate static var surrounding: MynahScope?

    /// The server.
    public let server: MynahServer
    /// The scope's name: 1 to 64 letters, digits, periods, hyphens and underscores.
    public let name: String
    /// The scope's name.
    public var scopeName: String? { name }
    fileprivate init(server: MynahServer, name: String) {
        self.server = server
        self.name = name
    }

    /// The scope of the surrounding ``MynahServer/withScope(_:isolation:_:)``; throws ``MynahError/Code/noScope`` if
    /// there is none, as in a detached task.
    public static var current: MynahScope {
        get throws(MynahError) {
            if let surrounding { return surrounding }
            throw MynahError(
                .noScope,
                "this task has no surrounding scope: put the trait .mynah on the test or its suite, or call withScope; "
                    + "a detached task has none")
        }
    }

    /// Removes everything of the scope: devices, faults, pushes, clock.
    public func remove() async throws(MynahError) { _ = try await server.change { try await $0.removeScope(name) } }
}

extension MynahServer {
    /// Returns a scope by its name, which must be well formed.
    public func scope(_ name: String) throws(MynahError) -> MynahScope {
        try MynahError.reading { () throws(InputError) in try ScopeName.check(name, at: "scope") }
        return MynahScope(server: self, name: name)
    }

    /// Calls `body` with a new scope, whose name begins with `label` and which is ``MynahScope/current`` there, then
    /// removes what was made in it; throws what `body` throws, or ``MynahError`` if the server has been stopped.
    public func withScope<Result: Sendable>(
        _ label: String = "test", isolation: isolated (any Actor)? = #isolation,
        _ body: (MynahScope) async throws -> Result
    ) async throws -> Result {
        try await withScope(label, isKept: { false }, isolation: isolation, body)
    }

    /// Calls `body` with a new scope as ``withScope(_:isolation:_:)`` does, and removes nothing if `isKept` says so after it.
    package func withScope<Result: Sendable>(
        _ label: String, isKept: () -> Bool, isolation: isolated (any Actor)? = #isolation,
        _ body: (MynahScope) async throws -> Result
    ) async throws -> Result {
        _ = try changeable()
        let scope = MynahScope(server: self, name: freshScopeName(label))
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await MynahScope.$surrounding.withValue(scope) { try await body(scope) })
        } catch {
            outcome = .failure(error)
        }
        // A stopped server has no scope to remove.
        if !isStopped, !isKept() { try await scope.remove() }
        return try outcome.get()
    }

    /// Restores the state after the start, as `POST /v1/reset` does: fixtures, clock and keys; connections stay.
    public func reset() async throws(MynahError) { _ = try await change { try await $0.reset() } }
}
