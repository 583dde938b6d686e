import Mynah

/// The settings of a command line, with remarks about them.
struct ResolvedSettings: Sendable {
    var settings: ServeSettings
    /// Warnings for the log.
    var warnings: [String]
    /// Information for the log.
    var notes: [String]
}

/// Determines every setting from flag, environment, file or default, in that order (`ControlAPI#Command-line`).
///
/// An image has its defaults in the file of `MYNAH_DEFAULTS`, which comes after the user's file. In a variable, such a
/// default would be overwritten by one that Kubernetes sets for a service, `MYNAH_PORT=tcp://…`.
struct SettingsResolver: Sendable {
    /// Reads the text of a file; `nil` if it doesn't exist.
    typealias FileReading = @Sendable (String) throws(CommandFailure) -> String?

    /// The file that is read unless the user names another one.
    static let defaultFile = "./mynah.yaml"

    let environment: [String: String]
    let readFile: FileReading

    /// Determines the settings of a command line.
    ///
    /// - Throws: ``CommandFailure`` that names the place of a wrong value and what was expected.
    func resolve(_ arguments: [String]) throws(CommandFailure) -> ResolvedSettings {
        let flags = try FlagReader.read(arguments)
        if let rest = flags.rest?.first {
            throw CommandFailure(.usage, "unexpected argument \"\(rest)\": serve takes flags only")
        }
        return try resolve(flags)
    }

    /// Determines the settings of flags.
    ///
    /// - Parameter defaults: The values of settings that are given nowhere; `mynah exec` has its own.
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
