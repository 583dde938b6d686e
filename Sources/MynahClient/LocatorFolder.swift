internal import APNsRules
internal import Glibc

/// The folder in which every running server of a user leaves a file, so that client commands find it without
/// being told (`control-api.md`, *Command line*).
///
/// One file per process, `<pid>.json`, with what a ready file has. Folder 0700, files 0600: where the folder
/// lies in a place that all users write to, nobody else may lead this user's commands to a server of his.
public struct LocatorFolder: Sendable {
    /// The folder's path.
    public let path: String

    /// A folder of one's own choice.
    public init(path: String) {
        self.path = path
    }

    /// The folder of this user: `$XDG_RUNTIME_DIR/mynah`, or `/tmp/mynah-<uid>/mynah` where that is not set.
    public init(environment: [String: String]) {
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            self.path = runtime + "/mynah"
        } else {
            self.path = "/tmp/mynah-\(geteuid())/mynah"
        }
    }

    /// Leaves the file of a server, and removes those of servers that are gone.
    ///
    /// - Throws: ``ClientError`` when the folder can't be made or is not this user's alone.
    public func add(_ server: ReadyFile) throws(ClientError) {
        try FileAccess.makePrivateFolder(path)
        _ = try servers()
        try FileAccess.writeAtomically(server.document.encoded + [0x0A], to: file(of: server.pid), mode: 0o600)
    }

    /// Removes the file of a server; that it is gone already is fine.
    public func remove(pid: Int32) throws(ClientError) {
        try FileAccess.remove(file(of: pid))
    }

    /// The servers that are alive, by process id; files of those that are not are removed.
    ///
    /// A folder that is not this user's alone is treated as empty. A file that is no ready file is skipped: its
    /// server can still be named by its URL.
    public func servers() throws(ClientError) -> [ReadyFile] {
        guard FileAccess.isPrivateFolder(path), let names = try FileAccess.names(in: path) else { return [] }
        var servers: [ReadyFile] = []
        for name in names where name.hasSuffix(".json") {
            guard let pid = Int32(name.dropLast(".json".count)), pid > 0 else { continue }
            guard LocatorFolder.isAlive(pid) else {
                try FileAccess.remove(file(of: pid))
                continue
            }
            if let bytes = try FileAccess.read(file(of: pid)), let server = ReadyFile(lenient: bytes) {
                servers.append(server)
            }
        }
        return servers.sorted { $0.pid < $1.pid }
    }

    private func file(of pid: Int32) -> String { "\(path)/\(pid).json" }

    // EPERM: it is there and belongs to somebody else.
    private static func isAlive(_ pid: Int32) -> Bool { kill(pid, 0) == 0 || errno == EPERM }
}
