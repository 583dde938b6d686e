import Glibc
import MynahClient

/// A folder of this process alone, for as long as a command runs.
struct TemporaryFolder: Sendable {
    /// Its path, from the root unless `TMPDIR` is none.
    let path: String

    /// Makes it with mode 0700 in `TMPDIR`, or in `/tmp`.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``.
    init(environment: [String: String] = ProcessEnvironment.variables) throws(CommandFailure) {
        let parent = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(parent)/mynah-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(
                .configuration,
                "can't make a temporary folder in \(parent): \(SystemError.text(errno)); name another one by TMPDIR")
        }
        self.path = template.withUnsafeBufferPointer {
            String(decoding: $0.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// Removes it with the files in it.
    func remove() throws(ClientError) {
        for name in try FileAccess.names(in: path) ?? [] { try FileAccess.remove(path + "/" + name) }
        guard rmdir(path) == 0 || errno == ENOENT else {
            throw ClientError(.file, "can't remove \(path): \(SystemError.text(errno))")
        }
    }
}
