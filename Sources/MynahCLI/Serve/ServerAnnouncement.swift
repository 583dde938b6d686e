import Logging
import Mynah
import MynahClient
import MynahControl
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

    func announce(_ facts: ServerFacts, _ settings: ServeSettings) throws(ClientError) {
        try exported(facts, settings).write(to: readyFile)
    }

    /// Removes the server's files, unless another server has replaced them since.
    func withdraw(_ facts: ServerFacts, _ settings: ServeSettings) throws(ClientError) {
        if try FileAccess.read(readyFile) == exported(facts, settings).bytes { try clear() }
    }

    func exported(_ facts: ServerFacts, _ settings: ServeSettings) -> ReadyFile {
        var ready = facts.ready
        ready.caFile = file("ca.pem")
        ready.caBundleFile = file("ca-bundle.pem")
        ready.keyFile = facts.developmentKeyName.map(file)
        if let host = settings.exportHost ?? ExportFolder.machineName(bound: settings.controlSettings.host) {
            ready.controlURL = ServerFacts.httpURL(bound: host, port: ready.controlPort)
        }
        return ready
    }

    // The name with which other containers find this one; `nil` if the control API can't be reached from other
    // machines, or would refuse the name in `Host` because it could be public.
    private static func machineName(bound host: String) -> String? {
        guard ["0.0.0.0", "::"].contains(host) else { return nil }
        return ServerNames.hostName.flatMap { $0.contains(".") ? nil : $0 }
    }
}

/// The files by which other processes find a running server: its ready file, the ready file in the export folder, and
/// the locator file.
struct ServerAnnouncement: Sendable {
    private let facts: ServerFacts
    private let settings: ServeSettings
    private let locator: LocatorFolder

    /// An unusable locator folder is a warning, because commands have `--url`; an unwritable ready file is an error,
    /// because other processes wait for it.
    init(
        _ facts: ServerFacts, _ settings: ServeSettings, of owner: LocatorFolder.Owner,
        environment: [String: String], logger: Logger
    ) throws(ClientError) {
        self.facts = facts
        self.settings = settings
        self.locator = LocatorFolder(environment: environment)
        if let path = settings.readyFile { try facts.ready.write(to: path) }
        try ExportFolder(settings)?.announce(facts, settings)
        do throws(ClientError) { try locator.add(facts.ready, of: owner) } catch {
            let url = facts.ready.controlURL
            // Commands try this address anyway.
            guard ServerLocator(environment: environment).fallbackURL != url else { return }
            logger.warning("client commands need --url \(url) to find this server: \(error.message)")
        }
    }

    /// Removes the locator file, and the files in the export folder that are useless without the server; the file of
    /// `--ready-file` stays.
    func withdraw(_ logger: Logger) {
        do throws(ClientError) {
            try ExportFolder(settings)?.withdraw(facts, settings)
            try locator.remove(pid: facts.ready.pid)
        } catch {
            logger.warning("\(error.message)")
        }
    }
}
