import APNsRules
import Logging
import Mynah
import MynahComparison
import MynahCore
import MynahTrust

/// The Mynah of a comparison: in this process, everything in memory, with the user's credential trusted.
enum ComparisonServer {
    /// Starts it, calls `body` with it, and shuts it down.
    static func with<Result: Sendable>(
        _ premise: ComparisonPremise, key: SigningKey?, chain: [[UInt8]], isCleartext: Bool,
        _ body: (Server) async throws -> Result
    ) async throws -> Result {
        let server = try await Server(
            settings(premise, isCleartext: isCleartext),
            logger: Logger(label: "mynah") { _ in SwiftLogNoOpLogHandler() },
            furtherKeys: [key].compactMap(\.self))
        let result: Result
        do {
            // A certificate that ends its own chain is believed without its CA.
            try await server.changeAuthorities(ProviderAuthorities(server.trust.authoritiesDER + chain))
            if let token = premise.deviceToken {
                let app: JSONValue = [
                    "topic": .string(premise.bundleID), "token": .string(token.lowercased()),
                    "environment": .string(premise.environment.rawValue),
                ]
                _ = try await server.createDevices([
                    DeviceSpecification(
                        json: ["id": "compared", "registrations": [app]],
                        tokenByteCounts: DeviceToken.defaultByteCounts)
                ])
            }
            result = try await body(server)
        } catch {
            // The first error is the one to report.
            try? await server.shutDown()
            throw error
        }
        try await server.shutDown()
        return result
    }

    /// What is known of a real service: it knows its devices and the apps of the team, and provokes nothing.
    private static func settings(_ premise: ComparisonPremise, isCleartext: Bool) -> Settings {
        var settings = Settings.embedded
        settings.environment = premise.environment
        settings.devices = .strict
        settings.hasMagicTokens = false
        settings.retain = 0
        settings.rules.teamTopics = [premise.bundleID]
        settings.cleartextPort = isCleartext ? 0 : nil
        settings.idleTimeout = .seconds(24 * 3600)
        settings.shutdownGrace = .zero
        return settings
    }
}
