import Glibc
import MynahClient
import Testing

/// The output of the program in files next to the tests.
///
/// A missing file is written, but the test fails, so that no test passes without its baseline. To change
/// one on purpose, delete the file and run the test twice.
enum Snapshot {
    /// The names of all of them.
    static func names(file: String = #filePath) throws -> [String] {
        try (FileAccess.names(in: folder(nextTo: file)) ?? []).map {
            $0.hasSuffix(".txt") ? String($0.dropLast(4)) : $0
        }
    }

    private static func folder(nextTo file: String) -> String {
        file.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 } + "/Snapshots"
    }

    static func expect(
        _ text: String, is name: String, file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let path = "\(folder(nextTo: file))/\(name).txt"
        let actual = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.reversed().drop { $0 == " " }.reversed().reduce(into: "") { $0.append($1) } }
            .joined(separator: "\n")
        guard let expected = try FileAccess.readText(path) else {
            try FileAccess.writeAtomically(Array((actual + "\n").utf8), to: path, mode: 0o644)
            Issue.record("\(path) was missing and is written now; look at it", sourceLocation: sourceLocation)
            return
        }
        #expect(actual + "\n" == expected, "\(path)", sourceLocation: sourceLocation)
    }
}
