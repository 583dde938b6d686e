import Logging
import Mynah
import MynahClient

/// The files by which others find a running server: the ready file, and the locator file of this user.
struct ServerAnnouncement: Sendable {
    private let locator: LocatorFolder
    private let pid: Int32

    /// Writes both files.
    ///
    /// A locator folder that can't be used is a warning, because `--url` still works; a ready file that can't be
    /// written is an error, because somebody waits for it.
    /// - Throws: ``ClientError``.
    init(
        _ facts: ServerFacts, _ settings: ServeSettings, of owner: LocatorFolder.Owner,
        environment: [String: String], _ logger: Logger
    ) throws(ClientError) {
        self.locator = LocatorFolder(environment: environment)
        self.pid = facts.ready.pid
        if let path = settings.readyFile { try facts.ready.write(to: path) }
        if let folder = settings.server.exportDirectory { try facts.ready.write(to: folder + "/ready.json") }
        do throws(ClientError) {
            try locator.add(facts.ready, of: owner)
        } catch {
            logger.warning("client commands will not find this server by themselves: \(error.message)")
        }
    }

    /// Removes the locator file.
    ///
    /// The ready file stays: whoever asked for it knows when the server is gone.
    func withdraw(_ logger: Logger) {
        do throws(ClientError) {
            try locator.remove(pid: pid)
        } catch {
            logger.warning("\(error.message)")
        }
    }
}
