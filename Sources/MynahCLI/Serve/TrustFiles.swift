import Logging
import Mynah
import MynahTrust

/// Trust material without a server.
enum TrustFiles {
    /// Makes what is missing in the state folder, and fills the export folder if there is one.
    ///
    /// - Returns: Lines with the paths.
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration`` for unusable files, or a folder that can't be
    ///   written.
    static func make(_ settings: Settings, logger: Logger) throws(CommandFailure) -> [String] {
        let trust = try TrustMaterial.kept(settings, logger)
        do throws(TrustError) {
            if let directory = settings.exportDirectory { try trust.exportFolder(directory) }
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
        let lines: [(String, String?)] = [
            ("CA file", trust.caFile), ("CA bundle", trust.caBundleFile), ("key file", trust.keyFile),
            ("key id", trust.primaryKey.keyID), ("team id", trust.primaryKey.team),
            ("names", trust.serverNames.joined(separator: ", ")),
        ]
        return lines.compactMap { name, value in value.map { TableRow.padded(name, 11) + $0 } }
    }
}
