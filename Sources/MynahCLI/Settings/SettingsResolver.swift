import APNsRules
import Mynah

/// Determines every setting from flag, environment, file or default, in that order (`ControlAPI#Command-line`).
///
/// An image has its defaults in the file of `MYNAH_DEFAULTS`, which comes after the user's file. A default in a variable
/// would be overwritten by the variable that Kubernetes sets for a service, `MYNAH_PORT=tcp://…`.
struct SettingsResolver: Sendable {
    /// Reads the text of a file; `nil` if it doesn't exist.
    typealias FileReading = @Sendable (String) throws(CommandFailure) -> String?

    /// The file that is read unless the user names another one.
    static let defaultFile = "./mynah.yaml"

    let environment: [String: String]
    let readFile: FileReading

    func resolve(_ arguments: [String]) throws(CommandFailure) -> ResolvedSettings {
        let flags = try FlagReader.read(arguments)
        if let rest = flags.rest?.first {
            throw CommandFailure(.usage, "unexpected argument \"\(rest)\": serve takes flags only")
        }
        return try resolve(flags)
    }

    /// - Parameter defaults: The values of settings that are given nowhere; `mynah exec` has its own.
    func resolve(
        _ flags: GivenFlags, defaults: ServeSettings = ServeSettings()
    ) throws(CommandFailure) -> ResolvedSettings {
        let variables = try EnvironmentReader.read(environment, readFile: readFile)
        let files = try [
            userFile(flags, variables),
            namedFile(variables.files["MYNAH_DEFAULTS"], by: "MYNAH_DEFAULTS") ?? GivenFile(),
        ]
        var settings = defaults
        var used: [String: GivenValue] = [:]
        for setting in SettingTable.all {
            let sources = [flags.values, variables.values] + files.map(\.values)
            guard let given = sources.lazy.compactMap({ $0[setting.name] }).first else { continue }
            if let wrong = setting.assign(given.texts, &settings) {
                throw CommandFailure(
                    given.source == .flag ? .usage : .configuration,
                    "\(given.place): invalid value \"\(Secrets.withoutUser(wrong))\": expected \(setting.expected)")
            }
            used[setting.name] = given
            if setting.name == "fixtures", given.source == .variable, let path = settings.fixtures {
                settings.fixturesMayBeAbsent = !FixtureFiles.isFileName(path)
            }
        }
        settings.fixtureDocuments = files.flatMap(\.fixtures)
        if let host = settings.exportHost {
            settings.server.tlsNames.append(host)
            settings.server.webPushHost = host
        }
        try SettingsResolver.checkCompanions(used)
        try settings.check()
        let injected = variables.injected.joined(separator: ", ")
        let note = "ignored variables that Kubernetes or container links set for a service: \(injected)"
        return ResolvedSettings(settings: settings, warnings: variables.warnings, notes: injected.isEmpty ? [] : [note])
    }

    /// Checks that no setting is given that means nothing without another one: who forgets `--cluster` beside
    /// `--cluster-server` would have a server alone.
    private static func checkCompanions(_ used: [String: GivenValue]) throws(CommandFailure) {
        for (needed, names) in SettingTable.companions where used[needed] == nil {
            guard let given = names.lazy.compactMap({ used[$0] }).first else { continue }
            throw CommandFailure(
                given.source == .flag ? .usage : .configuration,
                "\(given.place) is given without --\(needed): expected both, or neither")
        }
    }

    private func userFile(_ flags: GivenFlags, _ variables: GivenEnvironment) throws(CommandFailure) -> GivenFile {
        if let file = try namedFile(flags.others["config"], by: "--config") { return file }
        if let file = try namedFile(variables.files["MYNAH_CONFIG"], by: "MYNAH_CONFIG") { return file }
        guard let text = try readFile(SettingsResolver.defaultFile) else { return GivenFile() }
        return try SettingsFile.read(text, path: SettingsResolver.defaultFile)
    }

    private func namedFile(_ path: String?, by origin: String) throws(CommandFailure) -> GivenFile? {
        guard let path else { return nil }
        guard let text = try readFile(path) else {
            throw CommandFailure(.configuration, "\(origin): there is no file \(path)")
        }
        return try SettingsFile.read(text, path: path)
    }
}

/// The settings of a command line, with the log messages about them.
struct ResolvedSettings: Sendable {
    var settings: ServeSettings
    var warnings: [String]
    var notes: [String]
}

/// The values of one setting as the user wrote them, with their place.
struct GivenValue: Equatable, Sendable {
    enum Source: Sendable {
        case flag
        /// An environment variable, or the file that it names.
        case variable
        case file
    }

    let source: Source
    /// The flag with its dashes, the variable, or the line and the key in the file: `mynah.yaml:3: port`.
    let place: String
    let texts: [String]
}
