/// The flags of a command that takes settings, with their values as text.
struct GivenFlags: Equatable, Sendable {
    /// Values by the names of their settings.
    var values: [String: GivenValue] = [:]
    /// Values of the other flags by name: `config`, and those of the command.
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

    /// Reads the flags among `arguments`.
    ///
    /// - Parameters:
    ///   - further: Names of the command's own flags with a value.
    ///   - toggles: Names of the command's own flags without a value.
    ///   - takesCommand: Whether the first argument that isn't a flag begins another command, with `--` before it or
    ///     not.
    /// - Throws: ``CommandFailure`` with ``CommandStatus/usage`` for an unknown flag, a missing value, or an unexpected
    ///   argument.
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
            guard argument.hasPrefix("--") else { throw unexpected(argument) }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            let inline = parts.count == 2 ? String(parts[1]) : nil
            if let setting = SettingTable.named(name) {
                let text = try value(of: setting, inline: inline, rest: &rest)
                let earlier = setting.shape == .list ? given.values[name]?.texts ?? [] : []
                given.values[name] = GivenValue(origin: .flag(setting.flag), texts: earlier + setting.values(in: text))
            } else if (commonFlags + further).contains(name) {
                guard let text = inline ?? nextValue(&rest) else {
                    throw CommandFailure(.usage, "--\(name) has no value: expected the path of a file")
                }
                given.others[name] = text
            } else if toggles.contains(name) {
                guard inline == nil else { throw CommandFailure(.usage, "--\(name) takes no value") }
                given.toggles.insert(name)
            } else {
                let names = SettingTable.all.map(\.name) + commonFlags + further + toggles
                throw CommandFailure(
                    .usage, "unknown flag --\(name)" + NearestName.suggestion(for: name, among: names, prefix: "--"))
            }
        }
        return given
    }

    private static func value(
        of setting: Setting, inline: String?, rest: inout ArraySlice<String>
    ) throws(CommandFailure) -> String {
        if let inline { return inline }
        if setting.shape == .toggle { return "true" }
        guard let next = nextValue(&rest) else {
            throw CommandFailure(.usage, "\(setting.flag) has no value: expected \(setting.expected)")
        }
        return next
    }

    // A value that begins with dashes needs `=`, so that a forgotten value doesn't consume the next flag.
    private static func nextValue(_ rest: inout ArraySlice<String>) -> String? {
        guard let next = rest.first, !next.hasPrefix("--") else { return nil }
        rest = rest.dropFirst()
        return next
    }

    private static func unexpected(_ argument: String) -> CommandFailure {
        if argument.hasPrefix("-"), argument.count > 1 {
            let name = String(argument.drop { $0 == "-" })
            let names = SettingTable.all.map(\.name) + commonFlags
            return CommandFailure(
                .usage, "unknown flag \(argument)" + NearestName.suggestion(for: name, among: names, prefix: "--"))
        }
        return CommandFailure(.usage, "unexpected argument \"\(argument)\": settings begin with --, as in --port 2197")
    }
}
