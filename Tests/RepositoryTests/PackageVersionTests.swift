import Foundation
import Testing

/// The image is built with the versions of packages that the tests passed with.
@Suite("Recorded versions of packages")
struct PackageVersionTests {
    private static let updateVariable = "UPDATE_PACKAGES"
    private static let path = "docker/packages.versions"

    /// The file in which SwiftPM records what it resolved.
    private struct Resolved: Decodable {
        struct Pin: Decodable {
            struct State: Decodable { let version: String? }
            let location: String
            let state: State
        }
        let pins: [Pin]
    }

    /// A line for each package that these tests were built with.
    ///
    /// The build folder's own state also has packages of earlier builds that nothing needs any more.
    private static func resolved() throws -> [String] {
        let file = Repository.root.appending(path: "Package.resolved")
        return try JSONDecoder().decode(Resolved.self, from: Data(contentsOf: file)).pins
            .map { "\($0.location) \($0.state.version ?? "of a branch")" }.sorted()
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
