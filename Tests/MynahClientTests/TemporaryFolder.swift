import Glibc
import MynahClient
import Testing

/// A temporary folder for one test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/mynah-test-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
        path = String(cString: try #require(made))
    }

    deinit {
        // The tests use at most two levels of folders.
        for name in (try? FileAccess.names(in: path)) ?? [] {
            for inner in (try? FileAccess.names(in: "\(path)/\(name)")) ?? [] { unlink("\(path)/\(name)/\(inner)") }
            if unlink("\(path)/\(name)") != 0 { rmdir("\(path)/\(name)") }
        }
        rmdir(path)
    }

    func mode(_ name: String) throws -> UInt32 {
        var status = stat()
        try #require(lstat("\(path)/\(name)", &status) == 0)
        return status.st_mode & 0o777
    }

    func write(_ text: String, to name: String, mode: UInt32 = 0o600) throws {
        try FileAccess.writeAtomically(Array(text.utf8), to: "\(path)/\(name)", mode: mode)
    }

    func allowAll(_ name: String) { chmod("\(path)/\(name)", 0o777) }
}
