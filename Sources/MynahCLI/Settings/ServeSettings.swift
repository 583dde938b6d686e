import APNsRules
import Logging
import Mynah
import MynahControl

/// The settings of `mynah serve`.
struct ServeSettings: Sendable {
    /// The settings of the control plane.
    struct Control: Hashable, Sendable {
        /// `--control-port`; 0 is a free one.
        var port = 8197
        /// `--control-host`; `nil` for the value of `--host`.
        var host: String?
        /// `--control-token`; `nil` if calls need no token.
        var token: String?
        /// `--insecure-control`: other machines need no token either.
        var isInsecure = false
        /// `--allowed-host`: further values of `Host`.
        var allowedHosts: [String] = []
        /// `--cors-origin`: further values of `Origin`.
        var corsOrigins: [String] = []
    }

    /// The form of log lines and of the ready line.
    enum LogFormat: String, CaseIterable, Sendable {
        case text
        /// One JSON object per line.
        case json
    }

    /// The settings of the push side.
    var server = Settings()
    var control = Control()
    /// `--fixtures`: a file or a folder.
    var fixtures: String?
    /// Whether the folder of `fixtures` may be missing, because `MYNAH_FIXTURES` names it, as in the image.
    var fixturesMayBeAbsent = false
    /// The fixtures in the settings' file.
    var fixtureDocuments: [LocatedDocument] = []
    /// `--scenario`: files, or names of shipped scenarios.
    var scenarios: [String] = []
    /// `--export-host`: the name with which readers of the export folder reach this server.
    var exportHost: String?
    /// `--ready-file`.
    var readyFile: String?
    /// `--log-level`.
    var logLevel = Logger.Level.info
    /// `--log-format`.
    var logFormat = LogFormat.text

    /// The host that the control API binds.
    var controlHost: String { control.host ?? server.host }
}

extension ServeSettings {
    /// Checks settings that depend on each other.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``.
    func check() throws(CommandFailure) {
        var seen: Set<Int> = []
        let fixed =
            server.ports.map(\.port) + [server.cleartextPort, server.proxyPort, control.port].compactMap(\.self)
        for port in fixed where port != 0 && !seen.insert(port).inserted {
            throw CommandFailure(
                .configuration,
                "port \(port) is given twice: expected different ports for --port, --cleartext-port, --proxy-port and "
                    + "--control-port (0 is a free port)"
            )
        }
        if let length = server.issuedTokenByteCount, !server.rules.tokenByteCounts.contains(length) {
            throw CommandFailure(
                .configuration,
                "--issued-token-length \(length) is outside --token-length "
                    + "\(server.rules.tokenByteCounts.lowerBound)-\(server.rules.tokenByteCounts.upperBound): "
                    + "pushes to issued tokens would be BadDeviceToken")
        }
        do throws(ControlError) {
            try controlSettings.check()
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }
}
