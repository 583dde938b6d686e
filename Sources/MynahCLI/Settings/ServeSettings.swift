import APNsRules
import Logging
import Mynah
import MynahClient
import MynahControl

struct ServeSettings: Sendable {
    /// The form of log lines and of the ready line.
    enum LogFormat: String, CaseIterable, Sendable { case text, json }

    var server = Settings()
    /// The settings of the control plane, except its host.
    var control = ControlSettings()
    /// `--control-host`; `nil` for the value of `--host`.
    var controlHost: String?
    /// `--fixtures`: a file or a folder.
    var fixtures: String?
    /// Whether the folder of `fixtures` may be missing, because `MYNAH_FIXTURES` names it, as in the image.
    var fixturesMayBeAbsent = false
    /// `--watch`: whether `fixtures` are read again when they change.
    var watchesFixtures = false
    /// The fixtures in the settings file.
    var fixtureDocuments: [LocatedDocument] = []
    /// `--scenario`: files, or names of shipped scenarios.
    var scenarios: [String] = []
    /// `--export-host`: the name with which readers of the export folder reach this server.
    var exportHost: String?
    var readyFile: String?
    var logLevel = Logger.Level.info
    var logFormat = LogFormat.text
    /// `--quiet`: whether the banner is left out.
    var isQuiet = false
    /// Whether the log says once a second that pushes came.
    var logsPushes = true

    var controlSettings: ControlSettings {
        var settings = control
        settings.host = controlHost ?? server.host
        return settings
    }

    /// Whether the folder of ``fixtures`` is missing, and may be.
    var lacksFixtures: Bool { fixturesMayBeAbsent && fixtures.map { !FileAccess.exists($0) } == true }

    /// Checks settings that depend on each other.
    func check() throws(CommandFailure) {
        var seen: Set<Int> = []
        let others = [server.webPushPort, server.cleartextPort, server.proxyPort, control.port].compactMap(\.self)
        for port in (server.ports + (server.channelsPorts ?? [])).map(\.port) + others
        where port != 0 && !seen.insert(port).inserted {
            throw CommandFailure(
                .configuration,
                "port \(port) is given twice: expected different ports for --port, --channels-port, --web-push-port, "
                    + "--cleartext-port, --proxy-port and --control-port (0 is a free port)")
        }
        if let length = server.issuedTokenByteCount, !server.rules.tokenByteCounts.contains(length) {
            let lengths = server.rules.tokenByteCounts
            throw CommandFailure(
                .configuration,
                "--issued-token-length \(length) is outside --token-length \(lengths.lowerBound)-\(lengths.upperBound): "
                    + "pushes to issued tokens would be BadDeviceToken")
        }
        if server.cluster.isWanted, server.dataDirectory != nil {
            throw CommandFailure(
                .configuration, "--data and --cluster are both given: expected one, as a cluster's engine keeps the run"
            )
        }
        do throws(ControlError) { try controlSettings.check() } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }
}
