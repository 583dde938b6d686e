internal import Glibc

/// The few calls on files that trust material needs, each with its error in words.
enum FileSystem {
    /// A call that failed, as `strerror` has it.
    struct Failure: Error, Equatable {
        /// `errno`.
        let code: Int32

        /// The words for it.
        var text: String { String(cString: strerror(code)) }

        /// Takes `errno`; to be made right after the call.
        init() { self.code = errno }

        init(code: Int32) { self.code = code }
    }

    /// Bytes of a file that are read, so that `/dev/zero` is an error and no full memory.
    ///
    /// The largest that is meant to be read are the system's roots, a twentieth of this.
    private static let fileBytesMax = 4 << 20

    /// A file's text, or `nil` when there is none.
    static func read(_ path: String) throws(Failure) -> String? {
        try readBytes(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A file's bytes, or `nil` when there is none.
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

    /// Writes a file whole or not at all: into a new file beside it, which then takes its place.
    ///
    /// The mode is that given, whatever the umask, and holds from the first byte on.
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

    /// Makes a folder and those above it, each with the mode given, whatever the umask; those that exist stay
    /// as they are.
    static func makeFolder(_ path: String, mode: mode_t) throws(Failure) {
        if mkdir(path, mode) == 0 || (errno == ENOENT && makeParent(of: path, mode) && mkdir(path, mode) == 0) {
            guard chmod(path, mode) == 0 else { throw Failure() }
            return
        }
        guard errno == EEXIST else { throw Failure() }
        guard isFolder(path) else { throw Failure(code: ENOTDIR) }
    }

    // Whether the folder above is there now; leaves `errno` as the fault, where not.
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

    /// The permission bits of a file, or `nil` when it cannot be asked.
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

    /// The part of a path behind the last slash.
    static func name(of path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }
}
