import Foundation

/// The files of this repository, as git sees them.
enum Repository {
    /// The folder that holds `Package.swift`.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What a check of the repository could not do.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// Paths relative to the root of all files that are tracked or would be by `git add --all`.
    ///
    /// A file that is not ignored counts before it is added, so that a check fails before the commit and not after.
    ///
    /// - Throws: `Unreadable` when git cannot answer or knows no file, because a check of nothing must not pass.
    static func files() throws -> [String] { try present.get() }

    // Asked for and read once: nothing changes what is tracked, or a Swift file, while the tests run.
    private static let present = Result { try listed() }
    private static let read = Result {
        try files(below: "", endingIn: [".swift"]).map { SwiftFile(path: $0, text: try text(of: $0)) }
    }

    private static func listed() throws -> [String] {
        let git = Process()
        git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // In a container the files often belong to another user, which git refuses unless told that it is fine.
        git.arguments = [
            "git", "-c", "safe.directory=*", "-C", root.path,
            "ls-files", "-z", "--cached", "--others", "--exclude-standard",
        ]
        let output = Pipe()
        git.standardOutput = output
        try git.run()
        let answer = try output.fileHandleForReading.readToEnd() ?? Data()
        git.waitUntilExit()
        guard git.terminationStatus == 0 else {
            throw Unreadable(description: "git ls-files failed with exit code \(git.terminationStatus) in \(root.path)")
        }
        let names = Set(String(decoding: answer, as: UTF8.self).split(separator: "\0").map(String.init))
        let present = names.filter { FileManager.default.fileExists(atPath: root.appendingPathComponent($0).path) }
        guard present.contains("Package.swift") else {
            throw Unreadable(description: "git knows no Package.swift in \(root.path); is it the root of a clone?")
        }
        return present.sorted()
    }

    /// The files below a folder whose names end in one of the given suffixes.
    ///
    /// - Throws: `Unreadable` when there are none.
    static func files(below folder: String, endingIn suffixes: [String]) throws -> [String] {
        let found = try files().filter { path in
            path.hasPrefix(folder) && suffixes.contains { path.hasSuffix($0) }
        }
        guard !found.isEmpty else {
            throw Unreadable(description: "no file below '\(folder)' ends in \(suffixes.joined(separator: " or "))")
        }
        return found
    }

    /// The text of a file.
    ///
    /// - Throws: `Unreadable` when the file is missing or no UTF-8.
    static func text(of path: String) throws -> String {
        guard let text = String(bytes: try bytes(of: path), encoding: .utf8) else {
            throw Unreadable(description: "\(path) is not UTF-8")
        }
        return text
    }

    /// The bytes of a file.
    ///
    /// - Throws: `Unreadable` when the file is missing.
    static func bytes(of path: String) throws -> Data {
        guard let data = FileManager.default.contents(atPath: root.appendingPathComponent(path).path) else {
            throw Unreadable(description: "\(path) cannot be read")
        }
        return data
    }

    /// The lines of a file without its comments, of Swift also without the contents of string literals; none if it has
    /// none of the texts, which is found out much faster.
    ///
    /// - Throws: `Unreadable` when the file is missing or no UTF-8.
    static func codeLines(of path: String, containingOneOf texts: [String]) throws -> [Substring] {
        let bytes = try bytes(of: path)
        guard texts.contains(where: { bytes.range(of: Data($0.utf8)) != nil }) else { return [] }
        let text = try text(of: path)
        return path.hasSuffix(".swift")
            ? SwiftFile(path: path, text: text).codeLines : ScriptFile.codeLines(of: text)
    }

    /// The Swift files below a folder, read.
    ///
    /// - Throws: `Unreadable` when there are none.
    static func swiftFiles(below folder: String) throws -> [SwiftFile] {
        let found = try read.get().filter { $0.path.hasPrefix(folder) }
        guard !found.isEmpty else { throw Unreadable(description: "no Swift file is below '\(folder)'") }
        return found
    }
}
