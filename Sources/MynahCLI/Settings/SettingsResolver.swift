import Mynah

/// What came out of flags, environment, file and defaults.
struct ResolvedSettings: Sendable {
    /// The settings.
    var settings: ServeSettings
    /// What the user should know, a sentence each, for the log.
    var warnings: [String]
    /// What may help to know, for the log.
    var notes: [String]
}

/// Settles every setting: flag, environment, file, default, in that order (`ControlAPI#Command-line`).
///
/// An image sets its own defaults in the file that `MYNAH_DEFAULTS` names, after the user's file. As a variable, such a
/// default would be lost to one of the same name that Kubernetes sets for a service, `MYNAH_PORT=tcp://…`.
///
/// Reads nothing by itself: environment and files come as arguments, so that tests need neither.
struct SettingsResolver: Sendable {
    /// The text of a file, `nil` when it is not there; throws when it can't be read.
    typealias FileReading = @Sendable (String) throws(CommandFailure) -> String?

    /// Where the file is looked for when nobody names one.
    static let defaultFile = "./mynah.yaml"

    let environment: [String: String]
    let readFile: FileReading

    init(environment: [String: String], readFile: @escaping FileReading) {
        self.environment = environment
        self.readFile = readFile
    }

    /// Settles the settings of a command line.
    ///
    /// - Throws: ``CommandFailure`` that names where the wrong value came from and what would be right.
    func resolve(_ arguments: [String]) throws(CommandFailure) -> ResolvedSettings {
        let flags = try FlagReader.read(arguments)
        if let rest = flags.rest?.first {
            throw CommandFailure(.usage, "unexpected argument \"\(rest)\": serve takes flags only")
        }
        return try resolve(flags)
    }

    /// Settles the settings of flags that were taken apart already.
    ///
    /// - Parameter defaults: what holds where nobody says anything; `mynah exec` has its own.
    func resolve(
        _ flags: GivenFlags, defaults: ServeSettings = ServeSettings()
    ) throws(CommandFailure) -> ResolvedSettings {
        let variables = try EnvironmentReader.read(environment, readFile: readFile)
        let files = try [userFile(flags, variables), defaultsFile(variables)]
        var settings = defaults
        for setting in SettingTable.all {
            let sources = [flags.values, variables.values] + files.map(\.values)
            guard let given = sources.lazy.compactMap({ $0[setting.name] }).first else { continue }
            if let wrong = setting.assign(given.texts, &settings) {
                throw CommandFailure(
                    given.origin.status, "\(given.origin): \"\(wrong)\" is wrong, expected \(setting.expected)")
            }
            if setting.name == "fixtures", case .variable = given.origin, let path = settings.fixtures {
                settings.fixturesMayBeAbsent = !FixtureFiles.isFileName(path)
            }
        }
        settings.fixtureDocuments = files.flatMap(\.fixtures)
        if let host = settings.exportHost { settings.server.tlsNames.append(host) }
        try settings.check()
        return ResolvedSettings(
            settings: settings, warnings: variables.warnings,
            notes: variables.injected.isEmpty
                ? []
                : [
                    "ignored variables that Kubernetes or container links set for a service: "
                        + variables.injected.joined(separator: ", ")
                ])
    }

    private func userFile(
        _ flags: GivenFlags, _ variables: GivenEnvironment
    ) throws(CommandFailure) -> GivenFile {
        if let path = flags.others["config"] {
            return try namedFile(path, by: "--config")
        }
        if let path = variables.config {
            return try namedFile(path, by: "MYNAH_CONFIG")
        }
        guard let text = try readFile(SettingsResolver.defaultFile) else { return GivenFile() }
        return try SettingsFile.read(text, path: SettingsResolver.defaultFile)
    }

    private func defaultsFile(_ variables: GivenEnvironment) throws(CommandFailure) -> GivenFile {
        guard let path = variables.defaults else { return GivenFile() }
        return try namedFile(path, by: "MYNAH_DEFAULTS")
    }

    private func namedFile(_ path: String, by origin: String) throws(CommandFailure) -> GivenFile {
        guard let text = try readFile(path) else {
            throw CommandFailure(.configuration, "\(origin): there is no file \(path)")
        }
        return try SettingsFile.read(text, path: path)
    }
}
