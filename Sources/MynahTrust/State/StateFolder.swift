internal import MynahSystem

/// The folder that keeps trust material between runs, locked with `flock` on a file in it for the lifetime of this
/// value; readers need no lock, because every file is replaced atomically.
struct StateFolder: ~Copyable {
    /// The absolute path; `nil` if there is no folder to read from.
    let path: String?
    /// Why the folder can't be written; `nil` if it can.
    let obstacle: String?
    /// Sentences about present and future problems, for the log.
    var warnings: [String] = []
    /// Sentences about automatic changes, for the log.
    var notices: [String] = []
    private let lock: Int32

    /// The file that is locked; never removed, because two processes could then lock two files of one name.
    private static let lockName = ".lock"

    /// Keeps the private keys out of the repository that the folder may be in.
    private static let ignoreFile = (name: ".gitignore", text: "# Made by Mynah: private keys of tests.\n*\n")

    /// Opens a folder, made with mode 0700 if it is missing, and waits for its lock; `nil`, and a folder that can't be
    /// made or written, have an ``obstacle``.
    init(_ directory: String?) {
        guard let directory else {
            path = nil
            obstacle = "no folder was given"
            lock = -1
            return
        }
        let folder = FileSystem.withoutTrailingSlash(directory)
        var lock: Int32 = -1
        do throws(TrustError) {
            try FileSystem.makeFolder(folder, mode: 0o700)
            lock = open("\(FileSystem.absolute(folder))/\(StateFolder.lockName)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard lock >= 0 else { throw FileSystem.failure() }
            while flock(lock, LOCK_EX) != 0 {
                guard errno != EINTR else { continue }
                let failure = FileSystem.failure()
                close(lock)
                lock = -1
                throw TrustError(failure.code, "it cannot be locked: \(failure.problem)")
            }
            self.obstacle = nil
        } catch {
            self.obstacle = error.problem
        }
        self.path = FileSystem.isFolder(folder) ? FileSystem.absolute(folder) : nil
        self.lock = lock
    }

    // Closing the file releases the lock.
    deinit { if lock >= 0 { close(lock) } }

    /// The command that renews what a flag of `mynah certs init` says, in this folder.
    func renewing(_ flag: String) -> String {
        "mynah certs init \(flag)" + (path.map { " --state-dir \(ShellWord.quoted($0))" } ?? "")
    }

    func path(of name: String) -> String? { path.map { "\($0)/\(name)" } }

    /// A file's text and path; `nil` if the file or the folder doesn't exist.
    func read(_ name: String) throws(TrustError) -> (text: String, file: String)? {
        guard let file = path(of: name) else { return nil }
        let bytes = try attempt(FileSystem.read(file)) {
            TrustError(
                .unreadable, file: file, "cannot be read: \($0.problem)",
                remedy: "Let the user that runs mynah read it, or name another folder with --state-dir")
        }
        return try bytes.map { (bytes) throws(TrustError) in
            (try attempt(FileSystem.text(bytes)) { $0.inFile(file) }, file)
        }
    }

    /// Writes a file unless there is an ``obstacle``; returns whether it did, and throws if writing fails.
    func write(_ text: String, to name: String, mode: mode_t) throws(TrustError) -> Bool {
        guard obstacle == nil, let file = path(of: name) else { return false }
        if let ignored = path(of: StateFolder.ignoreFile.name), FileSystem.mode(of: ignored) == nil {
            // What is to be written matters more.
            try? FileSystem.write(StateFolder.ignoreFile.text, to: ignored, mode: 0o644)
        }
        try attempt(FileSystem.write(text, to: file, mode: mode)) {
            FileSystem.unwritable(
                file, $0, remedy: "Make room or give permission, or name another folder with --state-dir")
        }
        return true
    }
}
