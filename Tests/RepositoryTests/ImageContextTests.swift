import Foundation
import Testing

/// The image is built from a part of the repository, by tools that the tests don't have.
@Suite("Files that the image is built from")
struct ImageContextTests {
    @Test("the image's build has the folders of fixtures that become part of the program")
    func embeddedFixtures() throws {
        let plugin = try Repository.text(of: "Sources/EmbedFiles/EmbedFiles.swift")
        let folders = plugin.matches(of: /"(fixtures\/[a-z-]+)"/).map { String($0.1) }
        try #require(!folders.isEmpty)
        let dockerfile = try Repository.text(of: "docker/Dockerfile").split(separator: "\n")
        let context = try Repository.text(of: "docker/Dockerfile.dockerignore").split(separator: "\n")
        for folder in folders {
            #expect(dockerfile.contains("COPY \(folder) \(folder)"), "docker/Dockerfile doesn't copy \(folder)")
            #expect(context.contains("!\(folder)"), "docker/Dockerfile.dockerignore leaves out \(folder)")
        }
    }
}
