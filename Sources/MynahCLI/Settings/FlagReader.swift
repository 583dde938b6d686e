/// The flags of a command line that takes settings, taken apart but not yet understood.
struct GivenFlags: Equatable, Sendable {
    /// Values by the name of their setting.
    var values: [String: GivenValue] = [:]
    /// Values of flags that are no settings, by name: `config`, and what the command adds.
    var others: [String: String] = [:]
    /// Flags without a value that are no settings and that the command adds, by name.
    var toggles: Set<String> = []
    /// Whether `--help` or `-h` was among them.
    var asksForHelp = false
    /// What follows `--`, or the flags where the command takes another one; `nil` when there is none.
    var rest: [String]?
}

/// Reads `--name value` and `--name=value` for every setting of the table.
///
/// Not by ArgumentParser's property wrappers: each flag would have to be declared a second time beside the
/// table, and the environment, the file and the help could then differ from it.
enum FlagReader {
    /// Flags of every command that takes settings which are no settings themselves.
    static let commonFlags = ["config"]

    /// Takes `arguments` apart.
    ///
    /// - Parameters:
    ///   - further: names of flags with a value that this command has beside the settings.
    ///   - toggles: names of flags without one.
    ///   - takesCommand: whether the first argument that is no flag begins another command, `--` before it or not.
    /// - Throws: ``CommandFailure`` with ``CommandStatus/usage``: an unknown flag with the nearest name, a missing
    ///   value, an argument where none is taken.
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
                    throw CommandFailure(.usage, "--\(name) needs a value: the path of a file")
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
            throw CommandFailure(.usage, "\(setting.flag) needs a value: expected \(setting.expected)")
        }
        return next
    }

    // A value that begins with dashes is written with `=`, so that a forgotten value does not swallow a flag.
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
