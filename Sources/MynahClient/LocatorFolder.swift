internal import APNsRules
internal import MynahSystem

/// The folder in which each running server of a user leaves a file, so that client commands find it
/// (`ControlAPI#Command-line`).
///
/// One file per process with the contents of a ready file: `<pid>.json`, or `<pid>.exec.json` for a server that
/// `mynah exec` started. The folder has mode 0700 and its files 0600, so that no other user can lead this user's commands
/// to another server.
public struct LocatorFolder: Sendable {
    /// The folder's path.
    public let path: String

    /// A folder at any path.
    public init(path: String) { self.path = path }

    /// The folder of this user: `$XDG_RUNTIME_DIR/mynah`, or `/tmp/mynah-<uid>/mynah` without that variable.
    public init(environment: [String: String]) {
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        self.path = (runtime ?? "/tmp/mynah-\(geteuid())") + "/mynah"
    }

    /// The command that runs a server.
    public enum Owner: String, CaseIterable, Sendable {
        /// `mynah serve`; other commands look for it.
        case serve = "json"
        /// `mynah exec`; only its own command uses it, by the environment.
        case exec = "exec.json"
    }

    /// Adds the file of a server, and removes those of servers that have ended; throws ``ClientError`` when the folder
    /// can't be made, or other users can access it.
    public func add(_ server: ReadyFile, of owner: Owner = .serve) throws(ClientError) {
        try FileAccess.makePrivateFolder(path)
        _ = try servers(of: Owner.allCases)
        try FileAccess.writeAtomically(server.bytes, to: file(server.pid, owner), mode: 0o600)
    }

    /// Removes the file of a server, if it exists.
    public func remove(pid: Int32) throws(ClientError) {
        for owner in Owner.allCases { try FileAccess.remove(file(pid, owner)) }
    }

    /// The running servers of some owners, by process id; files of servers that have ended are removed.
    ///
    /// A folder that other users can access is treated as empty. A file that is not a ready file is skipped: its server
    /// can still be selected by URL.
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

    // EPERM: the process exists and belongs to another user.
    private static func isAlive(_ pid: Int32) -> Bool { kill(pid, 0) == 0 || errno == EPERM }
}
