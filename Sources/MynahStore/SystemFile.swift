internal import CSQLite
internal import MynahSystem

/// An open file beside a database, by SQLite's layer to the system: what a test does to the files of SQLite, a full disk
/// or a power cut, it does to this one.
///
/// Belongs to one thread.
final class SystemFile {
    private let layer: UnsafeMutablePointer<sqlite3_vfs>
    private let file: UnsafeMutablePointer<sqlite3_file>
    // SQLite keeps the pointer.
    private let name: UnsafeMutablePointer<CChar>
    /// The largest page of SQLite, whose layer to the system doesn't read or write much more at once.
    private static let callBytesMax = 64 << 10
    private var methods: sqlite3_io_methods { file.pointee.pMethods.pointee }
    let path: String

    /// Opens a file; one to be written is made for this user alone where it is missing.
    ///
    /// - Parameter vfs: The name of SQLite's layer to the system, of which tests have their own.
    init(_ path: String, isReadOnly: Bool, vfs: String?) throws(LogProblem) {
        try SystemFile.checkPlain(path)
        if !isReadOnly {
            // SQLite would give the file other permissions.
            let made = MynahSystem.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard made >= 0 else { throw LogProblem(system: errno, file: path) }
            MynahSystem.close(made)
        }
        layer = SystemFile.layer(vfs)
        file = UnsafeMutableRawPointer.allocate(
            byteCount: Int(layer.pointee.szOsFile), alignment: MemoryLayout<sqlite3_file>.alignment
        ).initializeMemory(as: sqlite3_file.self, to: sqlite3_file())
        name = strdup(path)
        self.path = path
        // A file that is opened as a super-journal isn't locked by SQLite, and its first synchronisation includes the
        // folder.
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        try check(layer.pointee.xOpen(layer, name, file, SQLITE_OPEN_SUPER_JOURNAL | access, nil))
    }

    deinit {
        if file.pointee.pMethods != nil { _ = methods.xClose(file) }
        UnsafeMutableRawPointer(file).deallocate()
        free(name)
    }

    func byteCount() throws(LogProblem) -> Int {
        var count: sqlite3_int64 = 0
        try check(methods.xFileSize(file, &count))
        return Int(count)
    }

    /// The bytes at an offset; throws if the file has fewer.
    func read(_ count: Int, at offset: Int) throws(LogProblem) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        for part in SystemFile.parts(of: count) {
            try check(
                bytes.withUnsafeMutableBytes { bytes in
                    let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[part])
                    let place = sqlite3_int64(offset + part.lowerBound)
                    return methods.xRead(file, bytes.baseAddress, Int32(bytes.count), place)
                })
        }
        return bytes
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(LogProblem) {
        for part in SystemFile.parts(of: bytes.count) {
            try check(
                bytes.withUnsafeBytes { bytes in
                    let bytes = UnsafeRawBufferPointer(rebasing: bytes[part])
                    let place = sqlite3_int64(offset + part.lowerBound)
                    return methods.xWrite(file, bytes.baseAddress, Int32(bytes.count), place)
                })
        }
    }

    private static func parts(of count: Int) -> some Sequence<Range<Int>> {
        stride(from: 0, to: count, by: callBytesMax).lazy.map { $0..<min($0 + callBytesMax, count) }
    }

    func truncate(to count: Int) throws(LogProblem) { try check(methods.xTruncate(file, sqlite3_int64(count))) }

    /// Waits until the disk has what was written.
    func synchronise() throws(LogProblem) { try check(methods.xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY)) }

    private func check(_ code: Int32) throws(LogProblem) {
        guard code != SQLITE_OK else { return }
        throw LogProblem(sqlite: code, system: errno, String(cString: sqlite3_errstr(code)), file: path)
    }

    /// What a path leads to; other programs can remove, move or replace it while it is open.
    struct Identity: Equatable {
        private let device: UInt64
        private let number: UInt64

        /// `nil` if there is nothing at the path.
        init?(of path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    /// Checks that a file, if it is there, is neither a folder nor a pipe or device, from which nothing may ever come.
    static func checkPlain(_ path: String) throws(LogProblem) {
        var status = stat()
        // A link that leads to nothing, or to itself, is not an absent file.
        guard stat(path, &status) == 0 || lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw LogProblem(
            .foreign, file: path, "it is not a plain file: a plain file was expected", remedy: "Name another folder")
    }

    /// Whether a path has a file that isn't empty.
    static func isThere(_ path: String, vfs: String?) -> Bool {
        let layer = layer(vfs)
        var isThere: Int32 = 0
        return layer.pointee.xAccess(layer, path, SQLITE_ACCESS_EXISTS, &isThere) == SQLITE_OK && isThere != 0
    }

    static func remove(_ path: String, vfs: String?) throws(LogProblem) {
        let layer = layer(vfs)
        let code = layer.pointee.xDelete(layer, path, 0)
        guard code == SQLITE_OK else {
            throw LogProblem(sqlite: code, system: errno, String(cString: sqlite3_errstr(code)), file: path)
        }
    }

    private static func layer(_ vfs: String?) -> UnsafeMutablePointer<sqlite3_vfs> {
        guard let layer = sqlite3_vfs_find(vfs) else { preconditionFailure("SQLite has no layer to the system") }
        return layer
    }
}
