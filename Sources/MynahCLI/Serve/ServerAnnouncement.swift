import Logging
import Mynah
import MynahClient

/// The files by which others find a running server: the ready file, the one in the export folder, and the locator file of
/// this user.
struct ServerAnnouncement: Sendable {
    private let facts: ServerFacts
    private let settings: ServeSettings
    private let locator: LocatorFolder

    /// Writes the files.
    ///
    /// A locator folder that can't be used is a warning, because commands can be given `--url`; a ready file that can't be
    /// written is an error, because somebody waits for it.
    /// - Throws: ``ClientError``.
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
            // Commands try this address by themselves.
            guard ServerLocator(environment: environment).fallbackURL != url else { return }
            logger.warning("client commands need --url \(url) to find this server: \(error.message)")
        }
    }

    /// Removes the locator file, and what is of no use in the export folder without the server.
    ///
    /// The file of `--ready-file` stays: who asked for it knows when the server is gone.
    func withdraw(_ logger: Logger) {
        do throws(ClientError) {
            try ExportFolder(settings)?.withdraw(facts, settings)
            try locator.remove(pid: facts.ready.pid)
        } catch {
            logger.warning("\(error.message)")
        }
    }
}
