import Logging
import Mynah
import MynahTrust

/// Trust material without a server.
enum TrustFiles {
    /// Makes what is missing in the state folder, and lays it out in the export folder where there is one.
    ///
    /// - Returns: lines that say where everything is.
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``: files that can't be used, or a folder that
    ///   can't be written, because nothing would be left of what was made.
    static func make(_ settings: Settings, logger: Logger) throws(CommandFailure) -> [String] {
        do throws(TrustError) {
            let trust = try TrustMaterial.open(
                stateDirectory: settings.stateDirectory, tlsNames: settings.tlsNames,
                authKeyFiles: settings.authKeyFiles, teamID: settings.teamID, now: Terminal.now)
            trust.tellRemarks(to: logger)
            if let directory = settings.exportDirectory { try trust.exportFolder(directory) }
            guard let caFile = trust.caFile else {
                throw TrustError(
                    .unwritable, file: settings.stateDirectory, "nothing could be kept there",
                    remedy: "Give permission, or name another folder by --state-dir")
            }
            let lines: [(String, String?)] = [
                ("CA file", caFile), ("CA bundle", trust.caBundleFile), ("key file", trust.keyFile),
                ("key id", trust.primaryKey.keyID), ("team id", trust.primaryKey.team),
                ("names", trust.serverNames.joined(separator: ", ")),
            ]
            return lines.compactMap { name, value in
                value.map { name + String(repeating: " ", count: 11 - name.count) + $0 }
            }
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }
}
