/// The help of the settings, from the table.
enum SettingsHelp {
    /// Columns; ArgumentParser breaks longer lines again.
    private static let width = 79
    private static let indent = 6

    /// Every setting under its heading, with variable and default.
    static var text: String {
        var lines: [String] = []
        for group in Setting.Group.allCases {
            lines.append(group.rawValue.uppercased())
            for setting in SettingTable.all where setting.group == group {
                lines.append("  " + head(setting))
                lines += wrapped(setting.help + tail(setting))
            }
            if group == .process {
                lines.append("  --config FILE")
                lines += wrapped(
                    "YAML with the names of the flags (default: \(SettingsResolver.defaultFile) if it exists).")
            }
            lines.append("")
        }
        lines.append(
            """
            Each flag has a variable: --control-port is MYNAH_CONTROL_PORT. Lists have
            commas, booleans are 1 true yes 0 false no. MYNAH_CONTROL_TOKEN_FILE names a
            file with the token. A flag overrides its variable, a variable the file, and
            the file the default. MYNAH_DEFAULTS names a file with other defaults, as an
            image has.
            """)
        return lines.joined(separator: "\n")
    }

    private static func head(_ setting: Setting) -> String {
        setting.placeholder.isEmpty ? setting.flag : setting.flag + " " + setting.placeholder
    }

    private static func tail(_ setting: Setting) -> String {
        guard let text = setting.defaultText, setting.shape != .toggle else { return "" }
        return " (default: \(text))"
    }

    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        var line = String(repeating: " ", count: indent)
        for word in text.split(separator: " ") {
            if line.count > indent, line.count + 1 + word.count > width {
                lines.append(line)
                line = String(repeating: " ", count: indent)
            }
            line += (line.count > indent ? " " : "") + word
        }
        return lines + [line]
    }
}
