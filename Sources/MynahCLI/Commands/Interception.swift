import Logging
import Mynah
import MynahClient
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
    ///
    /// - Throws: ``CommandFailure`` if the proxy is turned off or the folder can't be made.
    init(_ settings: ServeSettings) throws(CommandFailure) {
        guard settings.server.proxyPort != nil else {
            throw CommandFailure(.usage, "--intercept needs the proxy: leave out --proxy-port off")
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
    /// - Parameter inherited: Its variables without interception.
    /// - Throws: ``ClientError`` if a file can't be written.
    func variables(
        _ facts: ServerFacts, over inherited: [String: String], _ logger: Logger
    ) throws(ClientError) -> [String: String] {
        var variables = inherited
        let caFile = FileAccess.absolute(exportFolder) + "/ca.pem"
        let bundleFile = FileAccess.absolute(exportFolder) + "/ca-bundle.pem"
        // CAs that the variables name already stay trusted, for connections through tunnels.
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

    /// One file with the bundle and all CAs that the variables name already; `nil` if they name none.
    private func chosenCAs(
        _ inherited: [String: String], _ bundleFile: String, _ logger: Logger
    ) throws(ClientError) -> String? {
        var texts: [String] = []
        var seen: Set<String> = []
        for name in Interception.storeVariables + Interception.additionVariables {
            guard let path = inherited[name], !path.isEmpty, seen.insert(path).inserted else { continue }
            do {
                texts.append(try NamedFile.text(path))
            } catch {
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

    /// The value of `NO_PROXY`: this machine and the present entries, except those that cover Apple's names.
    ///
    /// - Parameters:
    ///   - inherited: The present values.
    ///   - further: Further hosts; wildcard addresses are left out.
    static func directHosts(inherited: [String], further: [String]) -> String {
        var hosts = ["localhost", "127.0.0.1", "::1"]
        let others = inherited.flatMap { $0.split { $0 == "," || $0.isWhitespace }.map(String.init) }
        for host in further.filter({ $0 != "0.0.0.0" && $0 != "::" }) + others where !hosts.contains(host) {
            if !spares(host) { hosts.append(host) }
        }
        return hosts.joined(separator: ",")
    }

    // Clients read an entry as a name or as a suffix, after a dot or a star or without, and with a port.
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
