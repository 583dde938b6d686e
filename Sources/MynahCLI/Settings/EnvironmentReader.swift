/// The variables that begin with `MYNAH_`.
struct GivenEnvironment: Sendable {
    /// Values by the names of their settings.
    var values: [String: GivenValue] = [:]
    /// `MYNAH_CONFIG`.
    var config: String?
    /// `MYNAH_DEFAULTS`.
    var defaults: String?
    /// A warning for each unknown variable.
    var warnings: [String] = []
    /// Variables that Kubernetes or container links set, sorted.
    var injected: [String] = []
}

/// Reads `MYNAH_…` variables by the rules of `ControlAPI#Command-line`.
enum EnvironmentReader {
    /// Variables for client commands and tests, or set by `mynah exec`, which aren't settings.
    static let clientVariables: Set<String> = [
        "MYNAH_URL", "MYNAH_CA_FILE", "MYNAH_KEY_FILE", "MYNAH_KEY_ID", "MYNAH_APNS_HOST", "MYNAH_APNS_PORT",
    ]

    /// Variables that name files with settings.
    static let fileVariables = ["MYNAH_CONFIG", "MYNAH_DEFAULTS"]

    /// Sorts the variables.
    ///
    /// An empty one counts as not set, because compose files and CI systems pass those on.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration`` for a secret that is given twice or whose
    ///   file can't be read.
    static func read(
        _ environment: [String: String], readFile: SettingsResolver.FileReading
    ) throws(CommandFailure) -> GivenEnvironment {
        var given = GivenEnvironment()
        let byVariable = Dictionary(uniqueKeysWithValues: SettingTable.all.map { ($0.variable, $0) })
        let byFileVariable = Dictionary(
            uniqueKeysWithValues: SettingTable.all.compactMap { setting in setting.fileVariable.map { ($0, setting) } })

        for (variable, text) in environment.sorted(by: { $0.key < $1.key })
        where variable.hasPrefix("MYNAH_") && !text.isEmpty {
            if InjectedVariable.matches(variable, text) {
                given.injected.append(variable)
            } else if let setting = byVariable[variable] {
                given.values[setting.name] = GivenValue(origin: .variable(variable), texts: setting.values(in: text))
            } else if let setting = byFileVariable[variable] {
                if let direct = environment[setting.variable], !direct.isEmpty {
                    throw CommandFailure(
                        .configuration, "\(setting.variable) and \(variable) are both set: expected one of them")
                }
                guard let secret = try readFile(text) else {
                    throw CommandFailure(.configuration, "\(variable): there is no file \(text)")
                }
                let texts = setting.values(in: Setting.trimmed(secret))
                given.values[setting.name] = GivenValue(origin: .variable(variable), texts: texts)
            } else if variable == "MYNAH_CONFIG" {
                given.config = text
            } else if variable == "MYNAH_DEFAULTS" {
                given.defaults = text
            } else if !clientVariables.contains(variable) {
                let known = byVariable.keys.sorted() + byFileVariable.keys.sorted() + fileVariables
                given.warnings.append(
                    "ignored unknown variable \(variable)" + NearestName.suggestion(for: variable, among: known))
            }
        }
        return given
    }
}

/// Variables of Kubernetes (for every service in the namespace) and of container links, which look like settings for a
/// service named `mynah`.
enum InjectedVariable {
    static func matches(_ name: String, _ value: String) -> Bool {
        let isAddress = ["tcp://", "udp://", "sctp://"].contains { value.hasPrefix($0) }
        if isAddress, name.hasSuffix("_PORT") { return true }
        if name.hasSuffix("_SERVICE_HOST") || name.hasSuffix("_SERVICE_PORT") || name.contains("_SERVICE_PORT_") {
            return true
        }
        // Only links make these: MYNAH_NAME=/web/mynah and MYNAH_ENV_….
        if name.hasSuffix("_NAME"), value.hasPrefix("/") { return true }
        if name.hasPrefix("MYNAH_ENV_") { return true }
        return isPortVariable(name)
    }

    // …_PORT_2197_TCP, and the same with _PROTO, _PORT or _ADDR.
    private static func isPortVariable(_ name: String) -> Bool {
        let parts = name.split(separator: "_")
        for (index, part) in parts.enumerated() where part == "PORT" {
            let rest = parts[(index + 1)...]
            guard let number = rest.first, Int(number) != nil, let transport = rest.dropFirst().first,
                ["TCP", "UDP", "SCTP"].contains(transport)
            else { continue }
            let ending = rest.dropFirst(2)
            if ending.isEmpty { return true }
            if ending.count == 1, let last = ending.first, ["PROTO", "PORT", "ADDR"].contains(last) { return true }
        }
        return false
    }
}
