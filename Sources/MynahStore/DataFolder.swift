internal import MynahSystem

/// A data folder that this process has locked, until the value ends.
struct DataFolder: ~Copyable {
    /// The absolute path.
    let path: String
    private let lock: Int32

    /// The file that is locked; never removed, because two processes could then lock two files of one name.
    static let lockName = "lock"
    private static let ownerBytesMax = 4096

    /// Makes a folder, and the folders above it, where they are missing, and locks it for writing.
    init(writing folder: String) throws(LogProblem) {
        try DataFolder.make(folder)
        let path = DataFolder.absolute(folder)
        try SystemFile.checkPlain("\(path)/\(DataFolder.lockName)")
        let lock = open("\(path)/\(DataFolder.lockName)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw LogProblem(system: errno, file: folder) }
        try DataFolder.acquire(LOCK_EX, of: lock, in: path)
        self.path = path
        self.lock = lock
    }

    /// Locks a folder for reading; one without a lock file has never had a writer.
    init(reading folder: String) throws(LogProblem) {
        let path = DataFolder.absolute(folder)
        try SystemFile.checkPlain("\(path)/\(DataFolder.lockName)")
        let lock = open("\(path)/\(DataFolder.lockName)", O_RDONLY | O_CLOEXEC)
        guard lock >= 0 || errno == ENOENT else { throw LogProblem(system: errno, file: folder) }
        if lock >= 0 { try DataFolder.acquire(LOCK_SH, of: lock, in: path) }
        self.path = path
        self.lock = lock
    }

    deinit {
        guard lock >= 0 else { return }
        // Closing it doesn't, while another thread's child process has a copy of it that has not executed its program.
        flock(lock, LOCK_UN)
        close(lock)
    }

    /// Says who has the folder, for a process that is refused, in place of what was said before.
    func write(owner: String) throws(LogProblem) {
        let text = Array("\(getpid()) \(owner)\n".utf8)
        guard ftruncate(lock, 0) == 0, pwrite(lock, text, text.count, 0) == text.count else {
            throw LogProblem(system: errno, file: path)
        }
    }

    /// Removes the text, for a process that is refused while only readers have the folder.
    func release() { _ = ftruncate(lock, 0) }

    /// Locks a file that was opened for that, or closes it.
    private static func acquire(_ kind: Int32, of lock: Int32, in path: String) throws(LogProblem) {
        while flock(lock, kind | LOCK_NB) != 0 {
            let error = errno
            guard error != EINTR else { continue }
            defer { close(lock) }
            guard error == EWOULDBLOCK else { throw LogProblem(system: error, file: path) }
            throw LogProblem(
                .inUse, file: path, "\(owner(of: lock)) has it open", remedy: "Stop it first, or name another folder")
        }
    }

    /// The process that has the folder, and what it said of itself.
    private static func owner(of lock: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: ownerBytesMax)
        let count = pread(lock, &bytes, bytes.count, 0)
        let words = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(
            separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        // Readers write nothing: what a process that was killed has left would be taken for theirs.
        guard words.count == 2, let process = pid_t(words[0]), kill(process, 0) == 0 || errno == EPERM else {
            return "mynah open, or another reader,"
        }
        let text = words[1].prefix { $0 != "\n" }
        return "process \(process)" + (text.isEmpty ? "" : " (\(text))")
    }

    private static func make(_ folder: String) throws(LogProblem) {
        var isMade = mkdir(folder, 0o700) == 0
        if !isMade, errno == ENOENT, parent(of: folder) != folder, !folder.isEmpty {
            try make(parent(of: folder))
            isMade = mkdir(folder, 0o700) == 0
        }
        guard isMade else {
            switch errno {
            case EEXIST: guard isFolder(folder) else { throw LogProblem(system: ENOTDIR, file: folder) }
            // This happens in a working folder that has been removed, or where the system allows no folders.
            case ENOENT: throw LogProblem(.missing, file: folder, "it can't be made", remedy: "Name another folder")
            case let error: throw LogProblem(system: error, file: folder)
            }
            return
        }
        // A power cut must not take the folder with what is later synchronised in it.
        try synchronise(folder: parent(of: folder))
    }

    private static func synchronise(folder: String) throws(LogProblem) {
        let file = open(folder, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw LogProblem(system: errno, file: folder) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw LogProblem(system: errno, file: folder) }
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The folder that a path's last component is in.
    static func parent(of path: String) -> String {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func absolute(_ folder: String) -> String {
        guard let resolved = realpath(folder, nil) else { return folder }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

extension LogProblem {
    /// The problem behind an error of a system call.
    init(system error: Int32, file: String) {
        switch error {
        case ENOENT: self.init(.missing, file: file, "it does not exist")
        case EACCES, EPERM: self.init(.noPermission, file: file, "no permission", remedy: LogProblem.permissionRemedy)
        case EROFS:
            self.init(.readOnly, file: file, "its file system is read-only", remedy: "Name another folder")
        case ENOSPC, EDQUOT: self.init(.full, file: file, "no space is left for it", remedy: LogProblem.fullRemedy)
        case ENOTDIR:
            self.init(.foreign, file: file, "it is not a folder: a folder was expected", remedy: "Name another folder")
        default: self.init(.inputOutput, file: file, "the system says: \(String(cString: strerror(error)))")
        }
    }
}
