import Glibc
import Logging
import MynahClient

/// A temporary folder of this process.
///
/// The process holds a lock on it, which the kernel releases when the process ends in any way. A folder without a lock
/// is from a killed process, and the next start removes it.
struct TemporaryFolder: Sendable {
    private static let prefix = "mynah-exec-"

    /// The path, absolute if `TMPDIR` is.
    let path: String
    private let lock: Int32

    /// Makes the folder with mode 0700 in `TMPDIR`, or in `/tmp`.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``.
    init(environment: [String: String] = ProcessEnvironment.variables) throws(CommandFailure) {
        let parent = TemporaryFolder.parent(environment)
        while true {
            var template = Array("\(parent)/\(TemporaryFolder.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else {
                throw CommandFailure(
                    .configuration,
                    "can't make a temporary folder in \(parent): \(SystemError.text(errno)); "
                        + "name another one with TMPDIR")
            }
            let path = template.withUnsafeBufferPointer {
                String(decoding: $0.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
            // Another start may have removed it before it was locked.
            guard let lock = TemporaryFolder.lock(path) else { continue }
            guard FileAccess.isFolder(path) else {
                close(lock)
                continue
            }
            self.path = path
            self.lock = lock
            return
        }
    }

    /// Removes the folder and its files.
    func remove() throws(ClientError) {
        defer { close(lock) }
        try TemporaryFolder.remove(path)
    }

    /// Removes the folders of this user's killed processes.
    static func removeAbandoned(
        _ logger: Logger, environment: [String: String] = ProcessEnvironment.variables
    ) {
        do throws(ClientError) {
            let parent = parent(environment)
            for name in try FileAccess.names(in: parent) ?? [] where name.hasPrefix(prefix) {
                let path = "\(parent)/\(name)"
                guard FileAccess.isPrivateFolder(path), let lock = lock(path) else { continue }
                defer { close(lock) }
                try remove(path)
            }
        } catch {
            logger.warning("can't remove a temporary folder of an earlier run: \(error.message)")
        }
    }

    private static func parent(_ environment: [String: String]) -> String {
        environment.nonEmpty("TMPDIR") ?? "/tmp"
    }

    /// Locks a folder; `nil` if another process has locked or removed it.
    private static func lock(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func remove(_ path: String) throws(ClientError) {
        for name in try FileAccess.names(in: path) ?? [] { try FileAccess.remove(path + "/" + name) }
        guard rmdir(path) == 0 || errno == ENOENT else {
            throw ClientError(.file, "can't remove \(path): \(SystemError.text(errno))")
        }
    }
}
