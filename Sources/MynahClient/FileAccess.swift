internal import MynahSystem

/// File access for the client and the command line, by system calls: loading Foundation would take a large part of the
/// start-up time of `mynah serve`.
package enum FileAccess {
    /// The most bytes of a file: settings, keys and payloads are far smaller.
    package static let bytesMax = 64 << 20

    /// The bytes of a file; `nil` when it doesn't exist.
    package static func read(_ path: String) throws(ClientError) -> [UInt8]? {
        switch WholeFile.read(path, bytesMax: bytesMax) {
        case nil, .unreadable(.system(ENOTDIR))?: return nil
        case .bytes(let bytes)?: return bytes
        case .unreadable(let problem)?: throw failure(problem, path)
        }
    }

    package static func readStandardInput() throws(ClientError) -> [UInt8] {
        switch WholeFile.read(STDIN_FILENO, bytesMax: bytesMax) {
        case .bytes(let bytes): return bytes
        case .unreadable(let problem): throw failure(problem, "standard input")
        }
    }

    /// The text of a file, without a byte order mark; `nil` when it doesn't exist.
    package static func readText(_ path: String) throws(ClientError) -> String? {
        try read(path).map { (bytes) throws(ClientError) in try text(bytes, of: path) }
    }

    /// The text of a file's bytes; `name` is for errors, and `isOfKeys` is as in ``TextFile``.
    package static func text(
        _ bytes: [UInt8], of name: String, isOfKeys: Bool = false
    ) throws(ClientError) -> String {
        switch TextFile.text(bytes, isOfKeys: isOfKeys) {
        case .text(let text): return text
        case .foreign(let encoding): throw ClientError(.file, "\(name) \(encoding.problem). \(encoding.remedy).")
        }
    }

    /// Writes a file under a temporary name and renames it, so that no reader sees half of it; its permissions are
    /// `mode`, regardless of the process' mask.
    ///
    /// A device or a pipe is written to as it is.
    package static func writeAtomically(_ bytes: [UInt8], to path: String, mode: UInt32) throws(ClientError) {
        guard !isDeviceOrPipe(path) else { return try append(bytes, to: path) }
        let temporary = "\(path).\(getpid()).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode_t(mode))
        guard descriptor >= 0 else { throw failure("can't write \(path)") }
        do throws(ClientError) {
            defer { close(descriptor) }
            guard fchmod(descriptor, mode_t(mode)) == 0 else { throw failure("can't write \(path)") }
            try write(bytes, to: descriptor, name: path)
            guard rename(temporary, path) == 0 else { throw failure("can't write \(path)") }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Appends to a file, and creates it if needed.
    package static func append(_ bytes: [UInt8], to path: String) throws(ClientError) {
        // Without O_NONBLOCK the opening of a pipe waits for a reader.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, mode_t(0o644))
        guard descriptor >= 0 else { throw failure("can't write \(path)") }
        defer { close(descriptor) }
        try write(bytes, to: descriptor, name: path)
    }

    package static func write(_ bytes: [UInt8], to descriptor: Int32, name: String) throws(ClientError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { MynahSystem.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN {
                    var asked = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&asked, 1, -1)
                    continue
                }
                if errno == EPIPE { throw ClientError(.readerGone, "the reader of \(name) has closed it") }
                throw failure("can't write \(name)")
            }
            written += count
        }
    }

    /// Removes a file, if it exists.
    package static func remove(_ path: String) throws(ClientError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("can't remove \(path)") }
    }

    /// Whether there is a file, a folder, or a link of this name, even a dangling one.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether writing a file of this name has to go to what is there, because nothing can take its place.
    private static func isDeviceOrPipe(_ path: String) -> Bool {
        // What standard output leads to, if that is a file.
        if path.hasPrefix("/dev/") || path.hasPrefix("/proc/") { return exists(path) && !isFolder(path) }
        var status = stat()
        return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// The absolute path; links are resolved where the path exists.
    package static func absolute(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// The names in a folder, sorted; `nil` when it doesn't exist.
    package static func names(in folder: String) throws(ClientError) -> [String]? {
        guard let stream = opendir(folder) else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("can't read \(folder)")
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Whether `path` is a folder, or a link to one.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether `path` is a plain file, which can be read again and again, or a link to one.
    package static func isPlainFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Makes a folder that only this user can access, and its parents; an existing one that other users can access is an
    /// error, because another user could have made it.
    package static func makePrivateFolder(_ path: String) throws(ClientError) {
        try makeFolders(path, mode: 0o700)
        guard isPrivateFolder(path) else {
            throw ClientError(.file, "\(path) is not private: expected a folder of this user with mode 0700")
        }
    }

    /// Makes the folders above a file, with permissions by the process' mask.
    package static func makeFolders(of path: String) throws(ClientError) {
        guard let slash = path.lastIndex(of: "/") else { return }
        try makeFolders(String(path[..<slash]), mode: 0o777)
    }

    private static func makeFolders(_ path: String, mode: UInt32) throws(ClientError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, mode_t(mode)) != 0 else { continue }
            let reason = errno
            guard [EEXIST, EROFS].contains(reason), isFolder(made) else {
                throw ClientError(.file, "can't make the folder \(made): \(SystemError.text(reason))")
            }
        }
    }

    /// Whether `path` is a folder that belongs to this user and that no other user can access.
    package static func isPrivateFolder(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
    }

    private static func failure(_ problem: WholeFileProblem, _ name: String) -> ClientError {
        switch problem {
        case .tooLarge: ClientError(.file, "\(name) is too large: expected at most \(bytesMax) bytes")
        case .system, .silent: ClientError(.file, "can't read \(name): \(problem.text)")
        }
    }

    private static func failure(_ what: String) -> ClientError {
        ClientError(.file, "\(what): \(SystemError.text(errno))")
    }
}

package enum SystemError {
    /// The text that `perror` prints.
    package static func text(_ number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
}
