internal import Glibc

/// The system calls on files that trust material needs.
enum FileSystem {
    /// The error number of a failed call.
    struct Failure: Error, Equatable {
        let code: Int32

        var text: String { String(cString: strerror(code)) }

        /// Takes `errno`, so it must be made right after the call.
        init(code: Int32 = errno) { self.code = code }
    }

    /// The largest file that is read, so that `/dev/zero` is an error and doesn't fill the memory.
    ///
    /// The largest useful file, the system's roots, has a twentieth of this.
    private static let fileBytesMax = 4 << 20

    /// Reads a file that the user named.
    ///
    /// - Throws: ``TrustError`` if the file can't be read or doesn't exist.
    static func contents(of file: String, remedy: String) throws(TrustError) -> [UInt8] {
        let bytes: [UInt8]?
        do {
            bytes = try readBytes(file)
        } catch {
            throw TrustError(.unreadable, file: file, "cannot be read: \(error.text)", remedy: remedy)
        }
        guard let bytes else { throw TrustError(.unreadable, file: file, "does not exist", remedy: remedy) }
        return bytes
    }

    /// Reads the text of a file that the user named, as ``contents(of:remedy:)`` does.
    static func text(of file: String, remedy: String) throws(TrustError) -> String {
        String(decoding: try contents(of: file, remedy: remedy), as: UTF8.self)
    }

    /// A file's text, or `nil` if it doesn't exist.
    static func read(_ path: String) throws(Failure) -> String? {
        try readBytes(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A file's bytes, or `nil` if it doesn't exist.
    static func readBytes(_ path: String) throws(Failure) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure()
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure()
            }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk.prefix(count))
            guard bytes.count <= fileBytesMax else { throw Failure(code: EFBIG) }
        }
    }

    /// Writes a file completely or not at all: to a temporary file in its folder, which then replaces it.
    ///
    /// The mode holds from the first byte, whatever the umask.
    static func write(_ text: String, to path: String, mode: mode_t) throws(Failure) {
        let temporary = "\(path).\(UInt64.random(in: .min ... .max)).new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0o600)
        guard file >= 0 else { throw Failure() }
        do throws(Failure) {
            defer { close(file) }
            try fill(file, text)
            guard fchmod(file, mode) == 0, fsync(file) == 0 else { throw Failure() }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else {
            let failure = Failure()
            unlink(temporary)
            throw failure
        }
    }

    private static func fill(_ file: Int32, _ text: String) throws(Failure) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBufferPointer { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure()
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Makes a folder and its parents with this mode, whatever the umask; those that exist keep their mode.
    static func makeFolder(_ path: String, mode: mode_t) throws(Failure) {
        if mkdir(path, mode) == 0 || (errno == ENOENT && makeParent(of: path, mode) && mkdir(path, mode) == 0) {
            guard chmod(path, mode) == 0 else { throw Failure() }
            return
        }
        guard errno == EEXIST else { throw Failure() }
        guard isFolder(path) else { throw Failure(code: ENOTDIR) }
    }

    // Returns whether the parent exists now; sets `errno` if not.
    private static func makeParent(of path: String, _ mode: mode_t) -> Bool {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return false }
        do {
            try makeFolder(String(path[..<slash]), mode: mode)
            return true
        } catch {
            errno = error.code
            return false
        }
    }

    /// Whether a path is a folder, or a link to one.
    static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// The permission bits of a file, or `nil` if it doesn't exist or can't be inspected.
    static func mode(of path: String) -> mode_t? {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_mode & 0o7777 : nil
    }

    /// A path from the root; links are followed where the path exists.
    static func absolute(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// A path without the slashes at its end.
    static func withoutTrailingSlash(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        return String(path)
    }

    /// The part of a path after the last slash.
    static func name(of path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }
}
