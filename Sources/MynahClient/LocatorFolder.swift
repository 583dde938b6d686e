internal import APNsRules
internal import Glibc

/// The folder in which every running server of a user leaves a file, so that client commands find it without
/// being told (`ControlAPI#Command-line`).
///
/// One file per process with what a ready file has: `<pid>.json`, or `<pid>.exec.json` for a server that `mynah exec`
/// started. The folder has mode 0700 and its files 0600, so that in a place that all users write to nobody else can
/// lead this user's commands to another server.
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

    /// Who runs a server.
    public enum Owner: String, CaseIterable, Sendable {
        /// `mynah serve`: commands look for it.
        case serve = "json"
        /// `mynah exec`: its command finds it by the environment, and no other command should.
        case exec = "exec.json"
    }

    /// Leaves the file of a server, and removes those of servers that are gone.
    ///
    /// - Throws: ``ClientError`` when the folder can't be made or is not this user's alone.
    public func add(_ server: ReadyFile, of owner: Owner = .serve) throws(ClientError) {
        try FileAccess.makePrivateFolder(path)
        _ = try servers(of: Owner.allCases)
        try FileAccess.writeAtomically(server.bytes, to: file(server.pid, owner), mode: 0o600)
    }

    /// Removes the file of a server; that it is gone already is fine.
    public func remove(pid: Int32) throws(ClientError) {
        for owner in Owner.allCases { try FileAccess.remove(file(pid, owner)) }
    }

    /// The live servers of some owners, by process id; files of servers that are gone are removed.
    ///
    /// A folder that is not this user's alone is treated as empty. A file that is not a ready file is skipped: its
    /// server can still be named by its URL.
    public func servers(of owners: [Owner] = [.serve]) throws(ClientError) -> [ReadyFile] {
        guard FileAccess.isPrivateFolder(path), let names = try FileAccess.names(in: path) else { return [] }
        var servers: [ReadyFile] = []
        for name in names {
            let parts = name.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let pid = Int32(parts[0]), pid > 0, let owner = Owner(rawValue: String(parts[1]))
            else { continue }
            let file = file(pid, owner)
            guard LocatorFolder.isAlive(pid) else {
                try FileAccess.remove(file)
                continue
            }
            if owners.contains(owner), let bytes = try FileAccess.read(file), let server = ReadyFile(lenient: bytes) {
                servers.append(server)
            }
        }
        return servers.sorted { $0.pid < $1.pid }
    }

    private func file(_ pid: Int32, _ owner: Owner) -> String { "\(path)/\(pid).\(owner.rawValue)" }

    // EPERM: it is there and belongs to somebody else.
    private static func isAlive(_ pid: Int32) -> Bool { kill(pid, 0) == 0 || errno == EPERM }
}
