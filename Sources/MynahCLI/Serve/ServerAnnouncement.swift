import Logging
import Mynah
import MynahClient

/// The files with which others find a running server: the ready file, the one in the export folder, and this user's
/// locator file.
struct ServerAnnouncement: Sendable {
    private let facts: ServerFacts
    private let settings: ServeSettings
    private let locator: LocatorFolder

    /// Writes the files.
    ///
    /// An unusable locator folder is a warning, because commands have `--url`; an unwritable ready file is an error,
    /// because others wait for it.
    init(
        _ facts: ServerFacts, _ settings: ServeSettings, of owner: LocatorFolder.Owner,
        environment: [String: String], _ logger: Logger
    ) throws(ClientError) {
        self.facts = facts
        self.settings = settings
        self.locator = LocatorFolder(environment: environment)
        if let path = settings.readyFile { try facts.ready.write(to: path) }
        try ExportFolder(settings)?.announce(facts, settings)
        do throws(ClientError) {
            try locator.add(facts.ready, of: owner)
        } catch {
            let url = facts.ready.controlURL
            // Commands try this address anyway.
            guard ServerLocator(environment: environment).fallbackURL != url else { return }
            logger.warning("client commands need --url \(url) to find this server: \(error.message)")
        }
    }

    /// Removes the locator file, and the files in the export folder that are useless without the server.
    ///
    /// The file of `--ready-file` stays.
    func withdraw(_ logger: Logger) {
        do throws(ClientError) {
            try ExportFolder(settings)?.withdraw(facts, settings)
            try locator.remove(pid: facts.ready.pid)
        } catch {
            logger.warning("\(error.message)")
        }
    }
}
