/// A setting of `mynah serve`.
///
/// Defines its flag, its variable, its key in the YAML file and its help, so that they can't differ.
struct Setting: Sendable {
    /// The number of values of a setting.
    enum Shape: Sendable {
        /// One; a flag without a value means true.
        case toggle
        /// One; the last of several flags counts.
        case value
        /// Any number: a flag given again, or commas.
        case list
    }

    /// A heading of the help.
    enum Group: String, CaseIterable, Sendable {
        case listening = "Where it listens"
        case trust = "Certificates and keys"
        case service = "What it simulates"
        case choices = "Where APNs leaves a choice"
        case journal = "What it remembers"
        case control = "The control API"
        case process = "The process"
    }

    /// The name without dashes, lower case: `control-port`.
    let name: String
    let shape: Shape
    let group: Group
    /// The placeholder for the value in the help: `PORT`.
    let placeholder: String
    /// One or two sentences.
    let help: String
    /// The default as a user would write it, if there is one.
    let defaultText: String?
    /// Whether `MYNAH_…_FILE` may name a file with the value, to keep that out of the environment.
    let isSecret: Bool
    /// The description of valid values.
    let expected: String
    /// Reads the values into the settings; returns the first invalid text.
    let assign: @Sendable ([String], inout ServeSettings) -> String?

    /// `--control-port`.
    var flag: String { "--" + name }
    /// `MYNAH_CONTROL_PORT`.
    var variable: String { Setting.variable(for: name) }
    /// `MYNAH_CONTROL_TOKEN_FILE`, for a secret.
    var fileVariable: String? { isSecret ? variable + "_FILE" : nil }

    /// The environment variable of a name.
    static func variable(for name: String) -> String {
        "MYNAH_" + name.uppercased().split(separator: "-").joined(separator: "_")
    }

    /// The values in one text of the environment or the file.
    func values(in text: String) -> [String] {
        guard shape == .list else { return [text] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map { Setting.trimmed($0) }
    }

    /// `text` without leading and trailing white space.
    static func trimmed(_ text: some StringProtocol) -> String {
        var rest = Substring(text)
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }
}

extension Setting {
    /// A setting with one value.
    static func one<Value>(
        _ name: String, _ path: any (WritableKeyPath<ServeSettings, Value> & Sendable), _ form: ValueForm<Value>,
        _ group: Group, _ placeholder: String, default defaultText: String?, isSecret: Bool = false, _ help: String
    ) -> Setting {
        let isToggle = Value.self == Bool.self && placeholder.isEmpty
        return Setting(
            name: name, shape: isToggle ? .toggle : .value, group: group, placeholder: placeholder, help: help,
            defaultText: defaultText, isSecret: isSecret, expected: form.expected
        ) { texts, settings in
            for text in texts {
                guard let value = form.read(text) else { return text }
                settings[keyPath: path] = value
            }
            return nil
        }
    }

    /// A setting with one value and no default.
    static func optional<Value>(
        _ name: String, _ path: any (WritableKeyPath<ServeSettings, Value?> & Sendable), _ form: ValueForm<Value>,
        _ group: Group, _ placeholder: String, default defaultText: String?, isSecret: Bool = false, _ help: String
    ) -> Setting {
        one(name, path, form.optional(), group, placeholder, default: defaultText, isSecret: isSecret, help)
    }

    /// A setting with any number of values, which together replace the default.
    static func many<Value>(
        _ name: String, _ path: any (WritableKeyPath<ServeSettings, [Value]> & Sendable), _ form: ValueForm<Value>,
        _ group: Group, _ placeholder: String, default defaultText: String?, _ help: String
    ) -> Setting {
        Setting(
            name: name, shape: .list, group: group, placeholder: placeholder, help: help, defaultText: defaultText,
            isSecret: false, expected: form.expected
        ) { texts, settings in
            var values: [Value] = []
            for text in texts {
                guard let value = form.read(text) else { return text }
                values.append(value)
            }
            settings[keyPath: path] = values
            return nil
        }
    }
}
