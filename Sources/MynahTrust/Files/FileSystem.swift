internal import MynahSystem

/// The system calls on files that trust material needs.
enum FileSystem {
    /// The error of the system call that has just failed; callers add the file and a remedy.
    static func failure(_ code: Int32 = errno) -> TrustError {
        TrustError([ENOSPC, EDQUOT].contains(code) ? .full : .unreadable, String(cString: strerror(code)))
    }

    /// The error for a file that can't be written, of one of the system.
    static func unwritable(_ file: String, _ error: TrustError, remedy: String) -> TrustError {
        TrustError(
            error.code == .full ? .full : .unwritable, file: file, "cannot be written: \(error.problem)", remedy: remedy
        )
    }

    /// The largest file that is read: twenty times the system's roots.
    private static let fileBytesMax = 4 << 20

    /// Reads a file that the user named and that must exist.
    static func contents(of file: String, remedy: String) throws(TrustError) -> [UInt8] {
        let bytes = try attempt(read(file)) {
            TrustError(.unreadable, file: file, "cannot be read: \($0.problem)", remedy: remedy)
        }
        guard let bytes else { throw TrustError(.unreadable, file: file, "does not exist", remedy: remedy) }
        return bytes
    }

    static func text(of file: String, remedy: String) throws(TrustError) -> String {
        let bytes = try contents(of: file, remedy: remedy)
        return try attempt(text(bytes)) { $0.inFile(file) }
    }

    /// The text of a file; an error is a clause about it.
    static func text(_ bytes: [UInt8]) throws(TrustError) -> String {
        switch TextFile.text(bytes, isOfKeys: true) {
        case .text(let text): return text
        case .foreign(let encoding): throw .malformed(encoding.problem, remedy: encoding.remedy)
        }
    }

    static func read(_ path: String) throws(TrustError) -> [UInt8]? {
        switch WholeFile.read(path, bytesMax: fileBytesMax) {
        case nil: return nil
        case .bytes(let bytes)?: return bytes
        case .unreadable(let problem)?: throw TrustError(.unreadable, problem.text)
        }
    }

    /// Writes a file atomically, through a temporary file that is never readable by more users than `mode` allows.
    static func write(_ text: String, to path: String, mode: mode_t) throws(TrustError) {
        let temporary = "\(path).\(UInt64.random(in: .min ... .max)).new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0o600)
        guard file >= 0 else { throw failure() }
        do throws(TrustError) {
            defer { close(file) }
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBufferPointer { MynahSystem.write(file, $0.baseAddress, $0.count) }
                guard count >= 0 || errno == EINTR else { throw failure() }
                rest = rest.dropFirst(max(count, 0))
            }
            guard fchmod(file, mode) == 0, fsync(file) == 0, rename(temporary, path) == 0 else { throw failure() }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Makes a folder and its parents with this mode, regardless of the umask; existing ones keep their mode.
    static func makeFolder(_ path: String, mode: mode_t) throws(TrustError) {
        var isMade = mkdir(path, mode) == 0
        if !isMade, errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try makeFolder(String(path[..<slash]), mode: mode)
            isMade = mkdir(path, mode) == 0
        }
        guard isMade ? chmod(path, mode) == 0 : errno == EEXIST else { throw failure() }
        guard isFolder(path) else { throw failure(ENOTDIR) }
    }

    static func isFolder(_ path: String) -> Bool { status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }
    /// The permission bits of a file, or `nil` if it doesn't exist or can't be inspected.
    static func mode(of path: String) -> mode_t? { status(of: path).map { $0.st_mode & 0o7777 } }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    static func absolute(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    static func withoutTrailingSlash(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        return String(path)
    }
}
