import APNsRules
import ArgumentParser
import Logging
import Mynah
import MynahTrust

/// The state folder of a command of `mynah certs`.
struct StateFolderOption: ParsableArguments {
    @Option(help: ArgumentHelp("The state folder (MYNAH_STATE_DIR; default: ./certs).", valueName: "dir"))
    var stateDir: String?

    /// The settings by flag, environment and `mynah.yaml`, as for serve.
    func settings() throws(CommandFailure) -> ResolvedSettings {
        try SettingsResolver.ofThisProcess.resolve(stateDir.map { ["--state-dir=\($0)"] } ?? [])
    }
}

extension TrustMaterial {
    /// Reads the trust material in the state folder and makes what is missing.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration`` for unusable files, or a folder that can't be
    ///   written, because everything made would be lost.
    static func kept(_ settings: Settings, _ logger: Logger) throws(CommandFailure) -> TrustMaterial {
        do throws(TrustError) {
            let trust = try TrustMaterial.open(
                stateDirectory: settings.stateDirectory, tlsNames: settings.tlsNames,
                authKeyFiles: settings.authKeyFiles, teamID: settings.teamID, now: Terminal.now)
            trust.logRemarks(to: logger)
            guard trust.caFile != nil else {
                throw TrustError(
                    .unwritable, file: settings.stateDirectory, "nothing could be kept there",
                    remedy: "Give permission, or name another folder by --state-dir")
            }
            return trust
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }
}
