import MynahSystem

/// A setting of `mynah serve`: its flag, its variable, its key in the YAML file and its help, so that they can't differ.
struct Setting: Sendable {
    enum Shape: Sendable {
        /// One value; a flag without a value means true.
        case toggle
        /// One value; the last of several flags counts.
        case value
        /// Any number of values: a flag given again, or commas.
        case list
    }

    let name: String
    let shape: Shape
    /// The placeholder for the value in the help: `PORT`.
    let placeholder: String
    private(set) var help = ""
    /// The default as a user would write it, if there is one.
    let defaultText: String?
    /// Whether `MYNAH_…_FILE` may name a file with the value, to keep that out of the environment.
    let isSecret: Bool
    let expected: String
    /// Reads the values into the settings; returns the first invalid text.
    let assign: @Sendable ([String], inout ServeSettings) -> String?

    /// `--control-port`.
    var flag: String { "--" + name }
    /// `MYNAH_CONTROL_PORT`.
    var variable: String { "MYNAH_" + name.uppercased().split(separator: "-").joined(separator: "_") }
    /// `MYNAH_CONTROL_TOKEN_FILE`, for a secret.
    var fileVariable: String? { isSecret ? variable + "_FILE" : nil }

    func described(by help: String) -> Setting {
        var setting = self
        setting.help = help
        return setting
    }

    func values(in text: String) -> [String] {
        guard shape == .list else { return [text] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map { TextFile.trimmed($0) }
    }
}

extension Setting {
    static func one<Value>(
        _ name: String, _ path: any (WritableKeyPath<ServeSettings, Value> & Sendable), as form: ValueForm<Value>,
        value placeholder: String, default defaultText: String? = nil, isSecret: Bool = false
    ) -> Setting {
        let shape = Value.self == Bool.self && placeholder.isEmpty ? Shape.toggle : .value
        return Setting(
            name: name, shape: shape, placeholder: placeholder, defaultText: defaultText, isSecret: isSecret,
            expected: form.expected
        ) { texts, settings in
            for text in texts {
                guard let value = form.read(text) else { return text }
                settings[keyPath: path] = value
            }
            return nil
        }
    }

    /// A setting with one value that may be absent.
    static func optional<Value>(
        _ name: String, _ path: any (WritableKeyPath<ServeSettings, Value?> & Sendable), as form: ValueForm<Value>,
        value placeholder: String, default defaultText: String? = nil, isSecret: Bool = false
    ) -> Setting {
        let optional = ValueForm<Value?>(expected: form.expected) { form.read($0).map(Optional.some) }
        return one(name, path, as: optional, value: placeholder, default: defaultText, isSecret: isSecret)
    }

    /// A setting with one value, or with `off`, the default.
    static func orOff<Value>(
        _ name: String, _ path: any (WritableKeyPath<ServeSettings, Value?> & Sendable), as form: ValueForm<Value>,
        value placeholder: String
    ) -> Setting { one(name, path, as: form.orOff(), value: placeholder, default: "off") }

    /// A setting with any number of values, which together replace what holds without them, or with `off`.
    static func manyOrOff<Value>(
        _ name: String, _ path: any (WritableKeyPath<ServeSettings, [Value]?> & Sendable), as form: ValueForm<Value>,
        value placeholder: String
    ) -> Setting {
        Setting(
            name: name, shape: .list, placeholder: placeholder, defaultText: nil, isSecret: false,
            expected: form.orOff().expected
        ) { texts, settings in
            let values = texts == ["off"] ? [] : texts.map(form.read)
            if let wrong = values.firstIndex(where: { $0 == nil }) { return texts[wrong] }
            settings[keyPath: path] = values.compactMap(\.self)
            return nil
        }
    }

    /// A setting with any number of values, which together replace the default.
    static func many<Value>(
        _ name: String, _ path: any (WritableKeyPath<ServeSettings, [Value]> & Sendable), as form: ValueForm<Value>,
        value placeholder: String, default defaultText: String? = nil
    ) -> Setting {
        Setting(
            name: name, shape: .list, placeholder: placeholder, defaultText: defaultText,
            isSecret: false, expected: form.expected
        ) { texts, settings in
            let values = texts.map(form.read)
            if let wrong = values.firstIndex(where: { $0 == nil }) { return texts[wrong] }
            settings[keyPath: path] = values.compactMap(\.self)
            return nil
        }
    }
}
