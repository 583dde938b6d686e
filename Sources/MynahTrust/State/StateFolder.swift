internal import Glibc

/// The folder that keeps trust material between runs, locked for the lifetime of this value.
///
/// Processes that start on the same folder take turns, with `flock` on a file in it. Readers need no lock, because
/// every file is replaced as a whole.
struct StateFolder: ~Copyable {
    /// The absolute path; `nil` if there is no folder to read from.
    let path: String?
    /// Why the folder can't be written; `nil` if it can.
    let obstacle: String?
    private let lock: Int32

    /// The file that is locked.
    ///
    /// It is never removed, because two processes could then lock two files of one name.
    private static let lockName = ".lock"

    /// Makes a value without a folder, which keeps nothing.
    init() {
        self.path = nil
        self.obstacle = "no folder was given"
        self.lock = -1
    }

    /// Opens a folder, makes it with mode 0700 if it is missing, and waits for its lock.
    ///
    /// A folder that can't be made or written has an ``obstacle``.
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

    // Closing the file releases the lock.
    deinit { if lock >= 0 { close(lock) } }

    var isWritable: Bool { obstacle == nil }

    /// The path of a file, or `nil` without a folder.
    func path(of name: String) -> String? { path.map { "\($0)/\(name)" } }

    /// A file's text; `nil` if the file or the folder doesn't exist.
    ///
    /// - Throws: ``TrustError`` that names the file if it exists but can't be read.
    func read(_ name: String) throws(TrustError) -> String? {
        guard let path = path(of: name) else { return nil }
        do {
            return try FileSystem.read(path)
        } catch {
            throw TrustError(
                .unreadable, file: path, "cannot be read: \(error.text)",
                remedy: "Let the user that runs mynah read it, or name another folder with --state-dir")
        }
    }

    /// Writes a file if the folder is writable; returns whether it is on disk now.
    ///
    /// - Throws: ``TrustError`` if writing fails although the folder could be locked, as on a full disk.
    func write(_ text: String, to name: String, mode: mode_t) throws(TrustError) -> Bool {
        guard isWritable, let path = path(of: name) else { return false }
        do {
            try FileSystem.write(text, to: path, mode: mode)
            return true
        } catch {
            throw TrustError(
                .unwritable, file: path, "cannot be written: \(error.text)",
                remedy: "Make room or give permission, or name another folder with --state-dir")
        }
    }
}
