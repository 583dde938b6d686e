internal import Glibc

/// The folder that keeps trust material between runs, locked for as long as this value lives; or none, and
/// then nothing is kept.
///
/// Processes that start on one folder at the same time take turns, by `flock` on a file in it; readers need no
/// lock, because every file is replaced whole.
struct StateFolder: ~Copyable {
    /// The folder from the root; `nil` when there is none to read from.
    let path: String?
    /// Why nothing can be written, in words; `nil` when it can.
    let obstacle: String?
    private let lock: Int32

    /// The lock's file.
    ///
    /// It stays: to remove it would let two processes lock two files of one name.
    private static let lockName = ".lock"

    /// No folder at all.
    init() {
        self.path = nil
        self.obstacle = "no folder was given"
        self.lock = -1
    }

    /// Opens a folder, makes it with mode 0700 where it is missing, and waits for its lock.
    ///
    /// Never fails: a folder that cannot be made, or not be written, is one with an ``obstacle``.
    init(_ folder: String) {
        let folder = FileSystem.withoutTrailingSlash(folder)
        do {
            try FileSystem.makeFolder(folder, mode: 0o700)
        } catch {
            self.path = FileSystem.isFolder(folder) ? FileSystem.absolute(folder) : nil
            self.obstacle = error.text
            self.lock = -1
            return
        }
        let path = FileSystem.absolute(folder)
        self.path = path
        let lock = open("\(path)/\(StateFolder.lockName)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            self.obstacle = FileSystem.Failure().text
            self.lock = -1
            return
        }
        while flock(lock, LOCK_EX) != 0 {
            if errno == EINTR { continue }
            self.obstacle = "it cannot be locked: \(FileSystem.Failure().text)"
            close(lock)
            self.lock = -1
            return
        }
        self.obstacle = nil
        self.lock = lock
    }

    // Closing the file lets the lock go.
    deinit { if lock >= 0 { close(lock) } }

    /// Whether files can be written.
    var isWritable: Bool { obstacle == nil }

    /// The path of a file, or `nil` without a folder.
    func path(of name: String) -> String? { path.map { "\($0)/\(name)" } }

    /// A file's text; `nil` when the file or the folder is not there.
    ///
    /// - Throws: ``TrustError`` that names the file, when it is there and cannot be read.
    func read(_ name: String) throws(TrustError) -> String? {
        guard let path = path(of: name) else { return nil }
        do {
            return try FileSystem.read(path)
        } catch {
            throw TrustError(
                .unreadable, file: path, "cannot be read: \(error.text)",
                remedy: "Let the user that runs mynah read it, or name another folder by --state-dir")
        }
    }

    /// Writes a file, where files can be written; answers whether it is on disk now.
    ///
    /// - Throws: ``TrustError`` when writing fails although the folder could be locked: a full disk.
    func write(_ text: String, to name: String, mode: mode_t) throws(TrustError) -> Bool {
        guard isWritable, let path = path(of: name) else { return false }
        do {
            try FileSystem.write(text, to: path, mode: mode)
            return true
        } catch {
            throw TrustError(
                .unwritable, file: path, "cannot be written: \(error.text)",
                remedy: "Make room or give permission, or name another folder by --state-dir")
        }
    }
}
