import Logging
import Mynah
import MynahClient
import MynahTrust

/// What `mynah exec --intercept` does for a command whose provider knows no host but Apple's (`clients.md`, *Four ways
/// in*): the proxy's address and a trust store with our CA, in the variables that runtimes read.
struct Interception: Sendable {
    /// Variables that take the place of a runtime's roots.
    static let storeVariables = ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"]
    /// Variables that name CAs beside the roots.
    static let additionVariables = ["NODE_EXTRA_CA_CERTS", "DENO_CERT"]

    /// The settings of the server, with a folder in which it lays out its CA.
    let settings: ServeSettings
    private let folder: TemporaryFolder
    private let exportFolder: String

    /// Makes a temporary folder for what the command needs, because the state folder may be in memory.
    ///
    /// - Throws: ``CommandFailure``: the proxy was turned off, or there is no place for the folder.
    init(_ settings: ServeSettings) throws(CommandFailure) {
        guard settings.server.proxyPort != nil else {
            throw CommandFailure(.usage, "--intercept needs the proxy, and --proxy-port turns it off")
        }
        self.folder = try TemporaryFolder()
        var settings = settings
        self.exportFolder = settings.server.exportDirectory ?? folder.path
        settings.server.exportDirectory = exportFolder
        self.settings = settings
    }

    /// Removes the folder.
    func withdraw(_ logger: Logger) {
        do throws(ClientError) {
            try folder.remove()
        } catch {
            logger.warning("\(error.message)")
        }
    }

    /// All variables of the command.
    ///
    /// - Parameter inherited: what it has without interception.
    /// - Throws: ``ClientError`` when a file can't be written.
    func variables(
        _ facts: ServerFacts, over inherited: [String: String], _ logger: Logger
    ) throws(ClientError) -> [String: String] {
        var variables = inherited
        let caFile = FileAccess.absolute(exportFolder) + "/ca.pem"
        let bundleFile = FileAccess.absolute(exportFolder) + "/ca-bundle.pem"
        // A CA that somebody has chosen before is still believed, for the tunnels' sake.
        let chosen = try chosenCAs(inherited, bundleFile, logger)
        for name in Interception.storeVariables { variables[name] = chosen ?? bundleFile }
        for name in Interception.additionVariables { variables[name] = chosen ?? caFile }
        variables["MYNAH_CA_FILE"] = facts.ready.caFile ?? caFile
        if facts.ready.keyFile == nil, let keyID = facts.ready.keyID {
            variables["MYNAH_KEY_FILE"] = FileAccess.absolute(exportFolder) + "/AuthKey_\(keyID).p8"
        }
        for name in ["HTTPS_PROXY", "https_proxy"] { variables[name] = facts.proxyURL }
        let spared = ["NO_PROXY", "no_proxy"].compactMap { inherited[$0] }
        let direct = Interception.directHosts(inherited: spared, further: [settings.controlHost, facts.clientHost])
        for name in ["NO_PROXY", "no_proxy"] { variables[name] = direct }
        return variables
    }

    /// The bundle and every CA that the variables named before, in one file; `nil` when they named none.
    private func chosenCAs(
        _ inherited: [String: String], _ bundleFile: String, _ logger: Logger
    ) throws(ClientError) -> String? {
        var texts: [String] = []
        var seen: Set<String> = []
        for name in Interception.storeVariables + Interception.additionVariables {
            guard let path = inherited[name], !path.isEmpty, seen.insert(path).inserted else { continue }
            do throws(ClientError) {
                guard let text = try FileAccess.readText(path) else {
                    throw ClientError(.file, "there is no file \(path)")
                }
                texts.append(text)
            } catch {
                logger.warning("the CAs that \(name) names are left out: \(error.message)")
            }
        }
        guard !texts.isEmpty else { return nil }
        let bundle = try FileAccess.readText(bundleFile) ?? ""
        let path = folder.path + "/trusted.pem"
        let all = ([bundle] + texts).map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined()
        try FileAccess.writeAtomically(Array(all.utf8), to: path, mode: 0o644)
        return path
    }

    /// A value of `NO_PROXY`: this machine, and what was there before, without what would keep Apple's names from the
    /// proxy.
    ///
    /// - Parameters:
    ///   - inherited: values that are there.
    ///   - further: hosts to be called directly; one that stands for every address is none.
    static func directHosts(inherited: [String], further: [String]) -> String {
        var hosts = ["localhost", "127.0.0.1", "::1"]
        let others = inherited.flatMap { $0.split { $0 == "," || $0.isWhitespace }.map(String.init) }
        for host in further.filter({ $0 != "0.0.0.0" && $0 != "::" }) + others where !hosts.contains(host) {
            if !spares(host) { hosts.append(host) }
        }
        return hosts.joined(separator: ",")
    }

    // However a client reads it: as a name, as the end of names with or without a dot or a star before it, with a port.
    private static func spares(_ entry: String) -> Bool {
        var end = entry.lowercased()[...]
        if let colon = end.lastIndex(of: ":"), end[end.index(after: colon)...].allSatisfy(\.isNumber) {
            end = end[..<colon]
        }
        end = end.drop { $0 == "*" || $0 == "." }
        if end.hasSuffix(".") { end.removeLast() }
        return end.isEmpty || TrustMaterial.appleNames.contains { $0.hasSuffix(end) }
    }
}
