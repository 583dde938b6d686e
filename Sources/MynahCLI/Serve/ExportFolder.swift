import Mynah
import MynahClient
import MynahTrust

/// The folder of `--export-dir`, through which another container or another user finds the server.
///
/// The trust material in it is laid out when the server starts. Its `ready.json` is there as long as the server is, and
/// names what its readers can reach: files in the folder, and a URL that leads here from other containers.
struct ExportFolder: Sendable {
    private let path: String

    /// The folder of these settings; `nil` without one.
    init?(_ settings: ServeSettings) {
        guard var path = settings.server.exportDirectory else { return nil }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    private var readyFile: String { path + "/ready.json" }

    private func file(_ name: String) -> String { FileAccess.absolute(path) + "/" + name }

    /// Removes the `ready.json` of an earlier server, and the signing key that it names, which no server accepts any more.
    ///
    /// - Throws: ``ClientError`` when a file can't be read or removed.
    func clear() throws(ClientError) {
        let earlier = try FileAccess.read(readyFile).flatMap { ReadyFile(lenient: $0) }
        try FileAccess.remove(readyFile)
        guard let name = earlier?.keyFile?.split(separator: "/").last.map(String.init),
            SigningKey.keyID(inFileName: name) != nil
        else { return }
        // Only one that was laid out here: a user's own key may lie beside it.
        if earlier?.keyFile == file(name) { try FileAccess.remove(file(name)) }
    }

    /// Writes `ready.json`.
    func announce(_ facts: ServerFacts, _ settings: ServeSettings) throws(ClientError) {
        try exported(facts, settings).write(to: readyFile)
    }

    /// Removes what a server that stops is the only one to accept.
    ///
    /// What another server has laid out in the folder since then stays.
    func withdraw(_ facts: ServerFacts, _ settings: ServeSettings) throws(ClientError) {
        if try FileAccess.read(readyFile) == exported(facts, settings).bytes { try clear() }
    }

    /// The server as readers of the folder see it.
    func exported(_ facts: ServerFacts, _ settings: ServeSettings) -> ReadyFile {
        var ready = facts.ready
        ready.caFile = file("ca.pem")
        ready.caBundleFile = file("ca-bundle.pem")
        ready.keyFile = facts.developmentKeyName.map(file)
        if let host = settings.exportHost ?? ExportFolder.machineName(bound: settings.controlHost) {
            ready.controlURL = ServerFacts.httpURL(bound: host, port: ready.controlPort)
        }
        return ready
    }

    // The name by which container runtimes let a container's neighbours find it; `nil` where the control API can't be
    // reached from other machines, or refuses a `Host` that could be a public name.
    private static func machineName(bound host: String) -> String? {
        guard ["0.0.0.0", "::"].contains(host) else { return nil }
        return TrustMaterial.hostName.flatMap { $0.contains(".") ? nil : $0 }
    }
}

extension ServerFacts {
    /// These facts with the files of the export folder, where there is one: every user may read those.
    func shown(_ settings: ServeSettings) -> ServerFacts {
        guard let exported = ExportFolder(settings)?.exported(self, settings) else { return self }
        var shown = self
        (shown.ready.caFile, shown.ready.keyFile) = (exported.caFile, exported.keyFile)
        return shown
    }
}
