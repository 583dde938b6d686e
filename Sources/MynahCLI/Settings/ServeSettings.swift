import APNsRules
import Logging
import Mynah
import MynahControl

/// Everything that `mynah serve` was told: the push side, the control plane, and the process around them.
struct ServeSettings: Sendable {
    /// What the control plane was told.
    struct Control: Hashable, Sendable {
        /// `--control-port`; 0 is a free one.
        var port = 8197
        /// `--control-host`; `nil`: as `--host`.
        var host: String?
        /// `--control-token`; `nil`: none is asked for.
        var token: String?
        /// `--insecure-control`: no token off loopback.
        var isInsecure = false
        /// `--allowed-host`: further values of `Host`.
        var allowedHosts: [String] = []
        /// `--cors-origin`: further values of `Origin`.
        var corsOrigins: [String] = []
    }

    /// How log lines are written.
    enum LogFormat: String, CaseIterable, Sendable {
        /// For people.
        case text
        /// One JSON object per line.
        case json
    }

    /// The push side.
    var server: Settings
    /// The control plane.
    var control = Control()
    /// `--fixtures`: a file or a folder.
    var fixtures: String?
    /// Whether the folder of `fixtures` may be missing: `MYNAH_FIXTURES` named it, as the image does for everybody.
    var fixturesMayBeAbsent = false
    /// What the settings' file has of fixtures.
    var fixtureDocuments: [LocatedDocument] = []
    /// `--scenario`: files, or names of those that are shipped.
    var scenarios: [String] = []
    /// `--export-host`: the name by which readers of the export folder reach this server.
    var exportHost: String?
    /// `--ready-file`.
    var readyFile: String?
    /// `--log-level`.
    var logLevel = Logger.Level.info
    /// `--log-format`; also the form of the ready line.
    var logFormat = LogFormat.text

    /// The defaults of `mynah serve`.
    init() {
        self.server = Settings()
    }

    /// What the control API binds.
    var controlHost: String { control.host ?? server.host }
}

extension ServeSettings {
    /// Finds settings that are right one by one and wrong together.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``.
    func check() throws(CommandFailure) {
        var seen: Set<Int> = []
        let fixed =
            server.ports.map(\.port) + [server.cleartextPort, server.proxyPort, control.port].compactMap(\.self)
        for port in fixed where port != 0 && !seen.insert(port).inserted {
            throw CommandFailure(
                .configuration,
                "port \(port) is given twice; --port, --cleartext-port, --proxy-port and --control-port must differ "
                    + "(0 is a free port)"
            )
        }
        if let length = server.issuedTokenByteCount, !server.rules.tokenByteCounts.contains(length) {
            throw CommandFailure(
                .configuration,
                "--issued-token-length \(length) is outside of --token-length "
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
