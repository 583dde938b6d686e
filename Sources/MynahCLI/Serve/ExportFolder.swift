import Mynah
import MynahClient
import MynahTrust

/// The folder of `--export-dir`, with which other containers or users find the server.
///
/// The server writes its trust material at the start. `ready.json` exists while the server runs, and names what other
/// containers can reach: files in the folder, and a URL.
struct ExportFolder: Sendable {
    private let path: String

    init?(_ settings: ServeSettings) {
        guard var path = settings.server.exportDirectory else { return nil }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    private var readyFile: String { path + "/ready.json" }

    private func file(_ name: String) -> String { FileAccess.absolute(path) + "/" + name }

    /// Removes the `ready.json` of an earlier server and the signing key that it names, which no server accepts.
    func clear() throws(ClientError) {
        let earlier = try FileAccess.read(readyFile).flatMap { ReadyFile(lenient: $0) }
        try FileAccess.remove(readyFile)
        guard let name = earlier?.keyFile?.split(separator: "/").last.map(String.init),
            SigningKey.keyID(inFileName: name) != nil
        else { return }
        // Only a key that the server wrote here: the folder may also have a user's own.
        if earlier?.keyFile == file(name) { try FileAccess.remove(file(name)) }
    }

    /// Writes `ready.json`.
    func announce(_ facts: ServerFacts, _ settings: ServeSettings) throws(ClientError) {
        try exported(facts, settings).write(to: readyFile)
    }

    /// Removes the server's files, unless another server has replaced them since.
    func withdraw(_ facts: ServerFacts, _ settings: ServeSettings) throws(ClientError) {
        if try FileAccess.read(readyFile) == exported(facts, settings).bytes { try clear() }
    }

    /// The ready file for readers of the folder.
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

    // The name with which other containers find this one; `nil` if the control API can't be reached from other
    // machines, or would refuse the name in `Host` because it could be public.
    private static func machineName(bound host: String) -> String? {
        guard ["0.0.0.0", "::"].contains(host) else { return nil }
        return TrustMaterial.hostName.flatMap { $0.contains(".") ? nil : $0 }
    }
}

extension ServerFacts {
    /// These facts with the files of the export folder, if there is one, because every user may read those.
    func shown(_ settings: ServeSettings) -> ServerFacts {
        guard let exported = ExportFolder(settings)?.exported(self, settings) else { return self }
        var shown = self
        (shown.ready.caFile, shown.ready.keyFile) = (exported.caFile, exported.keyFile)
        return shown
    }
}
