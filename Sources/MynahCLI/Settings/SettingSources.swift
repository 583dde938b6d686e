import MynahClient
import MynahControl
import MynahCore
import MynahSystem
import MynahYAML

/// The flags of a command that takes settings, with their values as text.
struct GivenFlags: Equatable, Sendable {
    var values: [String: GivenValue] = [:]
    /// The values of flags that aren't settings, by name: `config` and the command's own.
    var others: [String: String] = [:]
    /// The command's own flags without a value.
    var toggles: Set<String> = []
    var asksForHelp = false
    /// The arguments after `--`, or after the flags if another command may follow; `nil` without them.
    var rest: [String]?
}

/// Reads `--name value` and `--name=value` for every setting of the table.
///
/// With ArgumentParser's property wrappers each flag would be declared a second time, and could differ from the table,
/// which also defines the environment, the file and the help.
enum FlagReader {
    /// Flags that aren't settings, of every command that takes settings.
    static let commonFlags = ["config"]

    /// - Parameters:
    ///   - further: Names of the command's own flags with a value.
    ///   - toggles: Names of the command's own flags without a value.
    ///   - takesCommand: Whether the first argument that isn't a flag begins another command, even without `--`.
    static func read(
        _ arguments: [String], further: [String] = [], toggles: [String] = [], takesCommand: Bool = false
    ) throws(CommandFailure) -> GivenFlags {
        var given = GivenFlags()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                given.rest = Array(rest)
                return given
            }
            if argument == "--help" || argument == "-h" {
                given.asksForHelp = true
                continue
            }
            if takesCommand, !argument.hasPrefix("-"), !argument.isEmpty {
                given.rest = [argument] + rest
                return given
            }
            guard argument.hasPrefix("-"), argument.count > 1 else {
                throw CommandFailure(
                    .usage, "unexpected argument \"\(argument)\": settings begin with --, as in --port 2197")
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = argument.hasPrefix("--") ? String(parts[0].dropFirst(2)) : ""
            let inline = parts.count == 2 ? String(parts[1]) : nil
            if let setting = SettingTable.named(name) {
                guard let text = inline ?? (setting.shape == .toggle ? "true" : nextValue(&rest)) else {
                    throw CommandFailure(.usage, "\(setting.flag) has no value: expected \(setting.expected)")
                }
                let earlier = setting.shape == .list ? given.values[name]?.texts ?? [] : []
                let texts = earlier + setting.values(in: text)
                given.values[name] = GivenValue(source: .flag, place: setting.flag, texts: texts)
            } else if (commonFlags + further).contains(name) {
                guard let text = inline ?? nextValue(&rest) else {
                    throw CommandFailure(.usage, "--\(name) has no value: expected the path of a file")
                }
                given.others[name] = text
            } else if toggles.contains(name) {
                guard inline == nil else { throw CommandFailure(.usage, "--\(name) takes no value") }
                given.toggles.insert(name)
            } else {
                let flags = SettingTable.all.map(\.flag) + (commonFlags + further + toggles).map { "--" + $0 }
                let flag = "--" + parts[0].drop { $0 == "-" }
                guard flag != "--version" else {
                    throw CommandFailure(.usage, "\(parts[0]) is no setting: expected mynah --version alone")
                }
                throw CommandFailure(.usage, "unknown option \(parts[0])" + Spelling.hint(flag, flags))
            }
        }
        return given
    }

    // A value that begins with dashes needs `=`, so that a forgotten value doesn't consume the next flag.
    private static func nextValue(_ rest: inout ArraySlice<String>) -> String? {
        guard let next = rest.first, !next.hasPrefix("--") else { return nil }
        rest = rest.dropFirst()
        return next
    }
}

struct GivenEnvironment: Sendable {
    var values: [String: GivenValue] = [:]
    /// The files with settings, by the variable that names them.
    var files: [String: String] = [:]
    var warnings: [String] = []
    /// Variables that Kubernetes or container links set, sorted.
    var injected: [String] = []
}

/// Reads `MYNAH_…` variables by the rules of `ControlAPI#Command-line`.
enum EnvironmentReader {
    /// Variables for client commands and tests, or set by `mynah exec`, which aren't settings.
    static let clientVariables: Set<String> = [
        "MYNAH_URL", "MYNAH_CA_FILE", "MYNAH_KEY_FILE", "MYNAH_KEY_ID", "MYNAH_APNS_HOST", "MYNAH_APNS_PORT",
        "MYNAH_BINARY", readyFile,
    ]
    /// Names the file that commands read; a server that was started with it would replace the file of another one.
    private static let readyFile = "MYNAH_READY_FILE"

    static let fileVariables = ["MYNAH_CONFIG", "MYNAH_DEFAULTS"]

    /// Sorts the variables; an empty one counts as not set, because compose files and CI systems pass empty ones on, and
    /// white space on either side doesn't count, because Docker leaves the CR of a file with Windows' line ends.
    static func read(
        _ environment: [String: String], readFile: SettingsResolver.FileReading
    ) throws(CommandFailure) -> GivenEnvironment {
        var given = GivenEnvironment()
        let settings = SettingTable.all.filter { !clientVariables.contains($0.variable) }
        let byVariable = Dictionary(uniqueKeysWithValues: settings.map { ($0.variable, $0) })
        let byFileVariable = Dictionary(
            uniqueKeysWithValues: SettingTable.all.compactMap { setting in setting.fileVariable.map { ($0, setting) } })
        for variable in environment.keys.sorted() where variable.hasPrefix("MYNAH_") {
            guard let text = environment.nonEmpty(variable) else { continue }
            func addGiven(_ setting: Setting, _ text: String) {
                let texts = setting.values(in: text)
                given.values[setting.name] = GivenValue(source: .variable, place: variable, texts: texts)
            }
            if InjectedVariable.matches(variable, text) {
                given.injected.append(variable)
            } else if let setting = byVariable[variable] {
                addGiven(setting, text)
            } else if let setting = byFileVariable[variable] {
                if environment.nonEmpty(setting.variable) != nil {
                    throw CommandFailure(
                        .configuration, "\(setting.variable) and \(variable) are both set: expected one of them")
                }
                guard let secret = try readFile(text) else {
                    throw CommandFailure(.configuration, "\(variable): there is no file \(text)")
                }
                addGiven(setting, TextFile.trimmed(secret))
            } else if fileVariables.contains(variable) {
                given.files[variable] = text
            } else if !clientVariables.contains(variable) {
                let known = byVariable.keys.sorted() + byFileVariable.keys.sorted() + fileVariables
                given.warnings.append("ignored unknown variable \(variable)" + Spelling.hint(variable, known))
            }
        }
        return given
    }
}

/// Recognizes the variables that Kubernetes and container links set for a service named `mynah`, which look like
/// settings.
enum InjectedVariable {
    static func matches(_ name: String, _ value: String) -> Bool {
        let isAddress = ["tcp://", "udp://", "sctp://"].contains { value.hasPrefix($0) }
        // Only links make these: MYNAH_NAME=/web/mynah and MYNAH_ENV_….
        return isAddress && name.hasSuffix("_PORT") || value.hasPrefix("/") && name.hasSuffix("_NAME")
            || name.hasPrefix("MYNAH_ENV_") || name.hasSuffix("_SERVICE_HOST") || name.hasSuffix("_SERVICE_PORT")
            || name.contains("_SERVICE_PORT_") || isPortVariable(name)
    }

    // …_PORT_2197_TCP, and the same with _PROTO, _PORT or _ADDR.
    private static func isPortVariable(_ name: String) -> Bool {
        var parts = name.split(separator: "_")[...]
        if let last = parts.last, ["PROTO", "PORT", "ADDR"].contains(last) { parts.removeLast() }
        let ending = Array(parts.suffix(3))
        return ending.count == 3 && ending[0] == "PORT" && Int(ending[1]) != nil
            && ["TCP", "UDP", "SCTP"].contains(ending[2])
    }
}

struct GivenFile: Sendable {
    var values: [String: GivenValue] = [:]
    var fixtures: [LocatedDocument] = []
}

/// Reads the YAML file with settings: the flags' names as keys, lists as YAML lists or with commas, and fixtures.
enum SettingsFile {
    static func read(_ text: String, path: String) throws(CommandFailure) -> GivenFile {
        guard let root = try YAMLText.compose(text, path: path) else { return GivenFile() }
        guard let mapping = root.mapping else {
            throw YAMLText.failure(path, line: root.line, "expected settings with values, like port: 2197")
        }
        var given = GivenFile()
        for (key, value) in mapping {
            guard let name = key.text else {
                throw YAMLText.failure(path, line: key.line, "unexpected key: expected the name of a setting")
            }
            // `devices` is a setting too; a list of mappings is a list of devices.
            let holdsObjects = value.sequence?.allSatisfy { $0.mapping != nil } ?? false
            if Fixtures.schema.names.contains(name), SettingTable.named(name) == nil || holdsObjects {
                given.fixtures.append(try LocatedDocument(member: name, value, path: path))
                continue
            }
            guard let setting = SettingTable.named(name) else {
                let names = SettingTable.all.map(\.name) + Fixtures.schema.names
                throw YAMLText.failure(path, line: key.line, "unknown setting \(name)" + Spelling.hint(name, names))
            }
            given.values[name] = GivenValue(
                source: .file, place: "\(path):\(key.line): \(name)", texts: try texts(value, setting, path: path))
        }
        return given
    }

    private static func texts(_ value: YAMLNode, _ setting: Setting, path: String) throws(CommandFailure) -> [String] {
        func failure(_ problem: String, _ node: YAMLNode) -> CommandFailure {
            YAMLText.failure(path, line: node.line, "\(setting.name) \(problem): expected \(setting.expected)")
        }
        if let text = value.text {
            guard !value.isPlain || !["", "~", "null"].contains(text.lowercased()) else {
                throw failure("has no value", value)
            }
            return setting.values(in: text)
        }
        guard setting.shape == .list, let sequence = value.sequence else {
            throw failure(value.mapping == nil ? "is a list" : "is a mapping", value)
        }
        return try sequence.map { (element) throws(CommandFailure) in
            guard let text = element.text else { throw failure("has an invalid element", element) }
            return text
        }
    }
}
