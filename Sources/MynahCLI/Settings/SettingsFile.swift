internal import MynahControl
internal import MynahCore

/// What the YAML file with settings gives.
struct GivenFile: Sendable {
    /// Values by the name of their setting.
    var values: [String: GivenValue] = [:]
    /// Lists of the API's objects, such as `keys`.
    var fixtures: [LocatedDocument] = []
}

/// The YAML file with settings: the flags' names as keys, lists as YAML lists or with commas;
/// beside them what fixtures may have.
enum SettingsFile {
    /// Reads the settings in `text`.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file, line and key: no YAML, an
    ///   unknown key with the nearest name, a value of the wrong shape.
    static func read(_ text: String, path: String) throws(CommandFailure) -> GivenFile {
        guard let root = try YAMLText.compose(text, path: path) else { return GivenFile() }
        guard let mapping = root.mapping else {
            throw YAMLText.failure(path, root.line, "settings with their values were expected, like port: 2197")
        }
        var given = GivenFile()
        for (key, value) in mapping {
            guard let name = key.text else {
                throw YAMLText.failure(path, key.line, "a setting's name was expected")
            }
            // `devices` is a setting's name, too; a list of mappings holds devices.
            let holdsObjects = value.sequence?.allSatisfy { $0.mapping != nil } ?? false
            if Fixtures.schema.names.contains(name), SettingTable.named(name) == nil || holdsObjects {
                given.fixtures.append(try LocatedDocument(member: name, value, path: path))
                continue
            }
            guard let setting = SettingTable.named(name) else {
                let names = SettingTable.all.map(\.name) + Fixtures.schema.names
                throw YAMLText.failure(
                    path, key.line,
                    "unknown setting \(name)" + NearestName.suggestion(for: name, among: names))
            }
            let origin = GivenValue.Origin.file(path: path, line: key.line, key: name)
            given.values[name] = GivenValue(origin: origin, texts: try texts(value, setting, path: path))
        }
        return given
    }

    private static func texts(_ value: YAMLNode, _ setting: Setting, path: String) throws(CommandFailure) -> [String] {
        if let text = value.text {
            guard !value.isPlain || !["", "~", "null"].contains(text.lowercased()) else {
                throw YAMLText.failure(
                    path, value.line, "\(setting.name) has no value; expected \(setting.expected)")
            }
            return setting.values(in: text)
        }
        guard setting.shape == .list, let sequence = value.sequence else {
            let what = value.mapping == nil ? "a list" : "a mapping"
            throw YAMLText.failure(
                path, value.line, "\(setting.name) is \(what); expected \(setting.expected)")
        }
        var texts: [String] = []
        for element in sequence {
            guard let text = element.text else {
                throw YAMLText.failure(
                    path, element.line, "\(setting.name): each element must be \(setting.expected)")
            }
            texts.append(text)
        }
        return texts
    }
}
