import Foundation
import Testing

/// The image is built with the versions of packages that the tests passed with.
@Suite("Recorded versions of packages")
struct PackageVersionTests {
    private static let updateVariable = "UPDATE_PACKAGES"
    private static let path = "docker/packages.versions"

    private struct Workspace: Decodable {
        struct Object: Decodable { let dependencies: [Dependency] }
        struct Dependency: Decodable {
            struct Reference: Decodable { let location: String }
            struct State: Decodable {
                struct Checkout: Decodable { let version: String? }
                let checkoutState: Checkout?
            }
            let packageRef: Reference
            let state: State
        }
        let object: Object
    }

    /// A line for each package that these tests were built with.
    private static func resolved() throws -> [String] {
        let bundle = try #require(CommandLine.arguments.first { $0.hasSuffix(".xctest") })
        // The build folder is above the folders of the platform and the configuration.
        var folder = URL(filePath: bundle).resolvingSymlinksInPath()
        while folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
            let state = folder.appending(path: "workspace-state.json")
            guard FileManager.default.fileExists(atPath: state.path) else { continue }
            let workspace = try JSONDecoder().decode(Workspace.self, from: Data(contentsOf: state))
            return workspace.object.dependencies
                .map { "\($0.packageRef.location) \($0.state.checkoutState?.version ?? "of a branch")" }.sorted()
        }
        throw Repository.Unreadable(description: "no workspace-state.json above \(bundle)")
    }

    @Test("the recorded versions are those that these tests were built with")
    func versions() throws {
        let lines = try Repository.text(of: Self.path).split(separator: "\n").map(String.init)
        let resolved = try Self.resolved()
        try #require(!resolved.isEmpty)
        let comments = lines.filter { $0.hasPrefix("#") }
        if ProcessInfo.processInfo.environment[Self.updateVariable] == "1" {
            let text = (comments + resolved).map { $0 + "\n" }.joined()
            try Data(text.utf8).write(to: Repository.root.appending(path: Self.path), options: .atomic)
        } else {
            #expect(
                lines.filter { !$0.hasPrefix("#") } == resolved,
                "\(Self.path) says how to record other versions, and how to get these")
        }
    }
}
