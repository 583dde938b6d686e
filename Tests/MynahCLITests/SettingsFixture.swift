import Testing

@testable import MynahCLI

/// Resolves settings over an environment and files that exist in the test only.
struct SettingsFixture {
    var environment: [String: String] = [:]
    var files: [String: String] = [:]

    func resolve(_ arguments: [String] = []) throws(CommandFailure) -> ResolvedSettings {
        let files = files
        return try SettingsResolver(environment: environment) { path throws(CommandFailure) in files[path] }
            .resolve(arguments)
    }

    func settings(_ arguments: [String] = []) throws(CommandFailure) -> ServeSettings {
        try resolve(arguments).settings
    }
}

/// Expects that resolving fails with this status and message.
func expectFailure(
    _ status: CommandStatus, _ message: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) {
    do {
        try body()
        Issue.record("nothing failed; expected: \(message)", sourceLocation: sourceLocation)
    } catch let failure as CommandFailure {
        #expect(failure == CommandFailure(status, message), sourceLocation: sourceLocation)
    } catch {
        Issue.record("failed with \(error)", sourceLocation: sourceLocation)
    }
}
