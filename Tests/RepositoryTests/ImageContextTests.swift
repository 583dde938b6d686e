import Foundation
import Testing

/// The image is built from a part of the repository, by tools that the tests don't have.
@Suite("Files that the image is built from")
struct ImageContextTests {
    /// A folder whose files a module carries; of a row of the plugin's list, what the image needs to know.
    private struct EmbeddedFolder: Decodable {
        let folder: String
    }

    @Test("the image's build has the folders of fixtures that become part of the program")
    func embeddedFixtures() throws {
        let list = try Repository.text(of: "Sources/EmbedFiles/folders.json")
        let folders = try JSONDecoder().decode([EmbeddedFolder].self, from: Data(list.utf8)).map(\.folder)
        try #require(!folders.isEmpty)
        let dockerfile = try Repository.text(of: "docker/Dockerfile").split(separator: "\n")
        let context = try Repository.text(of: "docker/Dockerfile.dockerignore").split(separator: "\n")
        for folder in folders {
            #expect(dockerfile.contains("COPY \(folder) \(folder)"), "docker/Dockerfile doesn't copy \(folder)")
            #expect(context.contains("!\(folder)"), "docker/Dockerfile.dockerignore leaves out \(folder)")
        }
        let copied = dockerfile.filter { $0.hasPrefix("COPY fixtures/") }
        #expect(copied.count == folders.count, "docker/Dockerfile copies fixtures that no module carries")
    }
}
