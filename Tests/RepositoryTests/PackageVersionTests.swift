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

    /// A line of the file: a package, its version, and the licence of what is linked of it.
    private struct Recorded {
        let package: String
        let licence: String

        init(_ line: Substring) {
            let words = line.split(separator: " ", maxSplits: 2)
            package = words.prefix(2).joined(separator: " ")
            licence = words.count > 2 ? String(words[2]) : ""
        }
    }

    private static func recorded() throws -> [Recorded] {
        try Repository.text(of: path).split(separator: "\n").filter { !$0.hasPrefix("#") }.map(Recorded.init)
    }

    /// The location and version of each package that these tests were built with.
    ///
    /// The build folder's own state also has packages of earlier builds that nothing needs any more.
    private static func resolved() throws -> [String] {
        let file = Repository.root.appending(path: "Package.resolved")
        return try JSONDecoder().decode(Resolved.self, from: Data(contentsOf: file)).pins
            .map { "\($0.location) \($0.state.version ?? "of a branch")" }.sorted()
    }

    @Test("the recorded versions are those that these tests were built with")
    func versions() throws {
        let resolved = try Self.resolved()
        try #require(!resolved.isEmpty)
        let recorded = try Self.recorded()
        if ProcessInfo.processInfo.environment[Self.updateVariable] == "1" {
            let comments = try Repository.text(of: Self.path).split(separator: "\n").filter { $0.hasPrefix("#") }
            let location = { (package: String) in package.prefix { $0 != " " } }
            let lines = resolved.map { package in
                let known = recorded.first { location($0.package) == location(package) }
                return "\(package) \(known?.licence ?? "?")"
            }
            let text = (comments.map(String.init) + lines).map { $0 + "\n" }.joined()
            try Data(text.utf8).write(to: Repository.root.appending(path: Self.path), options: .atomic)
        } else {
            #expect(
                recorded.map(\.package) == resolved,
                "\(Self.path) says how to record other versions, and how to get these")
        }
    }

    @Test("every package has the licence of what is linked of it, or nothing of it is linked")
    func licences() throws {
        let licences: Set = ["-", "Apache-2.0", "Apache-2.0 WITH Swift-exception", "BSD-3-Clause", "MIT"]
        for recorded in try Self.recorded() {
            let known = licences.sorted()
            #expect(
                licences.contains(recorded.licence),
                "\(Self.path): \(recorded.package) has the licence '\(recorded.licence)'; one of \(known) was expected")
        }
    }
}
