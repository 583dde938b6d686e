import Logging
import Mynah
import MynahClient
import MynahControl
import MynahSystem
import MynahTrust

/// Sets up `mynah exec --intercept`, for providers that only connect to Apple's hosts: the variables with which
/// runtimes find the proxy and a trust store with our CA.
struct Interception: Sendable {
    /// Variables that replace a runtime's roots.
    static let storeVariables = ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"]
    /// Variables that add CAs to the roots.
    static let additionVariables = ["NODE_EXTRA_CA_CERTS", "DENO_CERT"]

    /// The server's settings, with an export folder for its CA.
    let settings: ServeSettings
    private let folder: TemporaryFolder
    private let exportFolder: String

    /// Makes a temporary folder, because trust material may be in memory only.
    init(_ settings: ServeSettings) throws(CommandFailure) {
        guard settings.server.proxyPort != nil else {
            throw CommandFailure(.usage, "--intercept needs the proxy: leave out --proxy-port off")
        }
        folder = try TemporaryFolder()
        exportFolder = settings.server.exportDirectory ?? folder.path
        var settings = settings
        settings.server.exportDirectory = exportFolder
        self.settings = settings
    }

    func withdraw(_ logger: Logger) {
        do throws(ClientError) { try folder.remove() } catch { logger.warning("\(error.message)") }
    }

    /// - Parameter inherited: The variables of the command without interception.
    func variables(
        _ facts: ServerFacts, over inherited: [String: String], _ logger: Logger
    ) throws(ClientError) -> [String: String] {
        var variables = inherited
        let folder = FileAccess.absolute(exportFolder)
        let caFile = folder + "/ca.pem"
        let bundleFile = folder + "/ca-bundle.pem"
        // CAs that the variables name already stay trusted, for connections through tunnels.
        let chosen = try chosenCAs(in: inherited, joining: bundleFile, logger)
        for name in Interception.storeVariables { variables[name] = chosen ?? bundleFile }
        for name in Interception.additionVariables { variables[name] = chosen ?? caFile }
        variables["MYNAH_CA_FILE"] = facts.ready.caFile ?? caFile
        if facts.ready.keyFile == nil, let keyID = facts.ready.keyID {
            variables["MYNAH_KEY_FILE"] = "\(folder)/AuthKey_\(keyID).p8"
        }
        for name in ["HTTPS_PROXY", "https_proxy"] { variables[name] = facts.proxyURL }
        let direct = Interception.directHosts(
            inherited: ["NO_PROXY", "no_proxy"].compactMap { inherited[$0] },
            further: [settings.controlSettings.host, facts.clientHost])
        for name in ["NO_PROXY", "no_proxy"] { variables[name] = direct }
        return variables
    }

    /// One file with the bundle and all CAs that the variables name already; `nil` if they name none.
    private func chosenCAs(
        in inherited: [String: String], joining bundleFile: String, _ logger: Logger
    ) throws(ClientError) -> String? {
        var texts: [String] = []
        var seen: Set<String> = []
        for name in Interception.storeVariables + Interception.additionVariables {
            guard let path = inherited.nonEmpty(name), seen.insert(path).inserted else { continue }
            do { texts.append(try NamedFile.text(path, isOfKeys: true)) } catch {
                logger.warning("ignored the CAs of \(name): \(error.message)")
            }
        }
        guard !texts.isEmpty else { return nil }
        let bundle = try FileAccess.readText(bundleFile) ?? ""
        let path = folder.path + "/trusted.pem"
        let all = ([bundle] + texts).map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined()
        try FileAccess.writeAtomically(Array(all.utf8), to: path, mode: 0o644)
        return path
    }

    /// The value of `NO_PROXY`: this machine, `further` hosts except wildcard addresses, and the inherited entries
    /// except those that cover Apple's names.
    static func directHosts(inherited: [String], further: [String]) -> String {
        var hosts = ["localhost", "127.0.0.1", "::1"]
        let others = inherited.flatMap { $0.split { $0 == "," || $0.isWhitespace }.map(String.init) }
        for host in further.filter({ $0 != "0.0.0.0" && $0 != "::" }) + others
        where !hosts.contains(host) && !coversApple(host) { hosts.append(host) }
        return hosts.joined(separator: ",")
    }

    // Clients match an entry as a name or a suffix, which may begin with a dot or a star and end with a port.
    private static func coversApple(_ entry: String) -> Bool {
        var end = entry.lowercased()[...]
        if let colon = end.lastIndex(of: ":"), end[end.index(after: colon)...].allSatisfy(\.isNumber) {
            end = end[..<colon]
        }
        end = end.drop { $0 == "*" || $0 == "." }
        if end.hasSuffix(".") { end.removeLast() }
        return end.isEmpty || ServerNames.apple.contains { $0.hasSuffix(end) }
    }
}

/// A temporary folder of this process.
///
/// The process holds a lock on it, which the kernel releases when the process ends in any way. A folder without a lock
/// is from a killed process, and the next start removes it.
struct TemporaryFolder: Sendable {
    private static let prefix = "mynah-exec-"
    /// The path, absolute if `TMPDIR` is.
    let path: String
    private let lock: Int32

    /// Makes the folder with mode 0700 in `TMPDIR`, or in `/tmp`.
    init(environment: [String: String] = ProcessEnvironment.variables) throws(CommandFailure) {
        let parent = TemporaryFolder.parent(environment)
        while true {
            var template = Array("\(parent)/\(TemporaryFolder.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else {
                throw CommandFailure(
                    .configuration,
                    "can't make a temporary folder in \(parent): \(SystemError.text(errno)); name another one with TMPDIR"
                )
            }
            let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            // Another start may have removed it before it was locked.
            guard let lock = TemporaryFolder.lock(path) else { continue }
            guard FileAccess.isFolder(path) else {
                close(lock)
                continue
            }
            self.path = path
            self.lock = lock
            return
        }
    }

    func remove() throws(ClientError) {
        defer { close(lock) }
        try TemporaryFolder.remove(path)
    }

    /// Removes the folders of this user's killed processes.
    static func removeAbandoned(_ logger: Logger, environment: [String: String] = ProcessEnvironment.variables) {
        do throws(ClientError) {
            let parent = parent(environment)
            for name in try FileAccess.names(in: parent) ?? [] where name.hasPrefix(prefix) {
                let path = "\(parent)/\(name)"
                guard FileAccess.isPrivateFolder(path), let lock = lock(path) else { continue }
                defer { close(lock) }
                try remove(path)
            }
        } catch {
            logger.warning("can't remove a temporary folder of an earlier run: \(error.message)")
        }
    }

    private static func parent(_ environment: [String: String]) -> String { environment.nonEmpty("TMPDIR") ?? "/tmp" }

    private static func lock(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func remove(_ path: String) throws(ClientError) {
        for name in try FileAccess.names(in: path) ?? [] { try FileAccess.remove(path + "/" + name) }
        guard rmdir(path) == 0 || errno == ENOENT else {
            throw ClientError(.file, "can't remove \(path): \(SystemError.text(errno))")
        }
    }
}
